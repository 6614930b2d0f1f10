import type { Constraint, WishChange, WishDifference } from "../state/constraint.ts";
import { oneLine } from "../text/fence.ts";
import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import type { UnderstandAnswer } from "../state/understanding.ts";
import { joinLines } from "./fit-lines.ts";
import { sharesWord } from "./shared-words.ts";
import { clip, fitLongest } from "./shorten.ts";

type ConstraintUpdate = UnderstandAnswer["constraints"][number];

/** Joins the texts of wishes that share a line; no text holds it itself. */
const JOINT = "; ";
const NOTICE_CHARACTERS = 80;

export interface MergeConstraintsOptions {
  readonly turn: number;
  readonly today: string;
  readonly limits: Pick<Limits, "constraints">;
}

/**
 * Merges a turn's constraints into the earlier ones and returns notices of important changes.
 *
 * A repeated constraint is not added again (texts are compared without case, punctuation and
 * spacing); the repetition updates its end and count and can make a wish a rule, never a
 * rule a wish. `replaces` removes the constraint it names; without a text of its own the update only
 * forgets it. What ended before `today` is removed.
 * Over the limit the two oldest wishes of the conversation share a line, texts kept whole; lasting
 * ones and rules never do.
 *
 * Contract: a hard constraint leaves only when its own end has passed or when it is replaced or forgotten by
 * name, with a notice either way; the same answer twice changes nothing more.
 */
export function mergeConstraints(
  constraints: readonly Constraint[],
  answer: readonly ConstraintUpdate[],
  options: MergeConstraintsOptions,
): { constraints: Constraint[]; notices: string[] } {
  const { today, turn, limits } = options;
  const given = answer.map(fitForLines);
  const updates = onceEach(given.filter(({ text }) => text !== ""));
  const newTexts = new Set(updates.map(({ text }) => normalised(text)));
  const forgotten = given
    .flatMap(({ text, replaces }) => (text === "" ? (replaces ?? []) : []))
    .filter((text) => !newTexts.has(normalised(text)));
  const over = updates.filter((one) => hasEnded(one, today));
  const holding = updates.filter((one) => !hasEnded(one, today));
  const held = constraints.filter((one) => !hasEnded(one, today));
  const before = [...over.map(({ text }) => text), ...forgotten].reduce(without, held);
  const replaced = replacedBy(holding, before);
  const kept = replaced.reduce((current, { by }) => replacing(current, { by, turn }), before);
  // Rules first: they leave shared lines, and what then stands alone can be brought up to date.
  const merged = [...holding.filter(isRule), ...holding.filter((one) => !isRule(one))].reduce(
    (current, one) => added(current, toConstraint(one, turn)),
    kept,
  );
  const ended = [...constraints.filter((one) => hasEnded(one, today)), ...over];
  return {
    constraints: withinLimit(merged, limits.constraints),
    notices: [
      ...replaced.filter(({ old }) => isRule(old)).map(replacedNotice),
      ...ended.map((one) => `"${short(one.text)}" has ended (${one.until})`),
      ...forgotten
        .filter((text) => findPlace(held, text) !== null)
        .map((text) => `"${short(text)}" is forgotten`),
    ],
  };
}

/**
 * Puts the person's lasting wishes, as they are stored now, in the place of those that the conversation
 * knew: another conversation may have changed them. What holds in both is lasting. Pure.
 */
export function withLastingWishes(
  constraints: readonly Constraint[],
  lasting: readonly Constraint[],
): Constraint[] {
  const own = constraints.filter(({ scope }) => scope === "conversation");
  return [...lasting, ...lasting.reduce((rest, { text }) => without(rest, text), own)];
}

/** Lists how lasting wishes differ after a turn: those that are new or changed, and those that no longer hold. Pure. */
export function listWishChanges(
  before: readonly Constraint[],
  after: readonly Constraint[],
): WishChange[] {
  const old = before.filter(isLasting);
  const now = after.filter(isLasting);
  const texts = new Set(now.map(({ text }) => text));
  const known = new Set(old.map((wish) => JSON.stringify(wish)));
  return [
    ...old.filter(({ text }) => !texts.has(text)).map((wish) => ({ wish, isWithdrawn: true })),
    ...now
      .filter((wish) => !known.has(JSON.stringify(wish)))
      .map((wish) => ({ wish, isWithdrawn: false })),
  ];
}

/** Returns the lines in which wishes differ; null where none does. Pure. */
export function compareWishes(
  before: readonly Constraint[],
  after: readonly Constraint[],
): WishDifference | null {
  const [old, now] = [before, after].map((list) => new Set(list.map((one) => JSON.stringify(one))));
  const gone = before.filter((one) => now?.has(JSON.stringify(one)) !== true);
  const added = after.filter((one) => old?.has(JSON.stringify(one)) !== true);
  return gone.length + added.length === 0 ? null : { before: gone, after: added };
}

