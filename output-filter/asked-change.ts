import { CHANGE_FIELDS, type ChangeEnd } from "../text/change-words.ts";
import { endsAsQuestion } from "../text/ends-as-question.ts";
import { foldWords } from "../text/fold-words.ts";
import { splitClauses, splitSentences } from "../text/split-sentences.ts";
import type { WordFields } from "../text/word-fields.ts";

const LANGUAGES = [...CHANGE_FIELDS.values()];

/** Facts about a change that was asked for, beside the words of the reply. */
export interface AskedChange {
  /** The end that the message orders; null where it was read as a change and orders none in known words. */
  readonly end: ChangeEnd | null;
  /** Lists words of the message, of the labels of known rows and of their days: read only where a form claims. */
  readonly readNames: () => string;
  /** The words for types. */
  readonly types: string;
  /** Returns true where a known row has all of some words, and is there or gone. */
  readonly holds: (words: readonly string[], end: ChangeEnd) => boolean;
  /** Returns true where the newest change of an earlier turn to what has the words had that end. */
  readonly wasDone: (words: readonly string[], end: ChangeEnd) => boolean;
  /** Returns true where the turn has changed a row that some of the words name; null where it has changed none. */
  readonly touches: ((words: readonly string[]) => boolean) | null;
  /** Returns true where words have the whole name, or the code, of a known row that is there; beside a change of the turn. Default: none is known. */
  readonly namesPresent?: (words: readonly string[]) => boolean;
  /** True for changes of a plan: its steps are no talk. Default: false. */
  readonly isOfPlan?: boolean;
  /** Of a message that asks for no change; null where one was asked for or made. */
  readonly unasked?: UnaskedChange | null;
}

/** Facts by which a change is judged that nobody has asked for. */
export interface UnaskedChange {
  /** True where the message only asks: "it is booked" may answer it. */
  readonly isAnswer: boolean;
  /** Returns true where words have the whole name of a known row, or its code alone. */
  readonly namesRow: (words: readonly string[], by: "name" | "code") => boolean;
  /** Returns true where some words are of the values of a known row that others name, or say that it is gone as it is. */
  readonly bearsOut: (words: readonly string[], end: ChangeEnd) => boolean;
  /** Returns true where an earlier turn made a change of that end to what has the words, whatever became of it. */
  readonly wasEverDone: (words: readonly string[], end: ChangeEnd) => boolean;
}

/** Words for a plan and its steps, among those of what is not stored. */
const PLANNED = new Set(
  "step steps plan schritt schritte paso pasos etape etapes passo passi stap stappen passos".split(
    " ",
  ),
);

/**
 * Returns the end of the change that a message orders, in any language of the table; null for one that
 * only tells, asks or forbids. Pure.
 *
 * @example
 * readOrder("could you delete the coffee?"); // "gone"
 * readOrder("when did I add it?"); // null
 */
export function readOrder(message: string): ChangeEnd | null {
  return findOrder(message)?.end ?? null;
}

/** Returns true for a text that asks somebody to do something, by such words of a language of the table: "could you". Pure. */
export function requestsSomething(text: string): boolean {
  return LANGUAGES.some((language) => language.find(language.split(text), "requests") !== -1);
}

/** Returns true for words by which something is said to be gone, in a language of the table: "cancelled". Pure. */
export function meansGone(text: string): boolean {
  return LANGUAGES.some((language) =>
    language.split(text).every((word) => language.has(word, "done gone")),
  );
}

/** A clause that orders a change. */
interface Order {
  readonly end: ChangeEnd;
  readonly words: readonly string[];
  /** True where it orders something spoken of before, by a word that stands for it: "move everything a day". */
  readonly pointsBack: boolean;
  /** True for one that is not to be carried out: "do not delete it". */
  readonly isForbidden: boolean;
}

/** Finds the first clause of a message that orders a change, in any language of the table. Pure. */
export function findOrder(message: string): Order | null {
  return listOrders(message).find(({ isForbidden }) => !isForbidden) ?? null;
}

/** Returns true for a message that orders changes, or forbids them, in known words, and orders none of that end. Pure. */
export function ordersOtherThan(end: ChangeEnd, message: string): boolean {
  const orders = listOrders(message);
  return orders.length > 0 && orders.every((order) => order.end !== end || order.isForbidden);
}

