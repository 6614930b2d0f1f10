import { readIngredientLine } from "./ingredient-lines.ts";
import type { ParsedRecipe } from "./parsed-recipe.ts";

const INGREDIENTS =
  /^(?:the )?ingredients?(?: list)?\s*(?:\(.*\))?\s*:?$|^you(?:'|’)?ll need\s*:?$/i;
const METHOD = /^(?:method|instructions?|directions?|preparation|steps|how to make(?: it)?)\s*:?$/i;
const LIST_ITEM = /^(?:[-–—•*·▢☐]|\d+(?:[./,]\d+)?\s|[¼-¾⅐-⅞]|half (?:a|an) )/u;
const STEP = /^\d+[.)]\s/;

type Part = "head" | "ingredients" | "method";

/**
 * Reads a recipe out of a text as people paste it: a name, then lists under headings, or lines that
 * look like ingredients followed by the rest.
 */
export function recipeFromText(text: string): ParsedRecipe {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const parts = splitParts(lines);
  const [name = "", ...head] = parts.head;
  const fullText = lines.join("\n");
  return {
    name: name.replace(/^#+\s*/, "").replace(/^(?:recipe|title)\s*:\s*/i, ""),
    servings: servingsIn(fullText),
    prepMinutes: minutesIn(fullText, "prep(?:aration)?"),
    cookMinutes: minutesIn(fullText, "cook(?:ing)?|bak(?:e|ing)"),
    cuisine: null,
    tags: [],
    ingredientLines: parts.ingredients.filter((line) => readIngredientLine(line) !== null),
    instructions: [...head.filter((line) => !isFact(line)), ...parts.method]
      .map((line) => line.replace(STEP, ""))
      .join("\n"),
    sourceUrl: /https?:\/\/[^\s)>\]]+/.exec(fullText)?.[0] ?? null,
  };
}

function splitParts(lines: readonly string[]): Readonly<Record<Part, string[]>> {
  const parts: Record<Part, string[]> = { head: [], ingredients: [], method: [] };
  const hasHeadings = lines.some((line) => INGREDIENTS.test(line));
  let part: Part = "head";
  for (const line of lines) {
    if (INGREDIENTS.test(line)) part = "ingredients";
    else if (METHOD.test(line)) part = "method";
    else if (hasHeadings || part === "method") parts[part].push(line);
    else parts[withoutHeadings(line, parts)].push(line);
  }
  return parts;
}

/** Without headings the first line is the name, lines that begin like a list are ingredients. */
function withoutHeadings(line: string, parts: Readonly<Record<Part, string[]>>): Part {
  if (parts.head.length === 0 || isFact(line)) return "head";
  const isItem = LIST_ITEM.test(line) && !STEP.test(line) && line.length < 90;
  return isItem && parts.method.length === 0 ? "ingredients" : "method";
}

/** "Serves 4", "Prep: 10 min": told by columns of their own. */
function isFact(line: string): boolean {
  return (
    line.length < 60 &&
    /^(?:serves|servings|makes|yield|prep|preparation|cook|cooking|total|bake|baking|source|https?:)\b/i.test(
      line,
    )
  );
}

function servingsIn(text: string): number | null {
  const match =
    /\b(?:serves|servings|makes|yield)\s*:?\s*(?:about )?(\d{1,3})\b/i.exec(text) ??
    /\b(\d{1,3})\s+(?:servings|portions)\b/i.exec(text);
  const number = Number(match?.[1] ?? Number.NaN);
  return number >= 1 && number <= 100 ? number : null;
}

function minutesIn(text: string, what: string): number | null {
  const pattern = new RegExp(
    `\\b(?:${what})(?: time)?\\s*:?\\s*(?:(\\d+)\\s*(?:h|hr|hrs|hours?))?\\s*(?:(\\d+)\\s*(?:m|min|mins|minutes?))?\\b`,
    "gi",
  );
  for (const [, hours, minutes] of text.matchAll(pattern)) {
    if (hours !== undefined || minutes !== undefined) {
      return Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    }
  }
  return null;
}