/** Returns the wishes without what a turn has changed in them: what it noted goes, what it took away is back. Pure. */
export function takeBackWishes(
  constraints: readonly Constraint[],
  { before, after }: WishDifference,
): Constraint[] {
  const rest = after.flatMap(splitTexts).reduce(without, [...constraints]);
  return [...rest, ...before.filter(({ text }) => findPlace(rest, text) === null)];
}

/** Lists the texts of wishes, those that share a line one by one. Pure. */
export function listWishTexts(constraints: readonly Constraint[]): string[] {
  return constraints.flatMap(splitTexts);
}

/** Returns true for texts that differ in case, spacing and punctuation at most. */
export function nameSameWish(one: string, other: string): boolean {
  return normalised(one) === normalised(other);
}

export interface RenderConstraintsOptions {
  /** Tokens of all lines together, as far as rules leave them. */
  readonly budget: number;
  /** Tokens of the rules. */
  readonly ruleBudget: number;
  /** The message that is answered: rules that have a word of it come first. */
  readonly message: string;
  readonly countTokens: CountTokens;
}

/**
 * Renders the constraints as lines of a prompt: rules first, then wishes.
 *
 * Contract: every rule is shown as far as its budget goes, those that touch the message first, then the
 * newest; when a budget cannot hold all, the number of the others is given.
 */
export function renderConstraints(
  constraints: readonly Constraint[],
  options: RenderConstraintsOptions,
): string {
  const hard = renderRules(constraints.filter(isRule), options);
  const soft = constraints.filter((one) => !isRule(one)).map(renderConstraint);
  for (let hidden = 0; hidden < soft.length; hidden += 1) {
    const text = textWith(hard, soft, hidden);
    if (options.countTokens(text) <= options.budget) return text;
  }
  return textWith(hard, soft, soft.length);
}

/** The lines of the rules in their order, and the number of those for which there is no room. */
function renderRules(
  rules: readonly Constraint[],
  { ruleBudget, message, countTokens }: RenderConstraintsOptions,
): string[] {
  const all = rules.map(renderConstraint);
  if (countTokens(joinLines(all)) <= ruleBudget) return all;
  const order = [...rules.keys()].toSorted((a, b) => {
    const [one, other] = [a, b].map((at) => sharesWord(rules[at]?.text ?? "", message));
    return Number(other) - Number(one) || b - a;
  });
  const render = (count: number): string[] => {
    const kept = new Set(order.slice(0, count));
    const hidden = rules.length - count;
    const more = `+ ${hidden} older ${hidden === 1 ? "rule" : "rules"}`;
    return [...all.filter((_, at) => kept.has(at)), more];
  };
  const most = fitLongest(rules.length - 1, (count) => joinLines(render(count)), {
    tokens: ruleBudget,
    countTokens,
  });
  return render(most?.size ?? 0);
}

function textWith(hard: readonly string[], soft: readonly string[], hidden: number): string {
  const more = hidden === 0 ? "" : `+ ${hidden} older ${hidden === 1 ? "wish" : "wishes"}`;
  return joinLines([...hard, ...soft.slice(hidden), more]);
}

function renderConstraint(constraint: Constraint): string {
  const { text, kind, count, until, scope } = constraint;
  const notes = [
    ...(kind === "hard" ? ["must hold"] : []),
    ...(count === null || namesNumber(text, count) ? [] : [`${count}`]),
    ...(until === null ? [] : [`until ${until}`]),
    ...(scope === "person" ? ["in every conversation"] : []),
  ];
  return `- ${oneLine(text)}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`;
}

/** The position of a text: alone, or as one of the texts that share a line. */
interface Place {
  readonly index: number;
  readonly line: Constraint;
  readonly alone: boolean;
}

/** An earlier constraint and what takes its place. */
interface Replacement {
  readonly old: Constraint;
  readonly by: ConstraintUpdate;
}

function fitForLines(updates: ConstraintUpdate): ConstraintUpdate {
  return { ...updates, text: oneLine(updates.text).replaceAll(JOINT, ", ") };
}

/** Merges repetitions of a text: the last one counts, and a rule overrides a wish. */
function onceEach(updates: readonly ConstraintUpdate[]): ConstraintUpdate[] {
  const kinds = Map.groupBy(updates, ({ text }) => normalised(text));
  return [...kinds.values()].flatMap((same) => {
    const last = same.at(-1);
    if (last === undefined) return [];
    const kind = same.some((one) => one.kind === "hard") ? "hard" : last.kind;
    const count = same.findLast((one) => one.count !== null)?.count ?? null;
    return [{ ...last, kind, count }];
  });
}

