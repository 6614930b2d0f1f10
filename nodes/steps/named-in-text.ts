import { isContentWord, sharesWord } from "../../registry/shared-words.ts";
import { listNouns, type EntityType } from "../../state/entity.ts";
import type { RegistryEntry } from "../../state/registry.ts";
import { foldText, foldWords } from "../../text/fold-words.ts";

/** A row as a text may name it. */
export type MentionedRow = Pick<RegistryEntry, "type" | "label">;

/**
 * Lists the rows that a text names: by their whole labels, and by parts of labels in what is left of it. Words
 * for types name none. Pure.
 */
export function listNamedIn<T extends MentionedRow>(
  text: string,
  rows: readonly T[],
  entityTypes: readonly Pick<EntityType, "words">[],
): readonly T[] {
  const folded = foldText(text);
  const labels = rows.map(({ label }) => foldText(label)).filter((label) => label.trim() !== "");
  const rest = labels
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, label) => left.replaceAll(label, "  "), folded);
  const nouns = new Set(entityTypes.flatMap(listNouns).flatMap(foldWords));
  const words = new Set(foldWords(rest));
  const isPart = (word: string): boolean =>
    !nouns.has(word) &&
    (/\p{N}/u.test(word) ? words.has(word) : isContentWord(word) && sharesWord(word, rest));
  return rows.filter(
    ({ label }) => standsAlone(label, folded, labels) || foldWords(label).some(isPart),
  );
}

/** Returns true for a label that a text has outside of the longer labels that hold it. */
function standsAlone(label: string, text: string, labels: readonly string[]): boolean {
  const own = foldText(label);
  const longer = labels.filter((other) => other !== own && other.includes(own));
  return (
    own.trim() !== "" &&
    longer.reduce((left, other) => left.replaceAll(other, "  "), text).includes(own)
  );
}
