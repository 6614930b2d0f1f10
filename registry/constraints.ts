import type { Constraint } from "../state/constraint.ts";
import { oneLine } from "../state/fence.ts";
import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { joinLines } from "./fit-lines.ts";
import { clip } from "./shorten.ts";

type Said = UnderstandAnswer["constraints"][number];

/** Joins the texts of wishes that share a line. */
const JOINT = "; ";
const NOTICE_CHARACTERS = 80;

/**
 * The constraints after a turn, and what the person or the trace should know of the change.
 *
 * What was said before is not added again (texts are compared without case, punctuation and
 * spacing); a repetition brings its end and count up to date and can make a wish a rule, never a
 * rule a wish. `replaces` takes the place of the one it names. What ended before `today` leaves.
 * Over the limit the two oldest wishes share a line, texts kept whole.
 *
 * Contract: a hard constraint leaves only when its own end has passed or when it is replaced by
 * name, with a notice either way; the same answer twice changes nothing more.
 */
export function mergeConstraints(
  constraints: readonly Constraint[],
  answer: readonly Said[],
  options: {
    readonly turn: number;
    readonly today: string;
    readonly limits: Pick<Limits, "constraints">;
  },
): { constraints: Constraint[]; notices: string[] } {
  const notices: string[] = [];
  let merged = [...constraints];
  for (const said of answer) {
    const step = withSaid(merged, said, options.turn);
    merged = step.constraints;
    notices.push(...step.notices);
  }
  const ended = merged.filter((one) => hasEnded(one, options.today));
  const holding = merged.filter((one) => !hasEnded(one, options.today));
  return {
    constraints: withinLimit(holding, options.limits.constraints),
    notices: [...notices, ...ended.map((one) => `"${short(one.text)}" has ended (${one.until})`)],
  };
}

/**
 * The constraints as lines of a prompt: rules first, then wishes.
 *
 * Contract: every rule is shown; where the budget does not hold all wishes, the oldest are left out
 * and their number is said.
 */
export function renderConstraints(
  constraints: readonly Constraint[],
  options: { readonly budget: number; readonly countTokens: CountTokens },
): string {
  const hard = constraints.filter((one) => one.kind === "hard").map(lineOf);
  const soft = constraints.filter((one) => one.kind === "soft").map(lineOf);
  for (let hidden = 0; hidden < soft.length; hidden += 1) {
    const text = textWith(hard, soft, hidden);
    if (options.countTokens(text) <= options.budget) return text;
  }
  return textWith(hard, soft, soft.length);
}

function textWith(hard: readonly string[], soft: readonly string[], hidden: number): string {
  const more = hidden === 0 ? "" : `+ ${hidden} older ${hidden === 1 ? "wish" : "wishes"}`;
  return joinLines([...hard, ...soft.slice(hidden), more]);
}

