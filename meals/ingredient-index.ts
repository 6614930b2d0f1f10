import type { CatalogueEntry } from "./catalogue.ts";
import { foodKey, foodWords } from "./food-words.ts";

/** An ingredient as it is known under any of its names. */
export interface KnownIngredient {
  /** The same for all spellings of one ingredient. */
  readonly key: string;
  readonly name: string;
  readonly category: CatalogueEntry["category"];
  readonly gramsPerMl: number | null;
}

/** Finds ingredients by name. */
export type IngredientIndex = (name: string) => KnownIngredient;

/** Words that say how a thing is bought or cut, not what it is. */
const COSMETIC = new Set(
  foodWords(
    "fresh large medium small ripe chopped sliced diced minced grated shredded crushed peeled organic free range finely roughly thinly of",
  ),
);

/**
 * Makes an index over catalogues; an entry of an earlier one hides those of later ones. A name that
 * no catalogue has is an ingredient of its own.
 */
export function indexIngredients(
  ...catalogues: readonly (readonly CatalogueEntry[])[]
): IngredientIndex {
  const entries = new Map<string, CatalogueEntry>();
  for (const entry of catalogues.flat()) {
    for (const spelling of [entry.name, ...entry.aliases]) {
      const key = foodKey(spelling);
      if (!entries.has(key)) entries.set(key, entry);
    }
  }
  return (name) => {
    const [beforeComma = name] = name.split(/[,(]/);
    const words = foodWords(beforeComma);
    const plain = words.filter((word) => !COSMETIC.has(word));
    const key = (plain.length === 0 ? words : plain).join(" ");
    const entry = entries.get(words.join(" ")) ?? entries.get(key);
    if (entry === undefined)
      return { key, name: beforeComma.trim(), category: null, gramsPerMl: null };
    const { category, gramsPerMl } = entry;
    return { key: foodKey(entry.name), name: entry.name, category, gramsPerMl };
  };
}
