import { expect, test } from "vitest";
import { z } from "zod";
import { checkIds, dropIds, enumerateIds } from "../../nodes/ask/answer-ids.ts";
import { idSchema } from "../../state/ids.ts";
import { nameSchema, strictSchemaProblems } from "../../state/strict-schema.ts";

const NAMED = nameSchema("choice", {
  description: "A choice.",
  schema: z.object({
    steps: z.array(z.object({ refs: z.array(idSchema("ref")), items: z.string() })),
    option: z.object({ ref: idSchema("ref").nullable() }).nullable(),
    picked: z.array(z.object({ ref: idSchema("ref") })),
    completed: z.array(idSchema("step")).nullable(),
  }),
});
const SHOWN = { ref: ["recipe_1", "inv_2"], step: ["step_1"] };

test("nameSchema() finds every place that takes an id, and sends no keyword that endpoints refuse", () => {
  expect(NAMED.ids).toEqual([
    { kind: "ref", pointer: pointer("properties steps items properties refs items") },
    { kind: "ref", pointer: pointer("properties option anyOf 0 properties ref") },
    { kind: "ref", pointer: pointer("properties picked items properties ref") },
    { kind: "step", pointer: pointer("properties completed anyOf 0 items") },
  ]);
  expect(JSON.stringify(NAMED.schema)).not.toContain('"ids"');
});

test("enumerateIds() writes the shown ids into every place that takes one, and nowhere else", () => {
  const { schema } = enumerateIds(NAMED, SHOWN);

  expect(strictSchemaProblems(schema)).toEqual([]);
  expect(schema).toMatchObject({
    properties: {
      steps: {
        items: {
          properties: { refs: { items: { enum: SHOWN.ref } }, items: { type: "string" } },
        },
      },
      option: {
        anyOf: [{ properties: { ref: { enum: [...SHOWN.ref, null] } } }, { type: "null" }],
      },
      completed: { anyOf: [{ items: { enum: ["step_1"] } }, { type: "null" }] },
    },
  });
  expect(JSON.stringify(schema).match(/"enum"/gu)).toHaveLength(4);
});

test.each([
  ["no id is shown", []],
  ["a strict schema cannot hold so many", Array.from({ length: 400 }, (_, n) => `inv_${n}`)],
])("enumerateIds() leaves the schema as it is when %s", (_, ref) => {
  expect(enumerateIds(NAMED, { ref }).schema).toBe(NAMED.schema);
});

const ANSWER = {
  steps: [{ refs: ["recipe_1", "recipe_9"], items: "recipe_9" }],
  option: { ref: null },
  picked: [{ ref: "inv_2" }, { ref: "inv_9" }],
  completed: ["step_9"],
};

test("checkIds() names every id that was not shown, by its place", () => {
  expect(checkIds(ANSWER, NAMED, SHOWN).map(({ problem }) => problem.split(" cannot")[0])).toEqual([
    'steps.0.refs.1: ref "recipe_9"',
    'picked.1.ref: ref "inv_9"',
    'completed.0: step "step_9"',
  ]);
});

test("checkIds() checks no kind that the prompt is not said to show", () => {
  expect(checkIds(ANSWER, NAMED, { step: ["step_9"] })).toEqual([]);
});

test("dropIds() leaves the ids that were shown, and whole entries of lists", () => {
  expect(dropIds(ANSWER, checkIds(ANSWER, NAMED, SHOWN))).toEqual({
    steps: [{ refs: ["recipe_1"], items: "recipe_9" }],
    option: { ref: null },
    picked: [{ ref: "inv_2" }],
    completed: [],
  });
});

function pointer(keys: string): string[] {
  return keys.split(" ");
}
