import { fc, test as lawTest } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { z } from "zod";
import { snakeCaseCodec, toSnakeCase } from "../../state/codec.ts";
import { RegistryEntrySchema } from "../../state/registry.ts";
import { StepTypeSchema } from "../../state/plan.ts";
import {
  ConversationPhaseSchema,
  StepExecutionSummarySchema,
  ToneSchema,
  TurnExecutionSummarySchema,
  type TurnExecutionSummary,
} from "../../state/turn-summary.ts";
import { readYaml } from "../support/read-yaml.ts";

/** The fields of the founding document's Pydantic models. */
const PYDANTIC = readYaml(
  new URL("pydantic-models.yaml", import.meta.url),
  z.object({
    StepExecutionSummary: z.array(z.string()),
    TurnExecutionSummary: z.array(z.string()),
  }),
);

test.each([
  ["StepExecutionSummary", StepExecutionSummarySchema, PYDANTIC.StepExecutionSummary],
  ["TurnExecutionSummary", TurnExecutionSummarySchema, PYDANTIC.TurnExecutionSummary],
] as const)(
  "%s holds every field of the Python model, first and in its order",
  (_, schema, fields) => {
    const keys = Object.keys(schema.shape).map(toSnakeCase);

    expect(keys.slice(0, fields.length)).toEqual(fields);
  },
);

const text = fc.string({ unit: "grapheme" });
const refs = fc.array(fc.stringMatching(/^(gen_)?[a-z]+_\d+$/));
const step = fc.record({
  description: text,
  stepType: fc.constantFrom(...StepTypeSchema.options),
  subdomain: text,
  outcome: text,
  note: fc.option(text),
  entitiesAffected: refs,
  warnings: fc.array(text),
});
const effect = fc.record({
  effectId: fc.nat(),
  action: fc.constantFrom("created" as const, "updated" as const, "deleted" as const),
  ref: text,
  type: text,
  table: text,
  label: text,
  facts: text,
  change: fc.option(text),
  step: fc.nat(),
});
const record: fc.Arbitrary<TurnExecutionSummary> = fc.record({
  turnNumber: fc.integer({ min: 1, max: 1_000_000 }),
  userMessage: text,
  goal: text,
  steps: fc.array(step),
  curationSummary: fc.option(text),
  retainedRefs: refs,
  demotedRefs: refs,
  analysisConclusions: fc.option(text),
  responseSummary: text,
  conversationPhase: fc.constantFrom(...ConversationPhaseSchema.options),
  tone: fc.constantFrom(...ToneSchema.options),
  whatUserExpressed: text,
  whatWeAcknowledged: text,
  naturalNext: text,
  decision: fc.option(fc.constantFrom("answer" as const, "plan" as const)),
  reasoning: fc.option(text),
  blockedReason: fc.option(text),
  effects: fc.array(effect),
  wishes: fc.constant(null),
  notices: fc.array(fc.record({ node: text, code: text, text })),
  failure: fc.option(
    fc.record({ outcome: fc.constantFrom("degraded" as const, "failed" as const), code: text }),
  ),
});

lawTest.prop([record])("snakeCaseCodec() gives a turn's record back as it was", (value) => {
  const codec = snakeCaseCodec(TurnExecutionSummarySchema);

  const encoded: unknown = JSON.parse(JSON.stringify(codec.encode(value)));

  expect(codec.decode(encoded)).toEqual(value);
});

/** zod leaves the key `__proto__` out of whatever it reads, so that no JSON can reach a prototype. */
const jsonObject = fc
  .dictionary(fc.string(), fc.jsonValue())
  .filter((value) => !JSON.stringify(value).includes('"__proto__"'));

lawTest.prop([jsonObject])(
  "snakeCaseCodec() leaves the keys of data inside a model alone",
  (row) => {
    const codec = snakeCaseCodec(
      RegistryEntrySchema.pick({ ref: true, row: true, rowVersion: true }),
    );
    const plain: unknown = JSON.parse(JSON.stringify(row));
    const value = { ref: "recipe_1", row: plain as Record<string, never>, rowVersion: 2 };

    const encoded = codec.encode(value);

    expect(encoded).toEqual({ ref: "recipe_1", row: plain, row_version: 2 });
    expect(codec.decode(encoded)).toEqual(value);
  },
);

test("snakeCaseCodec() refuses a key that would not come back", () => {
  expect(() => snakeCaseCodec(z.object({ user_name: z.string() }))).toThrow(
    new TypeError('Cannot encode key "user_name" in snake_case: it would not come back'),
  );
});

test("snakeCaseCodec() renames inside unions, lists and nullable parts", () => {
  const codec = snakeCaseCodec(
    z.object({
      theParts: z
        .array(z.union([z.object({ aKey: z.number() }), z.object({ bKey: z.string() }), z.null()]))
        .nullable(),
    }),
  );
  const value = { theParts: [{ aKey: 1 }, null, { bKey: "x" }] };

  const encoded = codec.encode(value);

  expect(encoded).toEqual({ the_parts: [{ a_key: 1 }, null, { b_key: "x" }] });
  expect(codec.decode(encoded)).toEqual(value);
});
