import { fc, test as law } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ShapeNameSchema, StanceNameSchema, type ShapeName } from "../../state/analysis.ts";
import { chooseStance, selectStance } from "../../claim-analysis/stance.ts";
import { readYaml } from "../support/read-yaml.ts";

const RowsSchema = z.array(
  z.object({ message: z.string(), shape: ShapeNameSchema, stance: StanceNameSchema }),
);

describe.each(["own-stances.yaml", "blind-stances.yaml"])("selectStance() on %s", (file) => {
  const rows = readYaml(new URL(file, import.meta.url), RowsSchema);

  test("the table has rows", () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
  });

  test.each(rows)("$message ($shape) is $stance, or left to the shape", (row) => {
    const { message, shape, stance } = row;
    const byShape = chooseStance("none", shape).name;
    expect([stance, byShape]).toContain(selectStance(message, shape).name);
  });
});

test.each([
  ["Stress test my plan and tell me which one.", "challenge"],
  ["Here it is. Poke holes in it, please", "challenge"],
  ["play devil’s advocate", "challenge"],
  ["What am I missing?", "challenge"],
  ["heat pump or gas boiler. pick one.", "decide"],
  ["Which one would you take?", "decide"],
  ["I'd like to think out loud about it", "explore"],
  ["don't pick one", "default"],
  ['my boss said "pick one"', "default"],
] as const)("selectStance() reads %j as %s", (message, stance) => {
  expect(selectStance(message, "settled").name).toBe(stance);
});

test("chooseStance() says why, and how sure it is", () => {
  expect(chooseStance("challenge", "tradeoff")).toEqual({
    name: "challenge",
    reason: "the message asks for its thinking to be tested",
    confidence: 0.9,
  });
  expect(chooseStance("none", "contextual")).toEqual({
    name: "explore",
    reason: "the words do not say, and the map is contextual",
    confidence: 0.5,
  });
});

const anyShape: fc.Arbitrary<ShapeName> = fc.constantFrom(...ShapeNameSchema.options);
const pieces = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 10 }),
      fc.constantFrom(
        "should I",
        " or ",
        "poke holes in",
        '"',
        "`",
        "my plan",
        "don't ",
        "which one",
        "\n",
        "?",
        "explore ",
        "write ",
        "-a",
      ),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(" "));

law.prop([pieces, anyShape])("selectStance() answers any text", (message, shape) => {
  const { name, confidence, reason } = selectStance(message, shape);
  expect(StanceNameSchema.options).toContain(name);
  expect(confidence).toBeGreaterThanOrEqual(0.5);
  expect(confidence).toBeLessThanOrEqual(0.95);
  expect(reason).not.toBe("");
});

test.each(["should i ", "don't ", "which ", "write a ", "the plan ", '"', "a-", "holes ", "\n"])(
  "selectStance() takes a hundred thousand characters of %j",
  (piece) => {
    const message = piece.repeat(100_000 / piece.length);
    expect(StanceNameSchema.options).toContain(selectStance(message, "settled").name);
  },
);
