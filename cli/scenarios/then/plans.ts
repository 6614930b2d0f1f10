import { z } from "zod";
import { changesOf, replyOf } from "../facts.ts";
import type { EntityRow } from "../../../state/entity.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import { namesIn, textOf, textsOf, unless } from "./words.ts";

/** Meals that are put on the plan. */
export const PLANS: readonly Then[] = [
  {
    scenario: "ordinals",
    turn: 1,
    text: "the refs are those listed first and third; dates 2026-01-13 and 2026-01-14; the reply names what was stored",
    problems: ({ turn, turns }) => {
      const listed = namesIn(
        turns[0] === undefined ? "" : replyOf(turns[0]),
        textsOf(turn.before["recipes"] ?? [], "name"),
      );
      const wanted = [
        `2026-01-13 dinner: ${listed[0] ?? "(nothing was listed first)"}`,
        `2026-01-14 dinner: ${listed[2] ?? "(nothing was listed third)"}`,
      ];
      const stored = (changesOf(turn)["meal_plans"]?.created ?? []).map(
        ({ values }) =>
          `${textOf(values, "date")} ${textOf(values, "slot")}: ${recipeName(turn, values["recipe_id"])}`,
      );
      const names = wanted.map((line) => line.replace(/^.*?: /u, ""));
      return [
        ...unless(
          stored.toSorted().join("; ") === wanted.join("; "),
          `expected ${wanted.join("; ")}, found ${stored.join("; ")}`,
        ),
        ...unless(
          namesIn(replyOf(turn), names).length === 2,
          `the reply does not name ${names.join(" and ")}: ${replyOf(turn)}`,
        ),
      ];
    },
  },
  {
    scenario: "counts-hold",
    turn: 1,
    text: "ten slots, eight filled, the two named ones empty; portions of leftovers add up",
    problems: ({ turn }) => {
      const filled = (turn.after["meal_plans"] ?? [])
        .filter(({ values }) => SLOTS.includes(slotOf(values)))
        .map(({ values }) => slotOf(values));
      const wanted = SLOTS.filter((slot) => !EMPTY_SLOTS.has(slot));
      return [
        ...unless(
          filled.toSorted().join("; ") === wanted.toSorted().join("; "),
          `expected ${wanted.join("; ")}, found ${filled.join("; ")}`,
        ),
        ...portionProblems(turn),
      ];
    },
  },
];

const DAYS = ["2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16", "2026-01-17"];
const SLOTS = DAYS.flatMap((date) => [`${date} lunch`, `${date} dinner`]);
const EMPTY_SLOTS = new Set(["2026-01-14 dinner", "2026-01-16 lunch"]);

function slotOf(values: EntityRow["values"]): string {
  return `${textOf(values, "date")} ${textOf(values, "slot")}`;
}

function recipeName(turn: PlayedTurn, id: unknown): string {
  const recipe = (turn.after["recipes"] ?? []).find((row) => row.id === id);
  return recipe === undefined ? "no recipe" : textOf(recipe.values, "name");
}

const MealSchema = z.object({
  date: z.string(),
  slot: z.string(),
  title: z.string(),
  servings: z.number().nullable(),
  leftovers: z.boolean(),
});

/** Of each dish of the plan, no more is eaten as leftovers than the cooks before it left over. */
function portionProblems(turn: PlayedTurn): readonly string[] {
  const [preferences] = turn.before["preferences"] ?? [];
  const household = z.number().parse(preferences?.values["household_size"]);
  const meals = (changesOf(turn)["meal_plans"]?.created ?? [])
    .map(({ values }) => MealSchema.parse(values))
    .toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
  const left = new Map<string, number>();
  const problems: string[] = [];
  for (const { title, servings, leftovers, date, slot } of meals) {
    const portions = servings ?? household;
    const before = left.get(title) ?? 0;
    const change = leftovers ? -portions : portions - household;
    left.set(title, before + change);
    if (portions < household) problems.push(`${title} on ${date} ${slot} feeds ${portions}`);
    if (before + change < 0) {
      problems.push(`leftovers of ${title} on ${date} ${slot}: ${portions} eaten, ${before} left`);
    }
  }
  return problems;
}

/** Lunch comes before dinner. */
function timeOf({ date, slot }: { readonly date: string; readonly slot: string }): string {
  return `${date} ${slot === "lunch" ? 1 : 2}`;
}
