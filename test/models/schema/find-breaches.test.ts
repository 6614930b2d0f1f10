import { describe, expect, test } from "vitest";
import { z } from "zod";
import { findStrictBreaches } from "../../../models/schema/find-breaches.ts";
import { toStrictSchema } from "../../../state/strict-schema.ts";

const Node = z.object({
  label: z.string(),
  get children() {
    return z.array(Node);
  },
});
const SCHEMA = toStrictSchema(
  z.object({
    lane: z.enum(["task", "concierge"]),
    count: z.int().min(1).nullable(),
    part: z.number(),
    day: z.iso.date(),
    steps: z.array(z.object({ kind: z.literal("x"), title: z.string() })),
    look: z.object({ all: z.boolean(), type: z.string() }).nullable(),
    value: z.union([z.string(), z.number(), z.array(z.string())]),
    where: z.array(z.object({ column: z.string() }).meta({ id: "condition" })),
    shape: z.union([
      z.object({ kind: z.literal("circle"), radius: z.number() }),
      z.object({ kind: z.literal("box"), width: z.number(), height: z.number() }),
    ]),
  }),
);
const VALID = {
  lane: "task",
  count: 3,
  part: 2,
  day: "2026-01-12",
  steps: [{ kind: "x", title: "Shop" }],
  look: { all: true, type: "recipe" },
  value: ["a"],
  where: [{ column: "name" }],
  shape: { kind: "circle", radius: 1 },
};

describe("findStrictBreaches()", () => {
  test.each<[string, unknown]>([
    ["a valid answer", VALID],
    ["null where it may be", { ...VALID, count: null, look: null }],
    ["what endpoints enforce differently", { ...VALID, count: -5, day: "Monday" }],
    ["another branch", { ...VALID, shape: { kind: "box", width: 1, height: 2.5 }, value: 3 }],
  ])("finds nothing in %s", (_, value) => {
    expect(findStrictBreaches(value, SCHEMA)).toEqual([]);
  });

  test.each<[string, unknown, readonly string[]]>([
    ["no value", undefined, ["answer: not an object"]],
    ["a text", "task", ["answer: not an object"]],
    ["a list", [VALID], ["answer: not an object"]],
    ["a value outside an enum", { ...VALID, lane: "Task" }, ["lane: not one of the values"]],
    ["a number as text", { ...VALID, count: "3" }, ["count: wrong type"]],
    ["a part for a whole number", { ...VALID, count: 3.5 }, ["count: wrong type"]],
    ["null where it may not be", { ...VALID, steps: null }, ["steps: wrong type"]],
    [
      "another constant",
      { ...VALID, steps: [{ kind: "y", title: "" }] },
      ["steps.0.kind: not one of the values"],
    ],
    ["missing keys", { ...VALID, look: {} }, ["look.all: missing", "look.type: missing"]],
    [
      "an unknown key, which it does not name",
      { ...VALID, "my secret": 1 },
      ["answer: unknown key"],
    ],
    ["a value of no branch", { ...VALID, value: { a: 1 } }, ["value: wrong type"]],
    ["a wrong item of a list", { ...VALID, value: [1] }, ["value.0: wrong type"]],
    ["a breach of a definition", { ...VALID, where: [{}] }, ["where.0.column: missing"]],
    [
      "the branch that fits best",
      { ...VALID, shape: { kind: "box", width: 1 } },
      ["shape.height: missing"],
    ],
  ])("finds %s", (_, value, breaches) => {
    expect(findStrictBreaches(value, SCHEMA)).toEqual(breaches);
  });

  test("follows a schema that refers to itself", () => {
    const value = { label: "a", children: [{ label: "b", children: [{ label: 3 }] }] };

    expect(findStrictBreaches(value, toStrictSchema(Node))).toEqual([
      "children.0.children.0.children: missing",
      "children.0.children.0.label: wrong type",
    ]);
  });
});
