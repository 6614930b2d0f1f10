const IRREGULAR: Readonly<Record<string, string>> = {
  leaves: "leaf",
  loaves: "loaf",
  halves: "half",
  knives: "knife",
};

/** A text as lower-case words in the singular, without accents and punctuation. */
export function foodWords(text: string): readonly string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(singular);
}

function singular(word: string): string {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular !== undefined) return irregular;
  if (word.length <= 3 || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|zz|o)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/**
 * Returns the index of the first word of each occurrence of a term, in singular or plural.
 *
 * "egg" occurs in "6 free-range eggs" but not in "eggplant".
 */
export function findTerm(words: readonly string[], term: readonly string[]): number[] {
  if (term.length === 0) return [];
  return words.flatMap((_, start) =>
    term.every((word, offset) => words[start + offset] === word) ? [start] : [],
  );
}

/** Returns true when a text mentions a food, in singular or plural. */
export function mentionsFood(text: string, food: string): boolean {
  return findTerm(foodWords(text), foodWords(food)).length > 0;
}

/** One key for the spellings of a food: its words in the singular. */
export function foodKey(name: string): string {
  return foodWords(name).join(" ");
}