/** Returns true for a text with a word, in a language of the table, for where something is to be: "throw it on the list". Pure. */
export function namesPlace(text: string): boolean {
  return LANGUAGES.some((language) => language.find(language.split(text), "at there") !== -1);
}

/**
 * Returns true for an order to make or keep something of which every word orders, names nothing or a place,
 * or is known: it leaves nothing open by which something else could be meant. Pure.
 *
 * @example
 * namesAll("please add rice to the list", (word) => word === "rice"); // true
 * namesAll("add rice and whatever goes with it", (word) => word === "rice"); // false
 */
export function namesAll(message: string, isKnown: (word: string) => boolean): boolean {
  const fields = ["orders there", "requests", "lead", "little", "places"];
  const isSpelled = (language: WordFields): boolean => {
    const isName = (word = ""): boolean => isKnown(word) || language.has(word, "places");
    return language.split(message).every((word, at, words) => {
      // "La" is an article before a name, and stands for something else anywhere else.
      const isOpen = language.has(word, "things") && !isName(words[at + 1]);
      return isName(word) || (language.has(word, ...fields) && !isOpen);
    });
  };
  return readOrder(message) === "there" && LANGUAGES.some(isSpelled);
}

/** The orders of the message that was read last: it is asked about for each change. */
let lastRead: { readonly message: string; readonly orders: readonly Order[] } | null = null;

function listOrders(message: string): readonly Order[] {
  if (lastRead?.message === message) return lastRead.orders;
  const orders = LANGUAGES.flatMap((language) =>
    listClauses(message, language).flatMap((clause) => readClauseOrder(clause, language) ?? []),
  );
  lastRead = { message, orders };
  return orders;
}

function readClauseOrder({ words, isQuestion }: Clause, language: WordFields): Order | null {
  // "I want to change it, can you help?" is a wish, "do I want to change it?" none.
  const isAsking = isQuestion && !language.has(words[0], "own");
  const wished = isAsking ? -1 : findWished(words, language);
  const at = wished === -1 ? language.find(words, "orders there", "orders gone") : wished;
  const before = words.slice(0, at);
  const isWish = wished !== -1 || language.find(words, "requests") !== -1;
  const isFirst = before.every((word) => language.has(word, "lead"));
  const isForbidden =
    before.some((word) =>
      language.has(word, "wishes") ? isAsking : language.has(word, "other"),
    ) || words.slice(at).some((word) => FORBIDS.has(word));
  if (at === -1 || !(isForbidden || isWish || (isFirst && !isQuestion))) return null;
  const end = language.has(words[at], "orders gone") ? "gone" : "there";
  const next = words[at + 2];
  // In some languages the word is an article where a name follows: "supprime les pommes".
  const isNamed = next !== undefined && LANGUAGES.every((each) => each.count(next) === 0);
  const pointsBack = language.has(words[at + 1], "things") && !isNamed;
  return { end, words, pointsBack, isForbidden };
}

/** The place of the order that a wish of the person's own is followed by, or that ends its clause as a verb; -1 for none. */
function findWished(words: readonly string[], language: WordFields): number {
  const isOrder = (word: string | undefined): boolean =>
    language.has(word, "orders there", "orders gone");
  const last = words.length - 1;
  const places = words.flatMap((word, at) => {
    if (!language.has(word, "wishes")) return [];
    const next = words.findIndex(
      (other, place) => place > at && !language.has(other, "lead", "little", "things", "requests"),
    );
    if (next !== -1 && isOrder(words[next])) return [next];
    // "The note" is a thing.
    return isOrder(words[last]) && !language.has(words[last - 1], "little") ? [last] : [];
  });
  return places[0] ?? -1;
}

/** Words behind an order that forbid it: "lösche den Kaffee nicht". */
const FORBIDS = new Set(["nicht", "niet"]);

/** Returns true for words that name nothing in a language of the table: "all", "this". Pure. */
export function namesNothing(text: string): boolean {
  return LANGUAGES.some((language) =>
    language.split(text).every((word) => language.has(word, "little", "things", "lead")),
  );
}

/** Returns true for a text with a word that some language of the table knows. Pure. */
export function isReadable(text: string): boolean {
  return LANGUAGES.some((language) => language.count(text) > 0);
}

