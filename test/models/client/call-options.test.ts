import { expect, test } from "vitest";
import { z } from "zod";
import { chooseSchema } from "../../../models/client/call-options.ts";
import { startProfile, type ModelProfile } from "../../../models/profile/profile.ts";
import { renderSchemaType } from "../../../models/schema/render-schema-type.ts";
import { assertStrictSchema, nameSchema } from "../../../state/strict-schema.ts";
import { findDanglingReferences } from "../../support/json-references.ts";
import { modelRequest } from "../../support/model-requests.ts";
import { listMealsTools } from "../../support/sent-schemas.ts";

const AT = "2026-01-12T08:00:00.000Z";
const UNION: ModelProfile = {
  ...startProfile({ endpoint: "", model: "m", dialect: "chat" }, AT),
  tools: "union",
};

/** A tool whose definition has the name of another's, and one that refers to itself. */
function readTool(name: string, column: string) {
  const condition = z.object({ column: z.enum([column]) }).meta({ id: "condition" });
  const schema = z.object({ where: z.array(condition), either: z.array(condition) });
  return nameSchema(name, { description: `Reads ${name}.`, schema });
}
const Group = z.object({
  label: z.string(),
  get groups() {
    return z.array(Group);
  },
});

test("chooseSchema() gives a list of calls every definition that its tools refer to", () => {
  const tools = [
    readTool("read_meals", "day"),
    readTool("read_stock", "place"),
    nameSchema("save_groups", { description: "Saves groups.", schema: Group }),
  ];

  const list = chooseSchema(modelRequest({ tools }), UNION);

  expect(renderSchemaType(list?.schema ?? {}).split("\n")).toEqual([
    'type read_meals_condition = { column: "day" }',
    'type read_stock_condition = { column: "place" }',
    "type save_groups = { label: string, groups: save_groups[] }",
    "{",
    'calls: ({ tool: "read_meals", arguments: { where: read_meals_condition[], either: read_meals_condition[] } } | { tool: "read_stock", arguments: { where: read_stock_condition[], either: read_stock_condition[] } } | { tool: "save_groups", arguments: save_groups })[] // Reads read_meals.; Reads read_stock.; Saves groups.',
    "}",
  ]);
});

test("chooseSchema() of the meals' tools is a strict schema without dangling references", () => {
  const tools = [...new Map(listMealsTools().map((tool) => [tool.name, tool])).values()];

  const schema = chooseSchema(modelRequest({ tools }), UNION)?.schema ?? {};

  expect(() => assertStrictSchema(schema)).not.toThrow();
  expect(findDanglingReferences(schema)).toEqual([]);
});