function toConstraint(update: ConstraintUpdate, turn: number): Constraint {
  const { text, kind, count, until, scope } = update;
  return { text, kind, count, until, scope, turn };
}

function replacedNotice({ old, by }: Replacement): string {
  return `"${short(old.text)}" no longer holds: replaced by "${short(by.text)}"`;
}

/** Finds the earlier constraint that each update replaces. Updates of the same answer never replace one another. */
function replacedBy(
  updates: readonly ConstraintUpdate[],
  constraints: readonly Constraint[],
): Replacement[] {
  const now = new Set(updates.map(({ text }) => normalised(text)));
  return updates.flatMap((by) => {
    if (by.replaces === null || now.has(normalised(by.replaces))) return [];
    const place = findPlace(constraints, by.replaces);
    return place === null ? [] : [{ old: place.line, by }];
  });
}

interface ReplacingOptions {
  readonly by: ConstraintUpdate;
  readonly turn: number;
}

/** Puts the new constraint in the old one's position, unless it is already known. */
function replacing(constraints: readonly Constraint[], options: ReplacingOptions): Constraint[] {
  const fresh = toConstraint(options.by, options.turn);
  const name = options.by.replaces ?? "";
  const place = findPlace(constraints, name);
  const rest = without(constraints, name);
  const known = findPlace(constraints, fresh.text) !== null;
  return place === null || known ? rest : rest.toSpliced(place.index, 0, fresh);
}

/** A repetition keeps its place, its words and its turn; in a shared line it only lengthens, unless it becomes a rule of its own. */
function added(constraints: readonly Constraint[], fresh: Constraint): Constraint[] {
  const place = findPlace(constraints, fresh.text);
  if (place === null) return [...constraints, fresh];
  const { line: old } = place;
  if (place.alone) {
    const kind = old.kind === "hard" ? "hard" : fresh.kind;
    const count = fresh.count ?? old.count;
    // What was given for good once holds for good.
    const scope = old.scope === "person" ? old.scope : fresh.scope;
    return constraints.with(place.index, { ...old, kind, count, scope, until: fresh.until });
  }
  if (fresh.kind === "hard" || fresh.scope === "person") {
    return [...without(constraints, fresh.text), fresh];
  }
  return constraints.with(place.index, { ...old, until: laterEnd(old, fresh) });
}

/** Takes the text out wherever it stands. */
function without(constraints: readonly Constraint[], text: string): Constraint[] {
  const wanted = normalised(text);
  return constraints.flatMap((one) => {
    const parts = splitTexts(one).filter((part) => normalised(part) !== wanted);
    return parts.length === 0 ? [] : [{ ...one, text: parts.join(JOINT) }];
  });
}

/** Finds the line of a text: no two hold it. */
function findPlace(constraints: readonly Constraint[], text: string): Place | null {
  const wanted = normalised(text);
  const index = constraints.findIndex((one) =>
    splitTexts(one).some((part) => normalised(part) === wanted),
  );
  const line = constraints[index];
  return line === undefined ? null : { index, line, alone: splitTexts(line).length === 1 };
}

function splitTexts(constraint: Constraint): string[] {
  return constraint.text.split(JOINT);
}

/** Case, spacing, punctuation and the notes that a shared line adds do not tell texts apart. */
function normalised(text: string): string {
  const bare = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(\s*\((until )?[\d-]+\))+$/u, "")
    .trim();
  const words = bare.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim();
  return words === "" ? bare : words;
}

function namesNumber(text: string, count: number): boolean {
  return text.split(/\D+/).includes(`${count}`);
}

function isLasting({ scope }: Constraint): boolean {
  return scope === "person";
}

function isRule(constraint: Pick<Constraint, "kind">): boolean {
  return constraint.kind === "hard";
}

function hasEnded(constraint: Pick<Constraint, "until">, today: string): boolean {
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
    .filter((one) => one.kind === "soft" && one.scope === "conversation")
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
  return {
    text: [first, second].map((one) => describeWish(one, same)).join(JOINT),
    kind: "soft",
    count: null,
    until: laterEnd(first, second),
    scope: "conversation",
    turn: first.turn,
  };
}

function laterEnd(first: Constraint, second: Constraint): string | null {
  if (first.until === null || second.until === null) return null;
  return first.until > second.until ? first.until : second.until;
}

function describeWish(constraint: Constraint, sameEnd: boolean): string {
  const { text, count, until } = constraint;
  const number = count === null || namesNumber(text, count) ? "" : ` (${count})`;
  return `${text}${number}${sameEnd || until === null ? "" : ` (until ${until})`}`;
}