/** Returns the words of a text that no language of the table knows, folded: they name something. Pure. */
export function listNames(text: string): readonly string[] {
  return foldWords(text).filter((word) =>
    LANGUAGES.every((language) => language.count(word) === 0),
  );
}

/**
 * Returns true for a reply that says, in a language of the table, that what was asked for is done: by a
 * finished form or by a place, beside the name of something that code knows. Questions, conditions,
 * refusals and other times claim nothing, nor does what is true of the known rows. Pure.
 */
export function claimsAskedChange(text: string, asked: AskedChange): boolean {
  const counts = LANGUAGES.map((language) => language.count(text));
  const most = Math.max(...counts);
  return LANGUAGES.filter((_, index) => counts[index] === most).some((language) => {
    const claims = listClauses(text, language).flatMap(({ words, isQuestion }) => {
      const claim = isQuestion ? null : readClaim(words, { language, asked });
      return claim === null ? [] : [{ claim, words }];
    });
    return claims.some(({ claim, words }, at) => {
      const isOvertaken = claims.slice(at + 1).some((later) => overtakes(later.claim, claim));
      return isUntrue(claim, { words, language, asked, isOvertaken });
    });
  });
}

/** Returns true for a claim that what an earlier one names has come to the other end since: "deleted tea, added tea". */
function overtakes(later: Claim, { end, names }: Claim): boolean {
  return later.end !== end && later.names.every((name) => names.includes(name));
}

/** A clause that says that something is there or gone, or was made so. */
interface Claim {
  readonly end: ChangeEnd;
  /** True for what holds now, whenever it came about. */
  readonly isState: boolean;
  /** True where the assistant says that it did so, or nobody is said to have done it: "Deleted: coffee". */
  readonly isOwn: boolean;
  /** Its subject, in the words of known things. */
  readonly names: readonly string[];
}

function isUntrue(claim: Claim, context: ClauseContext): boolean {
  const { end, holds, wasDone, touches, namesPresent, unasked = null } = context.asked;
  if (unasked !== null) {
    // An account of what was done has what was undone since, too, also where only the newest is known.
    const isAccount = !claim.isState && (unasked.isAnswer || context.isOvertaken);
    const ends: readonly ChangeEnd[] = context.isOvertaken ? ["there", "gone"] : [claim.end];
    const wasMade = isAccount
      ? ends.some((end) => unasked.wasEverDone(claim.names, end))
      : wasDone(claim.names, claim.end);
    return isSure(claim, context, unasked) && !wasMade;
  }
  // "K-105 is deleted" beside another change, and K-105 is there.
  if (touches !== null && claim.isState && claim.end === "gone" && !touches(claim.names)) {
    return namesPresent?.(context.words) === true;
  }
  // Beside a change of the turn, what holds or what others did may be older.
  if (touches !== null && (claim.isState || !(claim.isOwn || touches(claim.names)))) return false;
  if (!claim.isState) return !wasDone(claim.names, claim.end);
  // "It is planned" is no answer to "cancel it" that could be mistaken.
  return (end === null || end === claim.end) && !holds(claim.names, claim.end);
}

interface ClauseContext extends ClaimContext {
  readonly words: readonly string[];
  /** True where a later clause of the text says the other end of the same. */
  readonly isOvertaken: boolean;
}

/** Returns true for a claim that talk cannot mean otherwise, and that no known row bears out. */
function isSure(
  { end, isState, isOwn }: Claim,
  { words, language, asked }: ClauseContext,
  { isAnswer, namesRow, bearsOut }: UnaskedChange,
): boolean {
  const isKept = words.some((word) => language.has(word, "kept"));
  const isSpare = words.every(
    (word) => isPlain(word, language) || language.has(word, "things", "lead"),
  );
  // "A pianist booked a lesson" is told of somebody.
  const isMade = isOwn || language.find(words, "did") !== -1;
  // "Did it work?" asks for what was done: there the name of a row settles what a deed is about.
  const isAccount = isAnswer && isMade && !isState;
  const isNamed = namesRow(words, isKept || isAccount ? "name" : "code");
  const isNew = isState ? words.some((word) => NOW.has(word)) : isMade;
  const isSureState = isState && (isNamed ? end === "gone" : isSpare && !isAnswer);
  if (!isNew && !isSureState) return false;
  const isOfData = isSpare || words.some(createPlaceTest({ language, asked }));
  const isOwnWord = isOwn && !isState && language.find(words, "own") !== -1;
  return (
    (isNamed || (isKept && isOfData)) &&
    (isOwnWord || (!language.has(words[0], "you") && !bearsOut(words, end)))
  );
}

