import { inspect, isDeepStrictEqual } from "node:util";
import type { JourneyPlan, JourneyStep, PlanChange } from "../../state/journey-plan.ts";
import type { Expectation, MeantChange, PlanWish, WishedPlan } from "./plan-wishes.ts";

/** One message of a wish, with what came of it. */
export interface PlayedMessage {
  /** The stored plan before and after it. */
  readonly before: JourneyPlan;
  readonly after: JourneyPlan;
  /** All that the person was answered. */
  readonly reply: string;
}

/** The outcome of a wish. */
export interface JudgedWish {
  readonly id: number;
  /** Of each message. */
  readonly outcomes: readonly Expectation[];
  /** Everything stored or said that does not fit; empty where all is as it was wished. */
  readonly problems: readonly string[];
}

/** Judges the stored plans and the replies of a wish by what was meant. */
export function judgePlanWish(
  wish: PlanWish,
  plan: WishedPlan,
  played: readonly PlayedMessage[],
): JudgedWish {
  return {
    id: wish.id,
    outcomes: played.map(nameOutcome),
    problems: [
      ...judgeEnd(wish, played.at(-1)),
      ...played.flatMap((message, index) => {
        const meant = wish.meaning[index] ?? [];
        const before = wish.meaning.slice(0, index).flat();
        return [
          ...judgeDetails(meant, message),
          ...judgeClaims(message),
          ...judgeAffected(message, { meant, before, plan }),
        ];
      }),
      ...judgeRested(wish, plan),
    ],
  };
}

function nameOutcome({ before, after, reply }: PlayedMessage): Expectation {
  if (listNewChanges(before, after).length > 0) return "carried out";
  return reply.endsWith("?") ? "asks back" : "nothing";
}

/** Compares the plan that is stored after the last message. */
function judgeEnd(
  { planAfter, decisionsAfter }: PlanWish,
  last: PlayedMessage | undefined,
): string[] {
  const { steps = [], decisions = [] } = last?.after ?? {};
  const choices = decisions.map(({ question, chosen }) => [question, chosen]);
  return [
    ...compare(
      "steps",
      steps.map(({ title, mark }) => ({ title, mark })),
      planAfter,
    ),
    ...compare("decisions", Object.fromEntries(choices), decisionsAfter),
  ];
}

/** Compares notes, focus and new words, and sees that nothing else was touched. */
function judgeDetails(meant: readonly MeantChange[], { before, after }: PlayedMessage): string[] {
  const changes = listNewChanges(before, after);
  if (changes.length === 0) return compare("the plan", after, before);
  const touched = new Set(changes.flatMap(({ targets }) => targets));
  const now = new Map(after.steps.map((step) => [step.id, step]));
  return [
    ...before.steps
      .filter(({ id }) => !touched.has(id))
      .flatMap((step) =>
        compare(step.title, withoutRelations(now.get(step.id)), withoutRelations(step)),
      ),
    ...meant.flatMap((change) => judgeMeant(change, after)),
  ];
}

function withoutRelations(step: JourneyStep | undefined) {
  return { ...step, restsOn: [] };
}

function judgeMeant({ kind, step: title, parts, text }: MeantChange, after: JourneyPlan): string[] {
  const find = (name: string | null) => after.steps.find((step) => step.title === name);
  const worded = parts.flatMap((part) =>
    Object.entries(part).flatMap(([field, words]) =>
      compare(`${field} of ${part.title}`, find(part.title)?.[field as keyof typeof part], words),
    ),
  );
  switch (kind) {
    case "note":
      return compare(`the note of ${title}`, find(title)?.notes.at(-1)?.text, text);
    case "focus":
      return compare("the focus", after.focus, find(title)?.id);
    default:
      return worded;
  }
}

/** A reply speaks of the stored changes, and of no other. */
function judgeClaims({ before, after, reply }: PlayedMessage): string[] {
  const stored = listNewChanges(before, after).map((change) =>
    describeStored(change, { before, after }),
  );
  return compare("claims", joinByKind(readClaims(reply, after)), joinByKind(stored));
}

