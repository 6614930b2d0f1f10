import { expect, test } from "vitest";
import { joinChannelSchemas } from "../../state/state-schema.ts";
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

function listSchema(type: string) {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "array",
    items: { $ref: "#/definitions/one" },
    definitions: { one: { type } },
  };
}
