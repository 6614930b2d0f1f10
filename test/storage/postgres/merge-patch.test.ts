import { fc, test as lawTest } from "@fast-check/vitest";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../state/json.ts";
import { mergePatch } from "../../../storage/postgres/merge-patch.ts";

/** From RFC 7396, appendix A, those that are objects. */
test.each<[JsonObject, JsonObject, JsonObject]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("mergePatch() %j with %j is %j", (target, patch, merged) => {
  expect(mergePatch(target, patch)).toEqual(merged);
});

test("mergePatch() takes a key of every object for a key", () => {
  expect(mergePatch({}, { toString: { constructor: 1 } })).toEqual({
    toString: { constructor: 1 },
  });
});

const OBJECT = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

lawTest.prop([OBJECT, OBJECT])(
  "mergePatch() applied twice is as applied once, and no null of it is left",
  (target, patch) => {
    const once = mergePatch(target, patch);
    expect(mergePatch(once, patch)).toEqual(once);
    const removed = Object.keys(patch).filter((key) => patch[key] === null);
    expect(removed.filter((key) => Object.hasOwn(once, key))).toEqual([]);
  },
);
