import { z } from "zod";
import { splitPhrases } from "../../state/simulated-words.ts";
import { findTerm, foodWords } from "../food-words.ts";
import { readYaml } from "../read-yaml.ts";

/** The foods that an allergy or a diet rules out, and similar-sounding phrases that it does not. */
interface Family {
  readonly names: readonly string[];
  readonly foods: readonly string[];
  readonly harmless: readonly string[];
  /** Its name is that of a diet, and no food. */
  readonly isDiet: boolean;
}

/** Several in one text, separated by bars. */
const phrases = z.string().transform(splitPhrases);

const GROUPS = ["peanuts", "nuts", "milk", "eggs", "gluten", "fish", "shellfish", "meat"] as const;
const GroupSchema = z.enum(GROUPS);

const FileSchema = z.strictObject({
  foods: z.record(GroupSchema, phrases),
  withoutMilk: phrases,
  families: z.array(
    z.strictObject({
      names: phrases,
      isDiet: z.boolean().default(false),
      groups: phrases.pipe(z.array(GroupSchema)).default([]),
      also: phrases.default([]),
      harmless: phrases.default([]),
    }),
  ),
});

const FAMILIES = readFamilies();

function readFamilies(): readonly Family[] {
  const file = readYaml(new URL("allergens.yaml", import.meta.url), FileSchema);
  return file.families.map(({ names, isDiet, groups, also, harmless }) => ({
    names,
    isDiet,
    foods: [...groups.flatMap((group) => file.foods[group]), ...also],
    harmless: groups.includes("milk") ? [...file.withoutMilk, ...harmless] : harmless,
  }));
}

/**
 * The first food in a text that someone who must avoid `avoided` cannot have; null where there is none.
 *
 * `avoided` is an allergy ("peanuts"), a diet ("vegan") or any food. "Without", "no" and "free" undo a mention.
 */
export function findAvoidedFood(text: string, avoided: string): string | null {
  const key = foodWords(avoided);
  if (key.length === 0) return null;
  const family = FAMILIES.find(({ names }) => names.some((name) => isSame(foodWords(name), key)));
  const words = hideHarmless(foodWords(text), [...key], family?.harmless ?? []);
  const itself = family?.isDiet === true ? [] : [key.join(" ")];
  for (const food of [...itself, ...(family?.foods ?? [])]) {
    const term = foodWords(food);
    const isMeant = findTerm(words, term).some((start) => !isUndone(words, start, term.length));
    if (isMeant) return food;
  }
  return null;
}

/** Blanks out phrases that only sound like the food, so that no term is found in them. */
function hideHarmless(
  words: readonly string[],
  avoided: readonly string[],
  harmless: readonly string[],
): readonly string[] {
  const hidden = new Set<number>();
  for (const phrase of harmless) {
    const term = foodWords(phrase);
    // What is avoided by name is never harmless: "coconut milk" to someone who avoids coconut milk.
    if (isSame(term, avoided)) continue;
    for (const start of findTerm(words, term)) {
      for (let offset = 0; offset < term.length; offset += 1) hidden.add(start + offset);
    }
  }
  return words.map((word, index) => (hidden.has(index) ? "" : word));
}

function isUndone(words: readonly string[], start: number, length: number): boolean {
  const before = words[start - 1] === "any" ? words[start - 2] : words[start - 1];
  return ["no", "without", "non"].includes(before ?? "") || words[start + length] === "free";
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, index) => word === other[index]);
}

const FILLER = new Set(
  foodWords(
    "any anything with the a an all of this that week today please ever eat eating some more in our my at to for and or i we can cannot t s don kind",
  ),
);

/** Returns the foods that a hard wish rules out, directly or by naming a diet: "no shellfish or nuts" → shellfish, nut. */
export function avoidedIn(wish: string): readonly string[] {
  const text = wish.toLowerCase().replaceAll("’", "'");
  const listed = [
    ...text.matchAll(
      /\b(?:no|without|avoid|avoids|avoiding|never|exclude|skip|allergic to|allergy to|allergies to|intolerant to|intolerance to|can't eat|cannot eat|don't eat|doesn't eat)\s+([^.;:!?()]+)/g,
    ),
  ].map((match) => match[1] ?? "");
  const named = [
    ...text.matchAll(/([\p{L} ]+?)[\s-]+(?:allergy|allergies|intolerance|free)\b/gu),
  ].map((match) => match[1] ?? "");
  const diets = FAMILIES.filter(({ isDiet }) => isDiet)
    .flatMap(({ names }) => names)
    .filter((diet) => mentionsWord(text, diet));
  const foods = [...listed, ...named].flatMap((list) => list.split(/,|\/|&|\band\b|\bor\b/));
  const terms = foods.map((food) =>
    foodWords(food)
      .filter((word) => !FILLER.has(word))
      .join(" "),
  );
  return [
    ...new Set([...terms.filter((term) => term !== "" && term.split(" ").length <= 3), ...diets]),
  ];
}

function mentionsWord(text: string, word: string): boolean {
  return foodWords(text).includes(word);
}