/** The steps that a reply names as resting on what changed are those that the plan's relations lead to. */
function judgeAffected(
  { before, after, reply }: PlayedMessage,
  sources: AffectedSources,
): string[] {
  const named = [...listAffected(reply).matchAll(STEP)];
  const isChanged = after.version > before.version;
  const misnumbered = named.filter(
    ([, number, title]) => after.steps[Number(number) - 1]?.title !== title,
  );
  return [
    ...compare("wrong numbers", misnumbered, []),
    ...compare(
      "named as resting on it",
      new Set(named.map(([, , title]) => title)),
      new Set(isChanged ? listResting(sources).flat() : []),
    ),
  ];
}

/** The steps written down as resting on the last message's changes are the nearest, as far as relations say so. */
function judgeRested({ meaning, rested }: PlanWish, plan: WishedPlan): string[] {
  const [meant = [], before] = [meaning.at(-1), meaning.slice(0, -1).flat()];
  const [nearest = []] = listResting({ meant, before, plan });
  const related = plan.steps.filter(({ restsOn }) => restsOn.length > 0);
  const known = new Set(related.map(({ title }) => title));
  return compare(
    "resting",
    nearest,
    rested.filter((title) => known.has(title)),
  );
}

interface AffectedSources {
  readonly meant: readonly MeantChange[];
  /** The meaning of the messages before it. */
  readonly before: readonly MeantChange[];
  readonly plan: WishedPlan;
}

/** Lists the titles of what rests on the changes, nearest first, level by level, from the plan as it was written down. */
function listResting({ meant, before, plan }: AffectedSources): readonly (readonly string[])[] {
  const sources = meant.flatMap((change) => listSources(change, before));
  const seen = new Set(sources);
  const levels: string[][] = [];
  for (let last: readonly string[] = sources; last.length > 0; last = levels.at(-1) ?? []) {
    const level = plan.steps
      .filter(
        ({ title, restsOn }) => !seen.has(title) && restsOn.some((name) => last.includes(name)),
      )
      .map(({ title }) => title);
    for (const title of level) seen.add(title);
    levels.push(level);
  }
  return levels;
}

function listSources(change: MeantChange, before: readonly MeantChange[]): string[] {
  const { kind, step, decision } = change;
  switch (kind) {
    case "remove":
    case "replace":
    case "split":
    case "open":
    case "skip":
    case "decide":
      return [step ?? decision ?? ""];
    case "undo":
      return before.slice(-1).flatMap((undone) => listSources(undone, []));
    case "add":
    case "move":
    case "done":
    case "note":
    case "focus":
      return [];
    default:
      return kind satisfies never;
  }
}

function listNewChanges(before: JourneyPlan, after: JourneyPlan): readonly PlanChange[] {
  return after.changes.filter(({ version }) => version > before.version);
}

/** A change as it is spoken of or stored: its kind, and all that is named of it. */
interface ClaimedChange {
  readonly kind: string;
  readonly names: readonly string[];
}

/** Changes of one kind share a sentence. */
function joinByKind(changes: readonly ClaimedChange[]): Readonly<Record<string, unknown>> {
  const groups = Map.groupBy(changes, ({ kind }) => kind);
  return Object.fromEntries(
    [...groups].map(([kind, group]) => [kind, new Set(group.flatMap(({ names }) => names))]),
  );
}