const NOW = new Set("now jetzt nun ahora maintenant ora adesso nu agora".split(" "));

interface ClaimContext {
  readonly language: WordFields;
  readonly asked: AskedChange;
}

function readClaim(words: readonly string[], { language, asked }: ClaimContext): Claim | null {
  const isTalk = (word: string): boolean =>
    language.has(word, "other", "wishes") && !(asked.isOfPlan === true && PLANNED.has(word));
  if (words.some(isTalk)) return null;
  const form = readForm(words, language) ?? readPlace(words, { language, asked });
  if (form === null) return null;
  const known = new Set(language.split(asked.readNames()));
  const isPlace = createPlaceTest({ language, asked });
  const isThing = (word: string): boolean => isPlace(word) || language.has(word, "things");
  const names = words.filter(
    (word) => /\d/u.test(word) || (known.has(word) && !isThing(word) && !isPlain(word, language)),
  );
  const isBare = words.length === 1 && !form.isState;
  const isAbout = isBare || names.length > 0 || words.some(isThing);
  return isAbout || (asked.unasked ?? null) !== null ? { ...form, names } : null;
}

/** Returns true for a word that says how something is or became, and names nothing. */
function isPlain(word: string, language: WordFields): boolean {
  return language.has(
    word,
    "done there",
    "done gone",
    "at there",
    "at gone",
    "be",
    "own",
    "did",
    "little",
  );
}

type ClaimForm = Omit<Claim, "names">;

/** Reads "I have added it", "it is planned", "removed it" and "eggs updated to 4". */
function readForm(words: readonly string[], language: WordFields): ClaimForm | null {
  const at = language.find(words, "done there", "done gone");
  if (at === -1) return null;
  const end = language.has(words[at], "done gone") ? "gone" : "there";
  const before = words.slice(0, at);
  const isOwn = at === 0 || language.find(before, "own") !== -1;
  if (language.find(before, "own", "did") !== -1) return { end, isState: false, isOwn };
  if (language.find(before, "you") !== -1) return null;
  if (language.find(before, "be") !== -1) return { end, isState: true, isOwn };
  // "The planned dinner is cod": there the form is no verb.
  const isVerb = at === 0 || !language.has(words[at - 1], "little");
  return isVerb && language.find(words, "be") === -1 ? { end, isState: false, isOwn } : null;
}

/** Reads "it is on your list" and "it is off". */
function readPlace(words: readonly string[], context: ClaimContext): ClaimForm | null {
  const { language } = context;
  const be = language.find(words, "be");
  if (be === -1 || language.find(words, "own", "did") !== -1) return null;
  const after = words.slice(be);
  if (language.find(after, "at gone") !== -1) return { end: "gone", isState: true, isOwn: false };
  const isThere = language.find(after, "at there") !== -1 && words.some(createPlaceTest(context));
  return isThere ? { end: "there", isState: true, isOwn: false } : null;
}

/** Makes the test for a word for things of a type, or for where they are. */
function createPlaceTest({ language, asked }: ClaimContext): (word: string) => boolean {
  const types = new Set(language.split(asked.types).filter((word) => !isPlain(word, language)));
  return (word) => types.has(word) || language.has(word, "places");
}

interface Clause {
  readonly words: readonly string[];
  readonly isQuestion: boolean;
}

/** The clauses of a text up to the condition of each sentence. */
function listClauses(text: string, language: WordFields): readonly Clause[] {
  return splitSentences(text).flatMap((sentence) => {
    const isQuestion = endsAsQuestion(sentence);
    const clauses = splitClauses(sentence).flatMap((part) => {
      const words = language.split(part);
      const ends = words.flatMap((word, index) => (language.has(word, "and") ? [index] : []));
      return [-1, ...ends].map((at, index) => words.slice(at + 1, ends[index]));
    });
    const condition = clauses.findIndex((words) => language.find(words, "condition") !== -1);
    const kept = condition === -1 ? clauses : clauses.slice(0, condition);
    return kept.filter((words) => words.join("") !== "").map((words) => ({ words, isQuestion }));
  });
}
