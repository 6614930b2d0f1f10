import type { JourneyPlan, PlanDecision } from "../state/journey-plan.ts";
import type { PlanChanged, PlanRefused } from "../state/plan-action.ts";
import { oneLine } from "../text/fence.ts";
import { joinWithAnd } from "../text/join-list.ts";
import { renderSentence, type SentenceId } from "../text/sentences.ts";
import { nameDecision, numberStep, renderAffectedSteps } from "./affected-steps.ts";
import type { PlanActionResult } from "./apply-plan-actions.ts";
import { clip } from "../registry/shorten.ts";

/** A wish about the plan that was not carried out. */
export interface PlanWishRefused {
  /** The person's own. */
  readonly words: string;
  /** In words for the person, without a final period. */
  readonly reason: string;
}

/** The outcome of a message's wishes about the plan. */
export interface PlanWishes {
  readonly results: readonly PlanActionResult[];
  /** Others that are not carried out: held back, or left to the concierge. */
  readonly refusals?: readonly PlanWishRefused[];
}

/** Characters of the person's words in a refusal. */
const WORDS = 80;

/**
 * Words what became of a message's wishes about the plan, for the first paragraph of the reply: each
 * change, each refusal with its reason, then what rests on the changes. `plan`: the one after all of them.
 * Empty where nothing was asked for. Pure, total.
 */
