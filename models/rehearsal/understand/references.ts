import { PATTERNS } from "../language/patterns.ts";
import { isUndo } from "../language/read-changes.ts";
import { meansIngredients } from "../language/read-plans.ts";
import { mentionsIn, thingsOf } from "../language/vocabulary.ts";
import type { Wish } from "../language/wish.ts";
import { stems } from "../language/words.ts";
import { belongsTo, kindOf, type Thing } from "../prompt/read-entities.ts";
import { numberedReferences, ordinalReferences } from "./ordinals.ts";
import { draftsIn, latestOf, type Pointable } from "./pointable.ts";

/** What of a message means which thing. */
export interface Reference {
  readonly text: string;
  readonly ref: string;
  readonly how: "exact" | "inferred" | "ordinal" | "pronoun";
}

/** What the wishes of a message point at; `choices` is the part of the data that is chosen among. */
export function referencesOf(
  wishes: readonly Wish[],
  pointable: Pointable,
  choices: string,
): Reference[] {
  // "Draft a soup and save it" means the soup that is still to be drafted.
  const drafts = wishes.some(({ kind }) => kind === "draft" || kind === "fill");
  const all = wishes
    .filter(({ kind }) => !(drafts && kind === "save"))
    .flatMap((wish) => referencesOfWish(wish, pointable, choices));
  return all.filter(({ ref }, index) => all.findIndex((other) => other.ref === ref) === index);
}

function referencesOfWish(wish: Wish, pointable: Pointable, choices: string): Reference[] {
  const { things } = pointable;
  const options = thingsOf(choices, things);
  switch (wish.kind) {
    case "save":
      return savedReferences(wish.phrase, pointable);
    case "yes":
      return meant("it", draftsIn(latestOf(pointable, isDraft)));
    case "change":
      return changedReferences(wish.phrase, pointable);
    case "collect":
      return meansIngredients(wish.phrase)
        ? theOnlyOption(options, pointable)
        : chosenReferences(wish.phrase, options, pointable);
    case "schedule":
    case "why":
      return chosenReferences(wish.phrase, options, pointable);
    case "show":
      return chosenReferences(wish.phrase, [...draftsIn(things), ...options], pointable);
    case "move":
      return named(wish.phrase, pointable, pointable.planned);
    case "finish":
      return named(
        wish.phrase,
        pointable,
        wish.part === null ? things : thingsOf(wish.part, things),
      );
    case "remove":
      return removedReferences(wish, pointable, choices);
    default:
      return [];
  }
}

/** By number in what was listed, by name, else what was spoken of last. */
export function chosenReferences(
  phrase: string,
  candidates: readonly Thing[],
  pointable: Pointable,
): Reference[] {
  const kinds = new Set(candidates.map(({ ref }) => kindOf(ref)));
  const listed = pointable.listed.filter((ref) => kinds.size === 0 || kinds.has(kindOf(ref)));
  const byNumber = ordinalReferences(phrase, listed);
  if (byNumber.length > 0 || PATTERNS.number.test(phrase)) return byNumber;
  const byName = named(phrase, pointable, candidates);
  if (byName.length > 0) return byName;
  if (!/\b(?:it|that|this|them|those|these|they)\b/.test(phrase)) return [];
  const known = new Set(candidates);
  const latest = latestOf(pointable, () => true).filter((thing) => known.has(thing));
  const several = /\b(?:them|those|these|they)\b/.test(phrase);
  return meant("it", several ? latest : latest.slice(0, 1));
}

/** The one option that was spoken of last; none where there were several. */
function theOnlyOption(options: readonly Thing[], pointable: Pointable): Reference[] {
  const known = new Set(options);
  const latest = latestOf(pointable, (thing) => known.has(thing));
  return latest.length === 1 ? meant("it", latest) : [];
}

/** Things by their label; a whole label stands before parts of one. */
function named(phrase: string, { pale }: Pointable, candidates: readonly Thing[]): Reference[] {
  return mentionsIn(phrase, candidates, pale).map(({ thing, by }) => ({
    text: thing.label,
    ref: thing.ref,
    how: by === "whole" ? "exact" : "inferred",
  }));
}

/** Things that a word such as "it" means. */
function meant(text: string, things: readonly Thing[]): Reference[] {
  return things.map(({ ref }) => ({ text, ref, how: "pronoun" }));
}

function isDraft({ draft }: Thing): boolean {
  return draft;
}

const MISSING =
  /\b(?:missing|failed|did not (?:work|save)|went wrong|other|rest|remaining|left|again|retry)\b/;

