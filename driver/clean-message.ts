import { MessageRefusedError } from "./turn-errors.ts";

/** A character that is neither white space nor a mark of format or control, such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}\p{Cc}]/u;

/**
 * Cleans a message on its way in: removes NUL characters, which Postgres cannot store, and replaces
 * lone surrogates; otherwise the person's words are unchanged.
 *
 * @throws MessageRefusedError when nothing is left, or when it is longer than `limit` characters.
 */
export function cleanMessage(text: string, limit: number): string {
  const clean = text.replaceAll("\0", "").toWellFormed();
  if (!VISIBLE.test(clean)) {
    throw new MessageRefusedError("message_empty", "Cannot send an empty message: write something");
  }
  const length = clean.length > limit ? Array.from(clean).length : clean.length;
  if (length > limit) {
    throw new MessageRefusedError(
      "message_too_long",
      `Cannot send a message of ${length} characters: at most ${limit} are allowed; shorten it or send it in parts`,
    );
  }
  return clean;
}
