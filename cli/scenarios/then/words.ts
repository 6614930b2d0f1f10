import { z } from "zod";
import type { EntityRow } from "../../../state/entity.ts";
import type { JsonObject } from "../../../state/json.ts";

/** Where each name stands in a text, by its place there; a name inside a longer one that is named does not count. */
export function namesIn(text: string, names: readonly string[]): readonly string[] {
  let rest = text.toLowerCase();
  const places: { readonly name: string; readonly at: number }[] = [];
  for (const name of [...new Set(names)].toSorted((a, b) => b.length - a.length)) {
    const at = placeOf(rest, name);
    if (at < 0) continue;
    places.push({ name, at });
    rest = rest.replaceAll(name.toLowerCase(), " ".repeat(name.length));
  }
  return places.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}

function placeOf(text: string, name: string): number {
  const pattern = name.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return text.search(new RegExp(String.raw`(?<![\p{L}\p{N}])${pattern}(?![\p{L}\p{N}])`, "u"));
}

/** A problem unless the condition holds. */
export function unless(holds: boolean, problem: string): readonly string[] {
  return holds ? [] : [problem];
}

/** A text value of a row; empty where there is none. */
export function textOf(values: JsonObject, column: string): string {
  const value = values[column];
  return typeof value === "string" ? value : "";
}

/** The named rows' values of one column. */
export function textsOf(rows: readonly EntityRow[], column: string): readonly string[] {
  return rows.map(({ values }) => textOf(values, column));
}

const IngredientSchema = z.object({
  name: z.string(),
  quantity: z
    .number()
    .nullish()
    .transform((value) => value ?? null),
  unit: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
});
/** A line of a recipe. */
export type Ingredient = z.infer<typeof IngredientSchema>;

/** A recipe's ingredients, of a row or a draft. */
export function ingredientsOf(values: JsonObject): readonly Ingredient[] {
  return z.array(IngredientSchema).parse(values["ingredients"] ?? []);
}

/** What of a recipe a text leaves out: its name, an ingredient, a sentence of the instructions. */
export function leftOutOf(text: string, recipe: JsonObject): readonly string[] {
  const said = plain(text);
  const wanted = [
    textOf(recipe, "name"),
    ...ingredientsOf(recipe).map(({ name }) => name),
    ...textOf(recipe, "instructions").split(/[.\n]/u),
  ];
  return wanted.map(plain).filter((part) => part.length > 2 && !said.includes(part));
}

/** Letters and digits only, so that Markdown, numbering and line breaks make no difference. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^\d+ /u, "");
}
