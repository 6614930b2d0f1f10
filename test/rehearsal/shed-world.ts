import type { World } from "../../models/rehearsal/index.ts";

/** What the rehearsal model knows of tool sheds: nothing of food. */
export const SHED: World = {
  parts: { choices: "tools", made: "projects", stock: null, schedule: "loans", wanted: null },
  nouns: { lent: "loans", borrowed: "loans" },
  values: {},
  choiceWords: ["tool"],
  uses: ["borrow", "use"],
  kinds: { electric: ["battery", "mains"] },
  diets: {},
  things: ["battery", "drill", "saw", "sander", "bird box"],
  tags: [],
  units: ["boards", "screws"],
  size: { column: "people", usual: 1 },
  usualTime: null,
  groupedBy: [],
  examples: ["what could I borrow?"],
  find: () => null,
  collect: () => null,
  makeUp: ({ what }) => ({
    fields: {
      name: what,
      hours: 2,
      instructions: "Cut the boards to size and screw them together.",
    },
    children: {
      list: "materials",
      rows: [
        { name: "plank", quantity: 3, unit: "boards" },
        { name: "screws", quantity: 12 },
      ],
    },
  }),
  alter: () => null,
  fillSlots: () => [],
  names: (text, thing) => text.includes(thing),
  isPossible: () => true,
  minutesOf: () => null,
};
