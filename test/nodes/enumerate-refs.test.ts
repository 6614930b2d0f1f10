import { expect, test } from "vitest";
import { z } from "zod";
import { enumerateRefs } from "../../nodes/ask/enumerate-refs.ts";
import { strictSchemaProblems, toStrictSchema } from "../../state/strict-schema.ts";

const SCHEMA = toStrictSchema(
  z.object({
    steps: z.array(z.object({ refs: z.array(z.string()), description: z.string() })),
    option: z.object({ ref: z.string().nullable() }).nullable(),
    drop: z.array(z.string()),
  }),
);

test("enumerateRefs() writes the refs into every place that takes one, and nowhere else", () => {
  const enumerated = enumerateRefs(SCHEMA, ["recipe_1", "inv_2"]);

  expect(strictSchemaProblems(enumerated)).toEqual([]);
  expect(enumerated).toMatchObject({
    properties: {
      steps: {
        items: {
          properties: {
            refs: { items: { type: "string", enum: ["recipe_1", "inv_2"] } },
            description: { type: "string" },
          },
        },
      },
      option: {
        anyOf: [
          { properties: { ref: { type: ["string", "null"], enum: ["recipe_1", "inv_2", null] } } },
          { type: "null" },
        ],
      },
      drop: { items: { type: "string", enum: ["recipe_1", "inv_2"] } },
    },
  });
});

test.each([
  ["no ref is shown", []],
  ["a strict schema cannot hold so many", Array.from({ length: 400 }, (_, n) => `inv_${n}`)],
])("enumerateRefs() leaves the schema as it is when %s", (_, refs) => {
  expect(enumerateRefs(SCHEMA, refs)).toBe(SCHEMA);
});
