import { oneLine } from "../state/fence.ts";
import { clip } from "../registry/shorten.ts";

/** A message is quoted up to this many characters; it stands in full where it is the turn's own. */
const MESSAGE_CHARACTERS = 240;
const LINE_CHARACTERS = 320;

/** The person's words in quotation marks, on one line. */
export function quoteMessage(message: string): string {
  return `"${clip(oneLine(message), MESSAGE_CHARACTERS)}"`;
}

/** A text of a record on one line, neutralised, cut where it is longer than any record needs. */
export function quoteLine(text: string): string {
  return clip(oneLine(text), LINE_CHARACTERS);
}

/** Named entities: "recipe_5 (French Toast), recipe_6 (Wings)". */
export function quoteNamed(
  entities: readonly { readonly ref: string; readonly label: string }[],
): string {
  return entities
    .map(({ ref, label }) => (label === "" ? ref : `${ref} (${clip(oneLine(label), 80)})`))
    .join(", ");
}

/** The text with its first letter in upper case. */
export function capitalised(text: string): string {
  const [first = "", ...rest] = Array.from(text);
  return `${first.toUpperCase()}${rest.join("")}`;
}
