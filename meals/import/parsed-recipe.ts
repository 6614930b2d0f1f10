import type { JsonObject } from "../../state/json.ts";
import { readIngredientLine } from "./ingredient-lines.ts";

/** A recipe as it was found in a text or page; null and empty for what is not told. */
export interface ParsedRecipe {
  readonly name: string;
  readonly servings: number | null;
  readonly prepMinutes: number | null;
  readonly cookMinutes: number | null;
  readonly cuisine: string | null;
  readonly tags: readonly string[];
  readonly ingredientLines: readonly string[];
  readonly instructions: string;
  readonly sourceUrl: string | null;
}

/** The recipe as content of the recipes table: what is not told is left out. */
export function recipeContent(recipe: ParsedRecipe): JsonObject {
  const ingredients = recipe.ingredientLines.flatMap((text) => {
    const line = readIngredientLine(text);
    return line === null ? [] : [{ ...line }];
  });
  const given = {
    name: recipe.name,
    servings: recipe.servings,
    prep_minutes: recipe.prepMinutes,
    cook_minutes: recipe.cookMinutes,
    cuisine: recipe.cuisine,
    tags: recipe.tags.length === 0 ? null : recipe.tags,
    instructions: recipe.instructions === "" ? null : recipe.instructions,
    source_url: recipe.sourceUrl,
  };
  const filled = Object.entries(given).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(filled), ingredients };
}
