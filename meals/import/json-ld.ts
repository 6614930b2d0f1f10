import { parse as parseDuration } from "tinyduration";
import { isJsonObject, JsonSchema, type Json, type JsonObject } from "../../state/json.ts";
import { htmlToText } from "./html-text.ts";
import type { ParsedRecipe } from "./parsed-recipe.ts";

const MAX_TAGS = 8;
const MAX_DEPTH = 12;

/**
 * The first schema.org recipe in texts of JSON-LD; null where there is none.
 *
 * Broken scripts are passed over; values of the wrong kind count as missing.
 */
export function recipeFromLinkedData(texts: readonly string[]): ParsedRecipe | null {
  for (const text of texts) {
    const recipe = findRecipe(parseJson(text), MAX_DEPTH);
    if (recipe !== null) return readRecipe(recipe);
  }
  return null;
}

function parseJson(text: string): Json {
  try {
    return JsonSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Sites put the recipe at the top, into a list, into `@graph`, or below a page. */
function findRecipe(value: Json, depth: number): JsonObject | null {
  if (depth === 0) return null;
  if (isJsonObject(value) && isRecipe(value)) return value;
  const parts = isJsonObject(value) ? Object.values(value) : Array.isArray(value) ? value : [];
  for (const part of parts) {
    const found = findRecipe(part, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

function isRecipe(value: JsonObject): boolean {
  return toList(value["@type"]).some(
    (type) => typeof type === "string" && /(^|[/:])recipe$/i.test(type),
  );
}

function readRecipe(recipe: JsonObject): ParsedRecipe {
  const prep = readMinutes(recipe["prepTime"]);
  const cook = readMinutes(recipe["cookTime"]);
  const total = readMinutes(recipe["totalTime"]);
  const tags = [...readPlainTexts(recipe["recipeCategory"]), ...readPlainTexts(recipe["keywords"])]
    .flatMap((text) => text.split(","))
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => tag !== "");
  return {
    name: readPlainTexts(recipe["name"])[0] ?? "",
    servings: readServings(recipe["recipeYield"]),
    prepMinutes: prep,
    // Where only the total is told, all of it is cooking.
    cookMinutes: cook ?? (total === null ? null : Math.max(0, total - (prep ?? 0))),
    cuisine: readPlainTexts(recipe["recipeCuisine"])[0] ?? null,
    tags: [...new Set(tags)].slice(0, MAX_TAGS),
    ingredientLines: readPlainTexts(recipe["recipeIngredient"] ?? recipe["ingredients"]),
    instructions: readInstructions(recipe["recipeInstructions"]).join("\n"),
    sourceUrl: readRecipeUrl(recipe),
  };
}

/** "4", 4, "Serves 4 to 6", ["4", "4 bowls"]: the first number. */
function readServings(value: Json | undefined): number | null {
  const [first] = toList(value).map((item) =>
    isJsonObject(item) ? (item["value"] ?? null) : item,
  );
  if (typeof first !== "number" && typeof first !== "string") return null;
  const number = Number(/\d+/.exec(String(first))?.[0] ?? Number.NaN);
  return number >= 1 && number <= 100 ? number : null;
}

function readMinutes(value: Json | undefined): number | null {
  if (typeof value !== "string") return null;
  try {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parseDuration(value.trim());
    return Math.round(days * 1440 + hours * 60 + minutes + seconds / 60);
  } catch {
    return null;
  }
}

/** Plain text, a list of texts, steps, or sections of steps. */
function readInstructions(value: Json | undefined): string[] {
  return toList(value).flatMap(readInstruction);
}

function readInstruction(item: Json): string[] {
  if (typeof item === "string") return htmlToText(item).split("\n");
  if (!isJsonObject(item)) return [];
  if (item["itemListElement"] === undefined) return readPlainTexts(item["text"] ?? item["name"]);
  const heading = readPlainTexts(item["name"]).map((name) => `${name}:`);
  return [...heading, ...readInstructions(item["itemListElement"])];
}

function readRecipeUrl(recipe: JsonObject): string | null {
  const page = recipe["mainEntityOfPage"] ?? null;
  const candidates = [recipe["url"], isJsonObject(page) ? page["@id"] : page];
  const url = candidates.find((text) => typeof text === "string" && /^https?:\/\//.test(text));
  return typeof url === "string" ? url : null;
}

function readPlainTexts(value: Json | undefined): string[] {
  return toList(value)
    .filter((item): item is string => typeof item === "string")
    .map((text) => htmlToText(text).replaceAll("\n", " "))
    .filter((text) => text !== "");
}

function toList(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
