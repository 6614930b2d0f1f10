import { foldAnswer } from "./read-yes-no.ts";

/** Words for taking back, in English and in the languages that sentences are shipped in, without accents. */
const UNDO = [
  "undo|undone|undoing|revert|reverse|restore|rollback|(?:take|put|bring|roll|change|turn|set|get|go|give)(?: \\S+){0,5} back",
  "ruckgangig|zuruck|zurucknehmen|zurucksetzen|widerrufen|wiederherstellen",
  "deshacer|deshaz|deshazlo|revierte|revertir|restaura|restaurar|atras",
  "annule|annuler|annulez|defais|defaire|retablis|retablir|arriere",
  "annulla|annullare|annullalo|ripristina|ripristinare|indietro",
  "ongedaan|terug|terugdraaien|terugzetten|herstel|herstellen",
  "desfazer|desfaz|desfaca|reverte|reverter|restaurar|anular|atras",
].join("|");
const UNDO_WORD = new RegExp(`(?<!\\S)(?:${UNDO})(?!\\S)`, "gu");
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
