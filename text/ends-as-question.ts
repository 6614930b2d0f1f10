/** A question mark of any script, and what may stand behind it: closing marks, emphasis, white space. */
const QUESTION_AT_END = /[?？؟՞\u037e][\s\p{Pe}\p{Pf}"'*_~`]*$/u;

/**
 * Returns true where a text ends as a question.
 *
 * @example
 * endsAsQuestion("**Which week shall it be?**"); // true
 */
export function endsAsQuestion(text: string): boolean {
  return QUESTION_AT_END.test(text);
}
