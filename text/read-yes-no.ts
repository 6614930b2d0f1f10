import { listPhrases, type AnswerKind } from "./answer-words.ts";
import { foldText } from "./fold-words.ts";
import { endsAsQuestion } from "./ends-as-question.ts";
import { splitSentences } from "./split-sentences.ts";

const BESIDE = listPhrases("courtesy", "beside");
const YES = toWhole(listPhrases("yes", "seen"));
const SEEN = toWhole(listPhrases("seen"));
const NO = toWhole(listPhrases("no", "seen"));
const REFUSED = holding("no");
const DENIED = holding("no", "denied");
const ASKS = new RegExp(`^(?:${listPhrases("asks")})(?!\\S)`, "u");

/** Makes a pattern of nothing but phrases, and those that may stand beside them. */
function toWhole(phrases: string): RegExp {
  return new RegExp(`^(?:(?:${phrases}|${BESIDE})(?: |$))+$`, "u");
}

/** Makes a pattern of a phrase of some kinds anywhere. */
function holding(...kinds: readonly AnswerKind[]): RegExp {
  return new RegExp(`(?<!\\S)(?:${listPhrases(...kinds)})(?!\\S)`, "u");
}

/**
 * Reads a plain yes or no in the shipped languages, where a message is nothing else; null for all others.
 * Pure.
 *
 * @example
 * readYesNo("Yes, please!"); // "yes"
 * readYesNo("yes, but only the curry"); // null
 */
export function readYesNo(message: string): "yes" | "no" | null {
  const words = foldAnswer(message);
  const core = dropBeside(message);
  if (core === "") return null;
  // "Yes?" asks; "sure, why not?" does not.
  if (YES.test(words) && (!endsAsQuestion(message) || core !== words)) return "yes";
  // "Ok, forget it" has been seen, and is refused.
  return NO.test(words) && REFUSED.test(core) ? "no" : null;
}

/** Returns true for a message that begins with a yes, whatever follows it. Pure. */
export function beginsWithYes(message: string): boolean {
  return BEGINS_WITH_YES.test(dropBeside(message));
}

const BEGINS_WITH_YES = new RegExp(`^(?:${listPhrases("yes", "seen")})(?!\\S)`, "u");

/** Returns true where a plain yes may say no more than that the person has read: "ok". */
export function onlyAcknowledges(message: string): boolean {
  return SEEN.test(foldAnswer(message));
}

/**
 * Reads how a message may answer a question: as `readYesNo`; `asks` where it is nothing but a question of
 * its own; `doubtful` where a word of it denies, so that it may be no yes. Null for words that may be
 * anything. Pure.
 *
 * @example
 * readPersonsAnswer("which ones are those?"); // "asks"
 * readPersonsAnswer("no, do it"); // "doubtful"
 */
export function readPersonsAnswer(message: string): "yes" | "no" | "asks" | "doubtful" | null {
  const plain = readYesNo(message);
  if (plain !== null) return plain;
  const sentences = splitSentences(message).filter((part) => foldAnswer(part) !== "");
  if (sentences.length > 0 && sentences.every(asksSomething)) return "asks";
  return DENIED.test(dropBeside(message)) ? "doubtful" : null;
}

/** Returns true for a sentence that is a question, with a question mark or a word that asks at its beginning. Pure. */
export function asksSomething(sentence: string): boolean {
  return endsAsQuestion(sentence) || beginsAsQuestion(sentence);
}

/** Returns true for a text that begins with a word that asks: "what day is it". Pure. */
export function beginsAsQuestion(text: string): boolean {
  return ASKS.test(foldAnswer(text));
}

/** Returns true for a message of nothing but thanks or greetings, and what says no more than "I see". Pure. */
export function isCourtesy(message: string): boolean {
  const words = foldAnswer(message);
  return POLITE.test(words) && COURTESY.test(words);
}

/** Returns true for a message that agrees, praises, thanks or ends the conversation, and says nothing of its own: "ok great, see you". Pure. */
export function asksForNothing(message: string): boolean {
  const words = foldAnswer(message);
  return EMPTY.test(words) && CIVIL.test(words);
}

/** Returns true for a message that agrees or praises, whatever thanks stand beside it, and says nothing else: "great, thanks". Pure. */
export function onlyAgrees(message: string): boolean {
  const words = foldAnswer(message);
  return AGREEABLE.test(words) && AGREES.test(words);
}

const EMPTY = toWhole(listPhrases("yes", "seen", "agrees", "around", "parting"));
const CIVIL = holding("yes", "seen", "agrees", "courtesy", "parting");
const AGREEABLE = toWhole(listPhrases("yes", "seen", "agrees", "around"));
const AGREES = holding("yes", "seen", "agrees");
const COURTESY = toWhole(listPhrases("courtesy", "seen"));
const POLITE = holding("courtesy");

/** Returns a message without the phrases that answer a question, or stand beside an answer, folded. Pure. */
export function dropAnswer(message: string): string {
  return foldAnswer(message).replaceAll(ANSWER_ANYWHERE, "");
}

const ANSWER_ANYWHERE = new RegExp(
  `(?<!\\S)(?:${listPhrases("yes", "seen", "no", "courtesy", "beside")})(?!\\S)`,
  "gu",
);
const BESIDE_ANYWHERE = new RegExp(`(?<!\\S)(?:${BESIDE})(?!\\S)`, "gu");

/** Returns a message without the phrases that stand beside an answer, folded. Pure. */
export function dropBeside(message: string): string {
  return foldAnswer(message).replaceAll(BESIDE_ANYWHERE, "").replaceAll(/ +/gu, " ").trim();
}

/** Returns the words of a text as `foldText` does, those with an apostrophe as one, "ß" as "ss". */
export function foldAnswer(text: string): string {
  return foldText(text.replaceAll(/['’]/gu, "").replaceAll("ß", "ss")).trim();
}
