/** Ends of sentences, in any script. */
const SENTENCE_BREAK = /(?<=[.!?;。！？؟\n])|(?=¿)/u;
/** Marks between the clauses of a sentence. */
const CLAUSE_BREAK = /[;:,–—¿¡]| - /u;

/**
 * Lists the sentences of a text with their end marks, in their order.
 *
 * @example
 * splitSentences("Done. More?"); // ["Done.", " More?"]
 */
export function splitSentences(text: string): readonly string[] {
  return text.split(SENTENCE_BREAK);
}

/**
 * Lists the clauses of a sentence, without the marks between them.
 *
 * @example
 * splitClauses("it is gone, is there more?"); // ["it is gone", " is there more?"]
 */
export function splitClauses(sentence: string): readonly string[] {
  return sentence.split(CLAUSE_BREAK);
}
