import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { defineTool } from "../../domain/define-tool.ts";
import type { DomainTool } from "../../state/domain.ts";
import { readEntities } from "../../domain/table-tools/read.ts";
import { readLimit } from "../../domain/table-tools/read-tool.ts";
import { mealsEntityType } from "../entity-types.ts";
import { mentionsFood } from "../food-words.ts";
import { searchScore } from "./search-score.ts";

const ROWS = { usual: 20, most: 100 };

const Parameters = z.strictObject({
  text: z.string().nullable().describe("words of the name"),
  use: z.array(z.string()).describe("ingredients, any of them, most first"),
  avoid: z.array(z.string()).describe("ingredients, none of them"),
  maxMinutes: z.number().nullable().describe("prep plus cook"),
  tags: z.array(z.string()).describe("all of them"),
  limit: z.number().nullable().describe("null: 20"),
});
type Search = z.output<typeof Parameters>;

/** Finds recipes by words, ingredients, time and tags, misspellings included. */
export const findRecipes: DomainTool = defineTool({
  name: "find_recipes",
  subdomain: "recipes",
  description: "Search recipes; misspelled words are found too.",
  parameters: Parameters,
  effect: "read",
  selectTable: () => "recipes",
  run: async (args, context) => {
    const limit = readLimit(args.limit, ROWS);
    const found = rankRecipes(await loadCandidates(context.tx), args);
    const ids = found.map((recipe) => recipe.id);
    const read = await readEntities(
      mealsEntityType("recipe"),
      {
        where: (bind) => `t.id = any(${bind(ids, "uuid[]")})`,
        orderBy: (bind) => `array_position(${bind(ids, "uuid[]")}, t.id)`,
        limit,
        detail: "summary",
      },
      context,
    );
    return { reads: [read], text: null };
  },
});

const CandidateRow = z.object({
  id: z.string(),
  name: z.string(),
  cuisine: z.string().nullable(),
  tags: z.array(z.string()),
  minutes: z.number().int().nullable(),
  ingredients: z.array(z.string()),
});

/** A recipe as far as the search looks at it. */
export type RecipeCandidate = z.infer<typeof CandidateRow>;

/** A person's recipes are few: they are ranked here, so that no database extension is needed. */
async function loadCandidates(tx: Queryable): Promise<RecipeCandidate[]> {
  const { rows } = await tx.query(
    `select t.id::text as id, t.name, t.cuisine, t.tags,
            case when t.prep_minutes is null and t.cook_minutes is null then null
                 else coalesce(t.prep_minutes, 0) + coalesce(t.cook_minutes, 0) end as minutes,
            array(select c.name from recipe_ingredients c
                   where c.recipe_id = t.id order by c.position, c.id) as ingredients
       from recipes t order by t.created_at, t.id`,
  );
  return rows.map((row) => CandidateRow.parse(row));
}

/**
 * The recipes that a search finds, the best first and equals in their given order.
 *
 * With a time limit, recipes whose time is not known are left out.
 */
export function rankRecipes(
  recipes: readonly RecipeCandidate[],
  search: Omit<Search, "limit">,
): RecipeCandidate[] {
  return recipes
    .filter((recipe) => fits(recipe, search))
    .map((recipe) => ({ recipe, score: scoreRecipe(recipe, search) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ recipe }) => recipe);
}

function fits(
  recipe: RecipeCandidate,
  { avoid, maxMinutes, tags }: Omit<Search, "limit">,
): boolean {
  const texts = [recipe.name, ...recipe.ingredients, ...recipe.tags];
  const isAvoided = avoid.some((food) => texts.some((text) => mentionsFood(text, food)));
  const own = new Set(recipe.tags.map((tag) => tag.toLowerCase()));
  const hasTags = tags.every((tag) => own.has(tag.trim().toLowerCase()));
  const isQuick = maxMinutes === null || (recipe.minutes !== null && recipe.minutes <= maxMinutes);
  return !isAvoided && hasTags && isQuick;
}

/** 0 for what is not found at all. */
function scoreRecipe(recipe: RecipeCandidate, { text, use }: Omit<Search, "limit">): number {
  const used = use.filter((food) =>
    [recipe.name, ...recipe.ingredients].some((name) => mentionsFood(name, food)),
  ).length;
  if (use.length > 0 && used === 0) return 0;
  const words = text ?? "";
  if (words.trim() === "") return 1 + used;
  const inName = searchScore(recipe.name, words);
  const around = [recipe.name, recipe.cuisine ?? "", ...recipe.tags, ...recipe.ingredients].join(
    " ",
  );
  const anywhere = searchScore(around, words) / 2;
  const best = Math.max(inName, anywhere);
  return best === 0 ? 0 : best + used;
}
