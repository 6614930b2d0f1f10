import { foldAnswer } from "./read-yes-no.ts";
import { endsAsQuestion } from "./ends-as-question.ts";
import { segmentWords } from "./segment-words.ts";

/** Words for taking back, in English and in the languages that sentences are shipped in, without accents. */
const UNDO = [
  "undo|undone|undoing|revert|reverse|restore|rollback|(?:take|put|bring|roll|change|turn|set)(?: \\S+){0,5} back(?! (?:from|home|in(?:to)? the (?!plan|list)))|(?:get|give)(?: \\S+){1,5} back(?! (?:to|from|home))|go back",
  "ruckgangig|zuruck|zurucknehmen|zurucksetzen|widerrufen|wiederherstellen",
  "deshacer|deshaz|deshazlo|revierte|revertir|restaura|restaurar|atras",
  "annule|annuler|annulez|defais|defaire|retablis|retablir|arriere",
  "annulla|annullare|annullalo|ripristina|ripristinare|indietro",
  "ongedaan|terug|terugdraaien|terugzetten|herstel|herstellen",
  "geri (?:al|getir|koy)\\S*|vazgec\\S*",
  "desfazer|desfaz|desfaca|reverte|reverter|restaurar|anular|atras",
].join("|");
const UNDO_WORD = new RegExp(
  `(?<!\\S)(?:${UNDO})(?!\\S)|撤[销回銷]|恢复|恢復|还原|還原|改回`,
  "gu",
);
const REDO_WORD = /(?<!\S)redo(?!\S)/u;

/**
 * Counts the words of a message that speak of taking back: none where nothing is to be, and two where an
 * undo is. Pure.
 *
 * @example
 * countUndoWords("undo the undo"); // 2
 */
export function countUndoWords(message: string): number {
  const words = foldAnswer(message);
  return REDO_WORD.test(words) ? 2 : (words.match(UNDO_WORD)?.length ?? 0);
}

/** Languages of which the words are known. */
const KNOWN: ReadonlySet<string> = new Set(["en", "de", "es", "fr", "it", "nl", "pt", "tr"]);
/** Words of an undo that names what it takes back. */
const SHORT = 10;

/**
 * Returns true for a short message, no question, with a word for taking back. Pure.
 *
 * @example
 * asksForUndo("Mach das bitte rückgängig"); // true
 */
export function asksForUndo(message: string): boolean {
  const isShort = segmentWords(message).length <= SHORT && !endsAsQuestion(message);
  return isShort && countUndoWords(message) > 0;
}

/**
 * Returns true where a message may ask to take back, as a model says that it does: it has a word for it.
 * Where none is known in its language, it is short and no question. Pure.
 *
 * @example
 * mayAskForUndo("geri al", "tr"); // true
 * mayAskForUndo("nice evening", "en"); // false
 */
export function mayAskForUndo(message: string, language: string): boolean {
  const isKnown =
    (KNOWN.has(language) && /\p{Script=Latin}/u.test(message)) || language.startsWith("zh");
  if (isKnown || countUndoWords(message) > 0) return countUndoWords(message) > 0;
  return segmentWords(message).length <= SHORT && !endsAsQuestion(message);
}
