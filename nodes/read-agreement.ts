import { findOrder, isReadable, listNames, readOrder } from "../output-filter/asked-change.ts";
import { listNumberWords, listPhrases, type AnswerKind } from "../text/answer-words.ts";
import { foldWords } from "../text/fold-words.ts";
import {
  asksSomething,
  dropBeside,
  foldAnswer,
  readPersonsAnswer,
  readYesNo,
} from "../text/read-yes-no.ts";
import { splitClauses, splitSentences } from "../text/split-sentences.ts";
import { listComingWords } from "./steps/time-words.ts";

/**
 * Meaning of a message that a model has read as a yes, by its own words: `agrees`; `more` where it orders
 * something that the question is not about, `adjusts` where that is but another number; `unclear` where it
 * may be no yes; `unknown` where code knows none of its words.
 */
export type Agreement = "agrees" | "more" | "adjusts" | "unclear" | "unknown";

/** A question that waits for a yes, and the words for types. */
export interface WaitingQuestion {
  readonly text: string;
  readonly nouns: readonly string[];
}

/** Most words of its own that a message may have beside what agrees in it: with more it is about something else. */
const MOST_OTHER_WORDS = 3;

/**
 * Reads whether a message agrees to a question. A sentence that begins with a yes does, whatever else is
 * told; praise only in a clause of its own, and beside few other words ("the weather is nice" is none). A
 * question, a limit ("but", "first"), another time or number or a name of the question that is spared makes it
 * unclear. Pure.
 *
 * @example
 * const question = { text: "This deletes 2 recipes: Soup, Stew. Do it?", nouns: ["recipe", "recipes"] };
 * readAgreement("yes please, we never cook them", question); // "agrees"
 * readAgreement("yes, but not the stew", question); // "unclear"
 * readAgreement("yes, and add a salad", question); // "more"
 */
export function readAgreement(message: string, question: WaitingQuestion): Agreement {
  if (SIGNS.test(message)) return "agrees";
  const more = listMore(message, question);
  if (more.length > 0) return more.every((name) => /^\d+$/u.test(name)) ? "adjusts" : "more";
  const words = foldAnswer(message);
  const sentences = splitSentences(message).filter((part) => dropBeside(part) !== "");
  const isDoubtful =
    sentences.length === 0 ||
    sentences.some(asksMore) ||
    LEADING_NO.test(dropBeside(message).replace(LEADING_ANSWER, "")) ||
    isLimited(message) ||
    spares(words, question) ||
    hasMore(message, question) ||
    putsOff(message, question) ||
    isPartial(words, question);
  if (isDoubtful) return "unclear";
  if (!isReadable(message) && !KNOWN.test(words)) return "unknown";
  if (sentences.some((sentence) => LEADING_YES.test(dropBeside(sentence)))) return "agrees";
  const isBrief = listOthers(message, question).length <= MOST_OTHER_WORDS;
  if (ordersThat(message, question) || (isBrief && ordersInOneWord(words))) return "agrees";
  const isPraise = isBrief && !DENIED.test(words) && sentences.flatMap(splitClauses).some(praises);
  return isPraise ? "agrees" : "unclear";
}

/** Returns true where a message agrees to a question, and has no other word by which it may take that back. Pure. */
export function agreesAlone(message: string, question: WaitingQuestion): boolean {
  return (
    readAgreement(message, question) === "agrees" &&
    readPersonsAnswer(message) !== "doubtful" &&
    listOthers(message, question).length === 0
  );
}

/** Lists what the order of a message names, and neither the question nor a type. */
function listMore(message: string, question: WaitingQuestion): readonly string[] {
  const order = findOrder(message);
  if (order === null || order.pointsBack) return [];
  return listOthers(order.words.join(" "), question);
}

/** Returns true for an order of nothing but what the question is about: "delete them", "save the curry". */
function ordersThat(message: string, question: WaitingQuestion): boolean {
  const order = findOrder(message);
  return order !== null && listOthers(order.words.join(" "), question).length === 0;
}

/** Lists the words of a text that mean something of their own, and are neither of the question nor a type. */
function listOthers(text: string, { text: asked, nouns }: WaitingQuestion): readonly string[] {
  const known = new Set(listNames([asked, wordNumbers(asked), ...nouns].join(" ")));
  return listNames(dropAgreeing(text)).filter((name) => !known.has(name));
}

/** Returns a text without the words that agree and those around them, folded. Pure. */
export function dropAgreeing(text: string): string {
  return foldAnswer(text).replaceAll(MEANINGLESS, " ");
}

