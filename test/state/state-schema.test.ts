import { expect, test } from "vitest";
import {
  joinChannelSchemas,
  readChannelSchemas,
  removeDescriptions,
} from "../../state/state-schema.ts";
import { findDanglingReferences } from "../support/json-references.ts";

test("joinChannelSchemas() keeps definitions of one name in two channels apart, at the root", () => {
  const names = listSchema("string");

  const joined = joinChannelSchemas({ names, counts: listSchema("number") });

  expect(joined).toEqual({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      names: { type: "array", items: { $ref: "#/definitions/names.one" } },
      counts: { type: "array", items: { $ref: "#/definitions/counts.one" } },
    },
    definitions: { "names.one": { type: "string" }, "counts.one": { type: "number" } },
  });
  expect(findDanglingReferences(joined)).toEqual([]);
  expect(findDanglingReferences({ properties: { names } })).toEqual(["#/definitions/one"]);
});

test("removeDescriptions() removes every description, but no property and no data of that name", () => {
  const described = {
    type: "object",
    description: "a step",
    properties: {
      description: { type: "string", description: "what is done" },
      kind: { anyOf: [{ const: "a", description: "one" }, { type: "null" }] },
      list: { type: "array", items: { type: "string", description: "an item" } },
    },
    default: { description: "none" },
  };

  expect(removeDescriptions(described)).toEqual({
    type: "object",
    properties: {
      description: { type: "string" },
      kind: { anyOf: [{ const: "a" }, { type: "null" }] },
      list: { type: "array", items: { type: "string" } },
    },
    default: { description: "none" },
  });
});

test("readChannelSchemas() describes no field by what a model is to write into it", () => {
  const { understanding, plan } = readChannelSchemas();
  expect([understanding, plan].map((channel) => channel && removeDescriptions(channel))).toEqual([
    understanding,
    plan,
  ]);
  expect(JSON.stringify(understanding)).toContain('"needs"');
});

function listSchema(type: string) {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "array",
    items: { $ref: "#/definitions/one" },
    definitions: { one: { type } },
  };
}
