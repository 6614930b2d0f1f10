/** Ends of sentences, in any script; none is behind a title: "Dr. Kim". */
const SENTENCE_BREAK = /(?<!(?<!\p{L})(?:Dra?|Mrs?|Ms|Prof|Sra?)\.)(?<=[.!?;。！？؟\n])|(?=¿)/u;
/** Marks between the clauses of a sentence. */
const CLAUSE_BREAK = /[;:,–—¿¡]| - /u;

/**
 * Lists the sentences of a text with their end marks, in their order.
 *
 * @example
 * splitSentences("Ask Dr. Kim. More?"); // ["Ask Dr. Kim.", " More?"]
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