/** Lists the names in a question: its words that are no types and no numbers. */
function listThings({ text, nouns }: WaitingQuestion): readonly string[] {
  return listOthers(text, { text: "", nouns }).filter((name) => !/\d/u.test(name));
}

/** The words, in all languages, for the numbers of a text. */
function wordNumbers(text: string): string {
  return listNumberWords((text.match(/\d+/gu) ?? []).map(Number)).join(" ");
}

/** Returns true for a question beside what answers: "sure, why not?" is none, "ok so what is for dinner" is one. */
function asksMore(sentence: string): boolean {
  if (readYesNo(sentence) === "yes") return false;
  return asksSomething(sentence) || asksSomething(dropBeside(sentence).replace(LEADING_ANSWER, ""));
}

function isLimited(message: string): boolean {
  const clauses = splitSentences(message).flatMap(splitClauses);
  return (
    LIMITED.test(foldAnswer(message)) || clauses.some((clause) => TURN.test(foldAnswer(clause)))
  );
}

/** "But" in languages where the word means something else within a clause. */
const TURN = /^(?:ma|maar)(?!\S)/u;

/** Returns true where a name of the question stands behind a word that leaves it as it is: "not the stew". */
function spares(words: string, question: WaitingQuestion): boolean {
  const names = listThings(question);
  const each = words.split(" ");
  return each.some(
    (word, at) =>
      SPARING.test(word) && each.slice(at + 1, at + 3).some((other) => names.includes(other)),
  );
}

/** Returns true where a message names some of several things that the question names. */
function isPartial(words: string, question: WaitingQuestion): boolean {
  const [count = "1"] = /\d+/u.exec(question.text) ?? [];
  const names = listThings(question);
  const named = words.split(" ").filter((word) => names.includes(word));
  return Number(count) > 1 && named.length > 0 && names.some((name) => !named.includes(name));
}

/** Returns true where a message has a sign, an address or a number that the question has not: it refuses, or answers something else. */
function hasMore(message: string, { text }: WaitingQuestion): boolean {
  const asked = new Set(foldWords(text));
  const hasNumber = foldWords(message).some((word) => /\d/u.test(word) && !asked.has(word));
  return hasNumber || /[@👎❌🚫🛑✋]/u.test(message);
}

/** Returns true where a message says no more of its own than a time to come that the question has not: "sure, tomorrow". */
function putsOff(message: string, question: WaitingQuestion): boolean {
  const others = listOthers(message, question);
  const coming = listComingWords();
  const asked = foldWords(question.text);
  // A question has days by their short names.
  const isAsked = (word: string): boolean =>
    asked.some((short) => short.length > 1 && /\p{L}/u.test(short) && word.startsWith(short));
  return others.length > 0 && others.every((word) => coming.has(word)) && !others.some(isAsked);
}

/** Returns true for a clause of nothing but praise: in "nice coffee" it is the coffee's. */
function praises(clause: string): boolean {
  const words = foldAnswer(clause);
  const isAbout = listOthers(words, { text: "", nouns: [] }).length > 0;
  return AGREED.test(words) && !isAbout;
}

/** Returns true for an order with its pronoun in one word: "elimínalo", "salvala". */
function ordersInOneWord(words: string): boolean {
  return words.split(" ").some((word) => {
    const verb = word.replace(/l[aeio]s?$/u, "");
    return verb !== word && readOrder(verb) !== null;
  });
}

/** A message of nothing but signs that agree. */
const SIGNS = /^[\s!.]*[👍👌✅✔☑💯][👍👌✅✔☑💯🙏\p{EMod}\uFE0F\s!.]*$/u;
const KNOWN = toAnywhere("yes", "seen", "agrees", "no", "courtesy", "around");
const LIMITED = toAnywhere("limits", "instead");
const DENIED = toAnywhere("no", "denied");
const AGREED = toAnywhere("yes", "seen", "agrees");
const SPARING = toAnywhere("no", "denied", "spares");
const MEANINGLESS = new RegExp(
  toAnywhere("yes", "seen", "agrees", "courtesy", "beside", "around"),
  "gu",
);
const LEADING_YES = toLeading("yes");
const LEADING_NO = toLeading("no");
const LEADING_ANSWER = new RegExp(`^(?:${listPhrases("yes", "seen")}) `, "u");

function toAnywhere(...kinds: readonly AnswerKind[]): RegExp {
  return new RegExp(`(?<!\\S)(?:${listPhrases(...kinds)})(?!\\S)`, "u");
}

function toLeading(...kinds: readonly AnswerKind[]): RegExp {
  return new RegExp(`^(?:${listPhrases(...kinds)})(?!\\S)`, "u");
}
