import type { Domain } from "../state/domain.ts";

/** A plan with its call, in the kitchen's own types and columns; the goods are none that a kitchen has. */
export const MEALS_EXAMPLES: NonNullable<Domain["examples"]> = {
  think: {
    shown: ['Message: "put two desk lamps on the shopping list"'],
    answer: {
      reasoning: "One new line, all of which is known.",
      goal: null,
      decision: "plan",
      steps: [
        {
          description: "Add desk lamps to the shopping list",
          stepType: "write",
          subdomain: "shopping",
          group: 1,
          refs: [],
          writes: [],
        },
      ],
      calls: [
        {
          do: "create",
          step: 0,
          type: "shopping",
          refs: [],
          find: null,
          set: { columns: ["name", "quantity"], rows: [["desk lamps", 2]] },
        },
      ],
      asks: [],
    },
  },
};
