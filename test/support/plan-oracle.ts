import { MissingFromPrompt, Shown } from "../../dev/simulation/shown.ts";
import { HEADINGS, planHeading } from "../../prompts/headings.ts";
import type { Json } from "../../state/json.ts";
import type { ModelRequest } from "../../state/model.ts";
import type { PlanAction, ShortPlanAction } from "../../state/plan-action.ts";
import { lastText, readMessage, readPhase } from "./concierge-thread.ts";
import { planAction, planPart } from "./journey-plans.ts";
import type { MeantChange } from "./plan-wishes.ts";
import type { Behaviour } from "./test-thread.ts";
import { understandAnswer } from "./turn-state.ts";

/** A message as somebody means it. */
export interface MeantMessage {
  /** The changes that it asks for, by titles. */
  readonly meant: readonly MeantChange[];
  /** True where it has to be asked about before anything can be done. */
  readonly isUnclear: boolean;
}

type Meaning = (message: string) => MeantMessage;

/**
 * The models of a plan that are told what a message means, and look up ids, order, decisions and relations
 * in their prompts. What they need and are not shown is kept in `missing`.
 */
export class PlanOracle {
  readonly #readMeaning: Meaning;
  /** Everything that a prompt did not show. */
  readonly missing: MissingFromPrompt[] = [];

  constructor(readMeaning: Meaning) {
    this.#readMeaning = readMeaning;
  }

  /** Answers for Understand, for the rework of a plan, and for the concierge that carries it out. */
  get behaviour(): Required<Pick<Behaviour, "understand" | "concierge">> {
    return {
      understand: (request) => this.#answer(() => ({ json: this.#understand(request) })),
      concierge: (request) =>
        this.#answer(() =>
          request.schema?.name === "change_plan"
            ? { json: this.#rework(request) }
            : readPhase(request) === "executor"
              ? this.#speak(request)
              : null,
        ),
    };
  }

  #answer<Answer>(answer: () => Answer): Answer | TypeError {
    try {
      return answer();
    } catch (error) {
      if (!(error instanceof MissingFromPrompt)) throw error;
      this.missing.push(error);
      return new TypeError(error.message, { cause: error });
    }
  }

  #understand(request: ModelRequest): Json {
    const message = readMessage(request);
    const { meant } = this.#readMeaning(message);
    const plan = readLines(request);
    const reworked = meant.filter((change) => !isOutright(change));
    const [first] = reworked;
    const answer = understandAnswer({
      lane: "concierge",
      planActions: meant.filter(isOutright).map((change) => shortenChange(change, plan)),
      rework: first === undefined ? null : reworked.length === 1 ? first.words : message,
    });
    return { ...answer };
  }

  #rework(request: ModelRequest): Json {
    const plan = readWhole(request);
    const wish = /<wish>\n([\s\S]*?)\n<\/wish>/u.exec(firstUserText(request))?.[1] ?? "";
    const { meant } = this.#readMeaning(wish);
    const actions = meant
      .filter((change) => !isOutright(change))
      .map((change) => fillChange(change, plan));
    return { actions };
  }

  /** Says nothing of the plan but what it is shown: code's words stand above. Asks where something was not done or is not clear. */
  #speak(request: ModelRequest): string {
    const shown = showLast(request);
    const report = shown.section(HEADINGS.changedJustNow);
    if (report.includes(REFUSED)) return "What shall I do instead?";
    if (report === "") {
      const { isUnclear } = this.#readMeaning(readMessage(request));
      return isUnclear ? "Which step do you mean?" : "I see.";
    }
    const version = /^## The Plan Now, Version (\d+)$/mu.exec(lastText(request))?.[1];
    const plan = shown.section(planHeading(Number(version)));
    for (const [step, number, title] of report.matchAll(/(\d+) \(“([^”]+)”\)/gu)) {
      const isShown = plan
        .split("\n")
        .some((line) => line.startsWith(`${number}. [`) && line.includes(`**${title}**`));
      if (!isShown) throw shown.missing(`the plan with ${step}`);
    }
    return "I see.";
  }
}

const REFUSED = "Not done, “";

/** A change that Understand's short form holds; the others are left to a rework. */
function isOutright({ kind, parts }: MeantChange): boolean {
  if (kind === "replace" || kind === "split") return false;
  return kind !== "add" || (parts.length === 1 && Object.keys(parts[0] ?? {}).length === 1);
}