/** Drafts by number, by name, or of the last turn that was about drafts. */
function savedReferences(phrase: string, pointable: Pointable): Reference[] {
  const { things, listed } = pointable;
  const drafts = draftsIn(things);
  const recent = latestOf(pointable, isDraft);
  if (MISSING.test(phrase) && recent.length > 0) return meant("the missing one", recent);
  const refs = new Set(drafts.map(({ ref }) => ref));
  const byNumber = numberedReferences(
    phrase,
    listed.filter((ref) => refs.has(ref)),
  );
  if (byNumber.length > 0) return byNumber;
  const byName = named(phrase, pointable, drafts);
  if (byName.length > 0) return byName;
  return recent.length > 0 ? meant("it", recent) : savedAlready(phrase, pointable);
}

/** What is saved already is named all the same: the planner knows what to say. */
function savedAlready(phrase: string, pointable: Pointable): Reference[] {
  const once = pointable.things.filter(({ ref }) => ref.startsWith("gen_"));
  const byName = named(phrase, pointable, once);
  if (byName.length > 0) return byName;
  const known = new Set(once);
  return meant("it", latestOf(pointable, (thing) => known.has(thing)).slice(0, 1));
}

/** What began as a draft, by name, else the draft that the conversation is about. */
function changedReferences(phrase: string, pointable: Pointable): Reference[] {
  const began = pointable.things.filter(({ ref }) => ref.startsWith("gen_"));
  const [byName] = named(phrase, pointable, began);
  if (byName !== undefined) return [byName];
  const known = new Set(began);
  return meant("it", latestOf(pointable, (thing) => known.has(thing)).slice(0, 1));
}

/** "Those eggs" are the ones of the last turns; "the milk" is looked for by name. */
function removedReferences(
  wish: Extract<Wish, { readonly kind: "remove" }>,
  pointable: Pointable,
  choices: string,
): Reference[] {
  const { phrase, part } = wish;
  const ofPart = pointable.things.filter(({ ref }) => part === null || belongsTo(ref, part));
  const asksForChoice = pointable.namesChoice(phrase) || part === choices;
  const candidates = asksForChoice ? ofPart : ofPart.filter(({ ref }) => !belongsTo(ref, choices));
  if (PATTERNS.number.test(phrase)) return numberedReferences(phrase, pointable.listed);
  if (isUndo(phrase)) return meant("it", createdThings(pointable));
  if (!/\b(?:it|that|those|them|these|this|again|undo|back|ones?)\b/.test(phrase)) {
    return removedByName(phrase, pointable, candidates);
  }
  const spokenOf = new Set(pointable.recent.flat());
  const near = mentionsIn(
    phrase,
    candidates.filter(({ ref }) => spokenOf.has(ref)),
    pointable.pale,
  ).map(({ thing }) => thing);
  const created = new Set(pointable.created);
  const own = near.filter(({ ref }) => created.has(ref));
  if (near.length > 0) return meant("those", own.length > 0 ? own : near);
  const latest = spokenOfLast(pointable);
  if (/\b(?:those|them|these|both|all)\b/.test(phrase)) {
    const named = part !== null || latest.every(({ ref, draft }) => draft || created.has(ref));
    return named || latest.length === 1 ? meant("it", latest) : [];
  }
  return latest.length === 1 ? meant("it", latest) : [];
}

/** What the last turn that was about anything created; else all that it was about. */
function spokenOfLast(pointable: Pointable): Thing[] {
  const latest = latestOf(pointable, () => true);
  const created = new Set(pointable.created);
  const own = latest.filter(({ ref }) => created.has(ref));
  if (own.length > 0) return own;
  const drafts = draftsIn(latest);
  return drafts.length > 0 ? drafts : latest;
}

function createdThings({ things, created }: Pointable): Thing[] {
  return things.filter(({ ref }) => created.includes(ref));
}

/** "Chickpea curry" is one name, though nothing that is known has it: neither chickpeas nor curry powder. */
function isPartOfName(phrase: string, label: string, { worldThings }: Pointable): boolean {
  const words = stems(phrase);
  const own = new Set(stems(label));
  const others = new Set(worldThings(phrase).flatMap(stems));
  const joins = (word: string | undefined): boolean =>
    word !== undefined && others.has(word) && !own.has(word);
  return words.some((word, at) => own.has(word) && (joins(words[at - 1]) || joins(words[at + 1])));
}

/** A whole name stands before a part of one, and what is on the named day before everything else. */
function removedByName(
  phrase: string,
  pointable: Pointable,
  candidates: readonly Thing[],
): Reference[] {
  // "The chickpea curry" does not mean the chickpeas: the longest name that fits counts.
  const meantThings = new Set(named(phrase, pointable, pointable.things).map(({ ref }) => ref));
  const byName = named(phrase, pointable, candidates).filter(
    ({ ref, text }) => meantThings.has(ref) && !isPartOfName(phrase, text, pointable),
  );
  const day = /\b(mon|tue|wed|thu|fri|sat|sun)\w*day\b/.exec(phrase)?.[1];
  const onDay = byName.filter(({ text }) => day !== undefined && stems(text).includes(day));
  if (onDay.length > 0) return onDay;
  const exact = byName.filter(({ how }) => how === "exact");
  return exact.length > 0 ? exact : byName;
}
