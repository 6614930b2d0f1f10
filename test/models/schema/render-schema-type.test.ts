import { describe, expect, test } from "vitest";
import { z } from "zod";
import { renderSchemaType } from "../../../models/schema/render-schema-type.ts";
import { countTokens } from "../../../models/tokens.ts";
import { toStrictSchema } from "../../../state/strict-schema.ts";
import { removeDescriptions } from "../../../state/state-schema.ts";
import { listMealsAnswers, listMealsTools } from "../../support/sent-schemas.ts";

const condition = z
  .object({ column: z.string(), op: z.enum(["=", "in"]) })
  .meta({ id: "condition" });
const Node = z.object({
  label: z.string().describe("its name"),
  get children() {
    return z.array(Node);
  },
});

describe("renderSchemaType()", () => {
  test("renders every form of a strict schema, with what a type cannot say as comments", () => {
    const schema = toStrictSchema(
      z.object({
        lane: z.enum(["task", "concierge"]).describe("the way\n  it takes"),
        kind: z.literal("x"),
        until_day: z.iso.date().nullable().describe("until day"),
        "odd key": z.boolean(),
        counts: z.array(z.int().min(1)).max(3),
        names: z.array(z.enum(["a", "b"]).nullable()),
        value: z.union([z.string(), z.number(), z.null(), z.array(z.string())]),
        where: z.array(condition),
        plain: z.object({ a: z.string(), b: z.object({ c: z.number() }).nullable() }),
        told: z.array(z.object({ a: z.string().describe("first") })).describe("all of them"),
        none: z.object({}),
      }),
    );

    expect(renderSchemaType(schema)).toBe(
      [
        'type condition = { column: string, op: "=" | "in" }',
        "{",
        'lane: "task" | "concierge" // the way it takes',
        'kind: "x"',
        "until_day: string | null // date",
        '"odd key": boolean',
        "counts: integer[] // at most 3 of them; at least 1",
        'names: ("a" | "b" | null)[]',
        "value: string | number | null | string[]",
        "where: condition[]",
        "plain: { a: string, b: { c: number } | null }",
        "told: {",
        "a: string // first",
        "}[] // all of them",
        "none: {}",
        "}",
      ].join("\n"),
    );
  });

  test("names a root that refers to itself", () => {
    expect(renderSchemaType(toStrictSchema(Node))).toBe(
      "type Answer = {\nlabel: string // its name\nchildren: Answer[]\n}\nAnswer",
    );
  });

  test("takes at most half of the tokens of the largest answer schemas, descriptions apart, and fewer for every tool", () => {
    const measured = listMealsAnswers()
      .slice(0, 2)
      .map(({ name, schema }) => ({ name, plain: removeDescriptions(schema) }))
      .map(({ name, plain }) => ({
        name,
        share: countTokens(renderSchemaType(plain)) / countTokens(JSON.stringify(plain)),
      }));

    expect(measured.map(({ name }) => name)).toEqual(["understand", "think"]);
    expect(measured.filter(({ share }) => share > 0.5)).toEqual([]);
    const longer = listMealsTools().filter(
      ({ schema }) => countTokens(renderSchemaType(schema)) >= countTokens(JSON.stringify(schema)),
    );
    expect(longer).toEqual([]);
  });
});
