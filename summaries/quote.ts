import { oneLine } from "../text/fence.ts";
import { describeRefs } from "../registry/refs.ts";
import { clip } from "../registry/shorten.ts";
import type { RegistryEntry } from "../state/registry.ts";

/** A message is quoted up to this many characters; it stands in full where it is the turn's own. */
const MESSAGE_CHARACTERS = 240;
const LINE_CHARACTERS = 320;
const LABEL_CHARACTERS = 80;
/** Up to this many entities are named with their labels. */
const NAMED_ENTITIES = 12;

/** The person's words in quotation marks, on one line. */
export function quoteMessage(message: string): string {
  return `"${clip(oneLine(message), MESSAGE_CHARACTERS)}"`;
}

/** A text of a record on one line, neutralised, cut where it is longer than any record needs. */
export function quoteLine(text: string): string {
  return clip(oneLine(text), LINE_CHARACTERS);
}

/** Named entities: "recipe_5 (French Toast), recipe_6 (Wings)"; many are given by their refs alone. */
export function quoteNamed(entities: readonly Pick<RegistryEntry, "ref" | "label">[]): string {
  if (entities.length > NAMED_ENTITIES) return describeRefs(entities.map(({ ref }) => ref));
  return entities
    .map(({ ref, label }) => {
      const name = clip(oneLine(label), LABEL_CHARACTERS);
      return name === "" ? ref : `${ref} (${name})`;
    })
    .join(", ");
}

/** The text with its first letter in upper case. */
export function capitalised(text: string): string {
  const [first = "", ...rest] = Array.from(text);
  return `${first.toUpperCase()}${rest.join("")}`;
}