export function wordPlanChanges(
  { results, refusals: others = [] }: PlanWishes,
  plan: JourneyPlan,
): string {
  const changes = results.flatMap(({ outcome }) => (outcome.kind === "changed" ? [outcome] : []));
  const refusals = results.flatMap(({ action, outcome }) =>
    outcome.kind === "refused" ? [{ words: action.words, reason: wordReason(outcome) }] : [],
  );
  const standing = dropRemoved(dropUndone(changes), plan);
  return [
    ...wordGroups(standing, plan),
    // One wish may ask for several changes that are refused alike.
    ...new Set([...refusals, ...others].map(wordWishRefused)),
    renderAffectedSteps(standing, plan),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Leaves out changes that a later one of the same message takes back, and that one. */
function dropUndone(changes: readonly PlanChanged[]): readonly PlanChanged[] {
  const made = new Set(changes.map(({ change }) => change.version));
  const undone = new Set(changes.flatMap(({ change }) => change.undoes ?? []));
  return changes.filter(
    ({ change }) =>
      !undone.has(change.version) && (change.undoes === null || !made.has(change.undoes)),
  );
}

/** Leaves out what was done to a step that a later change of the message has removed. */
function dropRemoved(changes: readonly PlanChanged[], plan: JourneyPlan): readonly PlanChanged[] {
  const left = new Set(plan.steps.map(({ id }) => id));
  const removed = new Set(
    changes.flatMap(({ change: { kind, targets } }) => (kind === "remove" ? targets : [])),
  );
  const isGone = (id: string): boolean => removed.has(id) && !left.has(id);
  return changes.filter(
    ({ change: { kind, targets } }) => !TOUCHES.has(kind) || !targets.every(isGone),
  );
}

/** Changes that leave a step in the plan. */
const TOUCHES: ReadonlySet<string> = new Set(["replace", "move", "mark", "annotate", "focus"]);

const SENTENCES_BY_KIND = {
  add: "planAdded",
  remove: "planRemoved",
  replace: "planReworded",
  move: "planMoved",
  focus: "planFocused",
  done: "planDone",
  open: "planOpened",
  skipped: "planSkipped",
} as const satisfies Readonly<Record<string, SentenceId>>;

/** A change as a sentence of its own, or as steps that share one with others of its kind. */
type Wording =
  | { readonly kind: keyof typeof SENTENCES_BY_KIND; readonly steps: readonly string[] }
  | { readonly kind: "sentence"; readonly text: string };

function wordGroups(changes: readonly PlanChanged[], plan: JourneyPlan): string[] {
  const worded = changes.map((change) => describeChange(change, plan));
  const groups = Map.groupBy(worded, ({ kind }) => kind);
  return [...groups.values()].flatMap((group) => {
    const steps = group.flatMap((one) => (one.kind === "sentence" ? [] : one.steps));
    const [first] = group;
    return first === undefined || first.kind === "sentence"
      ? group.flatMap((one) => (one.kind === "sentence" ? [one.text] : []))
      : [
          renderSentence(SENTENCES_BY_KIND[first.kind], {
            steps: joinWithAnd([...new Set(steps)]),
          }),
        ];
  });
}

function describeChange(changed: PlanChanged, plan: JourneyPlan): Wording {
  const { change, plan: made } = changed;
  const { kind, targets } = change;
  const [target = "", ...parts] = targets;
  const name = (id: string): string => nameStep(id, changed, plan);
  const step = made.steps.find(({ id }) => id === target);
  switch (kind) {
    case "add":
      return { kind, steps: targets.map(name) };
    case "remove":
    case "replace":
    case "move":
    case "focus":
      return { kind, steps: [name(target)] };
    case "mark":
      return { kind: step?.mark ?? "open", steps: [name(target)] };
    case "split":
      return say(
        renderSentence("planSplit", {
          title: titleBefore(changed, target),
          steps: joinWithAnd(parts.map(name)),
        }),
      );
    case "annotate":
      return say(
        renderSentence("planNoted", {
          steps: name(target),
          note: oneLine(step?.notes.at(-1)?.text ?? ""),
        }),
      );
    case "decide":
      return say(wordDecision(changed));
    case "undo":
      return say(
        renderSentence("planTakenBack", { changes: joinWithAnd(listTakenBack(changed, plan)) }),
      );
    default:
      return kind satisfies never;
  }
}

function say(text: string): Wording {
  return { kind: "sentence", text };
}

function wordDecision({ change, plan }: PlanChanged): string {
  const [id] = change.targets;
  const decision = plan.decisions.find((each) => each.id === id);
  const choice = oneLine(decision?.chosen ?? "");
  const before = oneLine(change.before.decisions.find((each) => each.id === id)?.chosen ?? "");
  const question = oneLine(decision?.question ?? "");
  return [
    question === ""
      ? renderSentence("planDecided", { choice })
      : renderSentence("planDecidedOn", { question, choice }),
    ...(before === "" ? [] : [renderSentence("planDecidedBefore", { choice: before })]),
  ].join(" ");
}

/** Names what an undo made as it was, and what is gone with it. */
function listTakenBack(changed: PlanChanged, plan: JourneyPlan): string[] {
  const { change, plan: made } = changed;
  const present = new Set([...made.steps, ...made.decisions].map(({ id }) => id));
  return change.targets.map((id) => {
    const decision = findDecision(id, [made, change.before]);
    const name = decision === null ? nameStep(id, changed, plan) : `“${nameDecision(decision)}”`;
    return renderSentence(present.has(id) ? "planAsBefore" : "planGoneAgain", { title: name });
  });
}

function findDecision(
  id: string,
  places: readonly Pick<JourneyPlan, "decisions">[],
): PlanDecision | null {
  return places.flatMap(({ decisions }) => decisions).find((each) => each.id === id) ?? null;
}

/** Returns number and title of a step that is shown, the title alone of one that is gone. */
function nameStep(id: string, changed: PlanChanged, plan: JourneyPlan): string {
  const shown = numberStep(plan, id);
  return shown === null ? `“${titleBefore(changed, id)}”` : renderSentence("planStep", shown);
}

function titleBefore({ change, plan }: PlanChanged, id: string): string {
  const step = [...change.before.steps, ...plan.steps].find((each) => each.id === id);
  return oneLine(step?.title ?? "");
}

/** Words the reason of a refusal, in the language that is spoken. */
export function wordReason({ reason, values }: PlanRefused): string {
  const title = oneLine(values.title ?? "");
  return renderSentence(reason, { number: 0, limit: 0, ...values, title });
}

/** Words that a wish is not carried out, and why. */
export function wordWishRefused({ words, reason }: PlanWishRefused): string {
  return renderSentence("planNotChanged", { wish: clip(oneLine(words), WORDS), cause: reason });
}
