import { changesOf, eventsOf, replyOf } from "../facts.ts";
import type { PlayedTurn } from "../play.ts";
import type { Then } from "../then.ts";
import { shoppingProblems } from "./shopping.ts";
import { unless } from "./words.ts";

/** Shopping list and tasks. */
export const LISTS: readonly Then[] = [
  {
    scenario: "bulk-delete",
    turn: 0,
    text: "one explicit request needs no second confirmation; recipes and plan untouched",
    problems: ({ turn }) => [
      ...unless(turn.state.pending === null, `it asks: ${turn.state.pending?.text ?? ""}`),
      ...["recipes", "meal_plans"].flatMap((table) =>
        unless(isUntouched(turn, table), `"${table}" was changed`),
      ),
    ],
  },
  {
    scenario: "bulk-delete",
    turn: 1,
    text: "a true count from the database",
    problems: ({ turn }) => {
      const looks = eventsOf(turn, "tool-end").filter(
        ({ table, ok, effect }) => table === "shopping_list" && ok && effect === "read",
      );
      return [
        ...unless(looks.length > 0, "the shopping list was not looked at"),
        ...unless(
          (turn.after["shopping_list"] ?? []).length === 0,
          "the shopping list is not empty",
        ),
        ...unless(EMPTY.test(replyOf(turn)), `the reply does not say so: ${replyOf(turn)}`),
      ];
    },
  },
  {
    scenario: "shopping-math",
    turn: 0,
    text: "equal ingredients are summed in one unit, what the inventory holds is subtracted, volume and weight are not mixed, every line names its sources",
    problems: ({ turn }) => shoppingProblems(turn),
  },
];

const EMPTY = /\b(?:empty|nothing|none|no (?:items|lines|things)|0|zero)\b/iu;

function isUntouched(turn: PlayedTurn, table: string): boolean {
  const changes = changesOf(turn)[table];
  return (
    changes !== undefined &&
    changes.created.length + changes.updated.length + changes.deleted.length === 0
  );
}