/** A step or a decision as a prompt shows it. */
interface ShownItem {
  readonly id: string;
  readonly name: string;
  /** Ids of what it rests on. */
  readonly restsOn: readonly string[];
}

/** A plan as a prompt shows it. */
class ShownPlan {
  readonly #items: readonly ShownItem[];
  readonly #shown: Shown;

  constructor(items: readonly ShownItem[], shown: Shown) {
    this.#items = items;
    this.#shown = shown;
  }

  /** Returns the one item of a title or question; throws where it is not shown. */
  require(name: string): ShownItem {
    const [found, ...others] = this.#items.filter((item) => item.name === name);
    if (found === undefined || others.length > 0) throw this.#shown.missing(`the id of "${name}"`);
    return found;
  }

  findId(name: string | null): string | null {
    return name === null ? null : this.require(name).id;
  }

  /** Returns the `after` of an action; of a step that is gone the place that it had. */
  findPlace(after: string | null): string | null {
    if (after === "start") return after;
    if (after === "end" || after === null) return null;
    const line = this.#shown
      .section(HEADINGS.changedJustNow)
      .split("\n")
      .find((text) => text.startsWith(`- Removed "${after}", which stood `));
    if (line === undefined) return this.findId(after);
    return /after (step_\d+)\.$/u.exec(line)?.[1] ?? "start";
  }
}

/** The plan's lines in Understand's prompt; they do not show relations. */
function readLines(request: ModelRequest): ShownPlan {
  const shown = showLast(request);
  const lines = shown.data(HEADINGS.phase).split("\n");
  const items = lines.flatMap((line): ShownItem[] => {
    const [, title, step] = /^\d+\. (.+) \((step_\d+)(?: \w+)?\)$/u.exec(line) ?? [];
    const [, decision, question] = /^(decision_\d+) (.+?\?) .+$/u.exec(line) ?? [];
    const [id, name] = [step ?? decision, title ?? question];
    return id === undefined || name === undefined ? [] : [{ id, name, restsOn: [] }];
  });
  return new ShownPlan(items, shown);
}

/** The whole plan in the prompt of a rework, which a repair follows. */
function readWhole({ role, messages }: ModelRequest): ShownPlan {
  const shown = new Shown({ role, messages });
  const text = shown.section(HEADINGS.plan);
  const steps = text.split(/^(?=\d+\. )/mu).flatMap((step): ShownItem[] => {
    const [, name, id] = /^\d+\. \[[x> -]\] \*\*(.+?)\*\* \((step_\d+)/u.exec(step) ?? [];
    const restsOn = /^ {3}Rests on: (.+)$/mu.exec(step)?.[1]?.split(", ") ?? [];
    return id === undefined || name === undefined ? [] : [{ id, name, restsOn }];
  });
  const decisions = [...text.matchAll(/^- (decision_\d+): ([^;]+);/gmu)].map(
    ([, id = "", name = ""]) => ({ id, name, restsOn: [] }),
  );
  return new ShownPlan([...steps, ...decisions], shown);
}

function showLast(request: ModelRequest): Shown {
  return new Shown({ role: request.role, messages: request.messages.slice(-1) });
}

function firstUserText({ messages }: ModelRequest): string {
  return messages.find(({ role }) => role === "user")?.text ?? "";
}

function shortenChange(change: MeantChange, plan: ShownPlan): ShortPlanAction {
  const { kind, step, decision, after, parts, text, words } = change;
  if (kind === "replace" || kind === "split") throw new TypeError(`Cannot shorten a ${kind}`);
  return {
    kind,
    step: plan.findId(step ?? decision),
    after: plan.findPlace(after),
    text: text ?? parts[0]?.title ?? null,
    words,
  };
}

function fillChange(change: MeantChange, plan: ShownPlan): PlanAction {
  const { kind, step, after, parts, words } = change;
  if (kind !== "add" && kind !== "replace" && kind !== "split") {
    throw new TypeError(`Cannot rework a plan by ${kind}`);
  }
  const old = step === null ? null : plan.require(step);
  return planAction({
    kind,
    target: old?.id ?? null,
    after: plan.findPlace(after),
    // The first part takes the place of the old step, with what that rested on.
    parts: parts.map((part, index) =>
      planPart({ ...part, restsOn: index === 0 ? [...(old?.restsOn ?? [])] : [] }),
    ),
    words,
  });
}
