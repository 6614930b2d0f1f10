import { DEMO_RECIPES } from "../../domains/meals/demo-recipes.ts";
import { DEMO_STOCK } from "../../domains/meals/demo-stock.ts";
import { SUBDOMAINS } from "../../domains/meals/guidance.ts";
import {
  createVocabulary,
  readPart,
  type Vocabulary,
} from "../../models/rehearsal/language/vocabulary.ts";
import { KITCHEN } from "../../models/rehearsal/world/kitchen.ts";

const parts = SUBDOMAINS.map(({ name, tables, about }) => readPart(name, tables.join(" "), about));
const recipes = DEMO_RECIPES.map(({ name, ingredients }, index) => ({
  ref: `recipe_${index + 1}`,
  label: name,
  facts: ingredients
    .slice(0, 3)
    .map(([ingredient]) => ingredient)
    .join(", "),
  draft: false,
}));
const stock = DEMO_STOCK.map(({ name, location }, index) => ({
  ref: `inv_${index + 1}`,
  label: name,
  facts: location,
  draft: false,
}));
const draft = { ref: "gen_recipe_1", label: "Shakshuka", facts: "eggs", draft: true };

/** The words of a prompt in the demo kitchen: before anything was read, after it, and with a draft. */
export const VOCABULARIES: Readonly<Record<"fresh" | "known" | "drafted", Vocabulary>> = {
  fresh: createVocabulary(parts, [], KITCHEN),
  known: createVocabulary(parts, [...recipes, ...stock], KITCHEN),
  drafted: createVocabulary(parts, [draft], KITCHEN),
};
