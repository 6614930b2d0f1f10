import { escapeLiteral } from "pg";

/**
 * Quotes text as an SQL literal, for statements without parameters.
 *
 * @throws RangeError for a zero byte: the statement would end there.
 */
export function quoteLiteral(text: string): string {
  if (!text.includes("\0")) return escapeLiteral(text);
  throw new RangeError("Cannot put a text with a zero byte into a statement");
}