function lineOf(constraint: Constraint): string {
  const { text, kind, count, until } = constraint;
  const notes = [
    ...(kind === "hard" ? ["must hold"] : []),
    ...(count === null || namesNumber(text, count) ? [] : [`${count}`]),
    ...(until === null ? [] : [`until ${until}`]),
  ];
  return `- ${oneLine(text)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

/** Where a text stands: as a whole constraint, or as one of the texts that share a line. */
interface Place {
  readonly index: number;
  readonly whole: boolean;
}

function withSaid(
  constraints: readonly Constraint[],
  said: Said,
  turn: number,
): { constraints: Constraint[]; notices: string[] } {
  const { replaces, ...rest } = said;
  const fresh: Constraint = { ...rest, text: oneLine(said.text), turn };
  if (fresh.text === "") return { constraints: [...constraints], notices: [] };
  const replaced = replaces === null ? null : placeOf(constraints, replaces);
  const old = constraints[replaced?.index ?? -1];
  if (replaces === null || old === undefined || normalised(replaces) === normalised(fresh.text)) {
    return { constraints: added(constraints, fresh), notices: [] };
  }
  const notice = `"${short(replaces)}" no longer holds: replaced by "${short(fresh.text)}"`;
  return {
    constraints: replacing(constraints, fresh, replaces),
    notices: old.kind === "hard" ? [notice] : [],
  };
}

/** A repetition keeps its place, its words and its turn; a wish that becomes a rule leaves a shared line. */
function added(constraints: readonly Constraint[], fresh: Constraint): Constraint[] {
  const place = placeOf(constraints, fresh.text);
  const old = constraints[place?.index ?? -1];
  if (place === null || old === undefined) return [...constraints, fresh];
  if (place.whole) {
    const kind = old.kind === "hard" ? "hard" : fresh.kind;
    const count = fresh.count ?? old.count;
    return constraints.with(place.index, { ...old, kind, count, until: fresh.until });
  }
  if (old.kind === "hard" || fresh.kind === "soft") return [...constraints];
  return [...without(constraints, fresh.text), fresh];
}

/** The new one stands where the old one stood, unless it is known already. */
function replacing(
  constraints: readonly Constraint[],
  fresh: Constraint,
  name: string,
): Constraint[] {
  if (placeOf(constraints, fresh.text) !== null) return added(without(constraints, name), fresh);
  const index = placeOf(constraints, name)?.index ?? constraints.length;
  const rest = without(constraints, name);
  return rest.toSpliced(index, 0, fresh);
}

function without(constraints: readonly Constraint[], text: string): Constraint[] {
  const place = placeOf(constraints, text);
  const old = constraints[place?.index ?? -1];
  if (place === null || old === undefined) return [...constraints];
  const parts = partsOf(old).filter((part) => normalised(part) !== normalised(text));
  if (place.whole || parts.length === 0) return constraints.toSpliced(place.index, 1);
  return constraints.with(place.index, { ...old, text: parts.join(JOINT) });
}

function placeOf(constraints: readonly Constraint[], text: string): Place | null {
  const wanted = normalised(text);
  const whole = constraints.findIndex((one) => normalised(one.text) === wanted);
  if (whole !== -1) return { index: whole, whole: true };
  const index = constraints.findIndex((one) =>
    partsOf(one).some((part) => normalised(part) === wanted),
  );
  return index === -1 ? null : { index, whole: false };
}

function partsOf(constraint: Constraint): string[] {
  return constraint.text.split(JOINT);
}

/** Case, spacing, punctuation and the notes that a shared line adds do not tell texts apart. */
function normalised(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(\s*\((until )?[\d-]+\))+$/u, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  return words === "" ? text.trim() : words;
}

function namesNumber(text: string, count: number): boolean {
  return text.split(/\D+/).includes(`${count}`);
}

function hasEnded(constraint: Constraint, today: string): boolean {
  return constraint.until !== null && constraint.until < today;
}

function short(text: string): string {
  return clip(oneLine(text), NOTICE_CHARACTERS);
}

function withinLimit(constraints: readonly Constraint[], limit: number): Constraint[] {
  let merged = [...constraints];
  while (merged.length > limit) {
    const pair = oldestWishes(merged);
    if (pair === null) return merged;
    const [first, second] = pair;
    const joint = joined(first, second);
    merged = merged.flatMap((one) => (one === first ? [joint] : one === second ? [] : [one]));
  }
  return merged;
}

/** The two oldest wishes with the same end; where there are none, the two oldest. */
function oldestWishes(constraints: readonly Constraint[]): [Constraint, Constraint] | null {
  const wishes = constraints
    .filter((one) => one.kind === "soft")
    .toSorted((a, b) => a.turn - b.turn);
  const first = wishes.find((one, index) =>
    wishes.some((other, place) => place > index && other.until === one.until),
  );
  const second = wishes.find((other) => other !== first && other.until === first?.until);
  if (first !== undefined && second !== undefined) return [first, second];
  const [oldest, next] = wishes;
  return oldest === undefined || next === undefined ? null : [oldest, next];
}

/** Ends that differ go into the words, and the line holds as long as its longest part. */
function joined(first: Constraint, second: Constraint): Constraint {
  const same = first.until === second.until;
  const until =
    first.until === null || second.until === null
      ? null
      : first.until > second.until
        ? first.until
        : second.until;
  return {
    text: [first, second].map((one) => wordsOf(one, same)).join(JOINT),
    kind: "soft",
    count: null,
    until,
    turn: first.turn,
  };
}

function wordsOf(constraint: Constraint, sameEnd: boolean): string {
  const { text, count, until } = constraint;
  const number = count === null || namesNumber(text, count) ? "" : ` (${count})`;
  return `${text}${number}${sameEnd || until === null ? "" : ` (until ${until})`}`;
}