const STEP = /(\d+) \(“([^”]+)”\)/gu;
const NOT_DONE = /Not done, “[^”]*”: [^.]+\.\s*/gu;
const RESTING = /(?:Steps? )?\d[^.]* rest[^.]*\.\s*/gu;
const BEFORE = /Before, it was: [^.]+\.\s*/gu;
/** Words of a concierge that speak of no change. */
const NO_CHANGE = /What shall I do instead\?|Which step do you mean\?|I see\./u;
/** Code's sentences on a change. */
const CLAIMS = {
  add: /Added to the plan: ([^.]+)\.\s*/gu,
  remove: /Removed from the plan: ([^.]+)\.\s*/gu,
  replace: /Worded anew: ([^.]+)\.\s*/gu,
  move: /Moved: ([^.]+)\.\s*/gu,
  focus: /In hand now: ([^.]+)\.\s*/gu,
  done: /Done: ([^.]+)\.\s*/gu,
  open: /Open again: ([^.]+)\.\s*/gu,
  skipped: /Skipped: ([^.]+)\.\s*/gu,
  split: /(“[^”]+” is now [^.]+)\.\s*/gu,
  annotate: /Noted at ([^.]+)\.\s*/gu,
  decide: /Decided on (“[^”]+”: [^.]+)\.\s*/gu,
  undo: /Taken back: ([^.]+)\.\s*/gu,
} as const;

/** The sentences of a reply that name what rests on changes. */
function listAffected(reply: string): string {
  return [...reply.replaceAll(NOT_DONE, "").matchAll(RESTING)].map(([text]) => text).join("");
}

function readClaims(reply: string, after: JourneyPlan): ClaimedChange[] {
  const news = reply.replaceAll(NOT_DONE, "").replaceAll(RESTING, "");
  let rest = news.replaceAll(BEFORE, "").replace(NO_CHANGE, "");
  const claims: ClaimedChange[] = [];
  for (const [kind, form] of Object.entries(CLAIMS)) {
    claims.push(
      ...[...rest.matchAll(form)].map(([, text = ""]) => ({ kind, names: readNames(text, after) })),
    );
    rest = rest.replaceAll(form, "");
  }
  return rest.trim() === "" ? claims : [...claims, { kind: "not known", names: [rest] }];
}

/** The titles, questions, notes and choices in a sentence; numbers that are wrong stand with their titles. */
function readNames(text: string, after: JourneyPlan): readonly string[] {
  const numbers = new Map([...text.matchAll(STEP)].map(([, number, title]) => [title, number]));
  const quoted = [...text.matchAll(/“([^”]+)”/gu)].map(([, name = ""]) => {
    const number = numbers.get(name);
    return number === undefined || after.steps[Number(number) - 1]?.title === name
      ? name
      : `${name} is not step ${number}`;
  });
  const choice = /”: ([^“]+)$/u.exec(text)?.[1];
  return choice === undefined ? quoted : [...quoted, choice];
}

/** Both plans of a message. */
type Plans = Pick<PlayedMessage, "before" | "after">;

function describeStored({ kind, targets }: PlanChange, { before, after }: Plans): ClaimedChange {
  const [target = ""] = targets;
  const now = after.steps.find(({ id }) => id === target);
  const decision = after.decisions.find(({ id }) => id === target);
  const names = targets.map((id) => findName(id, [after, before]));
  switch (kind) {
    case "mark":
      return { kind: now?.mark ?? "", names };
    case "annotate":
      return { kind, names: [...names, now?.notes.at(-1)?.text ?? ""] };
    case "decide":
      return { kind, names: [...names, decision?.chosen ?? ""] };
    case "add":
    case "remove":
    case "replace":
    case "move":
    case "split":
    case "focus":
    case "undo":
      return { kind, names };
    default:
      return kind satisfies never;
  }
}

function findName(id: string, plans: readonly JourneyPlan[]): string {
  for (const { steps, decisions } of plans) {
    const step = steps.find((each) => each.id === id);
    const decision = decisions.find((each) => each.id === id);
    if (step !== undefined || decision !== undefined) {
      return step?.title ?? decision?.question ?? "";
    }
  }
  return id;
}

function compare(name: string, found: unknown, wanted: unknown): string[] {
  return isDeepStrictEqual(found, wanted)
    ? []
    : [`${name}: ${inspect(found)}, not ${inspect(wanted)}`];
}
