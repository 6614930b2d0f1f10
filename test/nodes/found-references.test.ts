import { expect, test } from "vitest";
import { findReferences } from "../../nodes/steps/found-references.ts";

const ROWS = [
  ["person_1", "person", "Bea Novak"],
  ["person_2", "person", "Kate Mulligan"],
  ["person_3", "person", "Kate Osei"],
  ["gear_1", "gear", "Pop-up tent"],
  ["gear_2", "gear", "Smoke machine"],
  ["gear_3", "gear", "Rain machine"],
  ["place_1", "place", "North Pier"],
] as const;
const ENTRIES = ROWS.map(([ref, type, label]) => ({ ref, type, label, row: { name: label } }));
const TYPES = [
  { type: "person", table: "people", words: { one: "person", many: "people" } },
  { type: "gear", table: "gear", words: { one: "piece of gear", many: "gear" } },
  { type: "place", table: "places", words: { one: "place", many: "places" } },
];
const ALL = { refs: [], where: [], anyOf: [], after: null, limit: null };

/** A read of all rows of each type, with some of its arguments and results in their place. */
function read(args: object = {}, found: { readonly count?: number } = {}) {
  return TYPES.map(({ type, table }) => {
    const refs = ENTRIES.filter((entry) => entry.type === type).map(({ ref }) => ref);
    const call = { table, args: { ...ALL, ...args }, effect: "read" as const, ok: true };
    return { ...call, refs, count: refs.length, ...found };
  });
}

function find(request: string, calls = read()): readonly string[] {
  const found = findReferences({ request, calls, entries: ENTRIES, entityTypes: TYPES });
  return found.map(({ text, ref }) => `${text} > ${ref}`);
}

test.each<[string, readonly string[]]>([
  ["delete Bea", ["bea > person_1"]],
  ["can you delete Bea from the list please?", ["bea > person_1"]],
  ["delete the tent and the smoke machine", ["tent > gear_1", "smoke > gear_2"]],
  ["bea's out for good, remove her. kate signed today.", ["bea > person_1"]],
  ["Bea ist raus, lösche sie", ["bea > person_1"]],
  ["supprime Bea", ["bea > person_1"]],
  ["delete kate", []],
  ["delete the machine", []],
  ["remove Bea from the pier", []],
  ["delete Bea's attachment", []],
  ["bea's contract is void, remove it", []],
  ["bea and tom are out, remove them", []],
  ["bea is out. remove her", []],
  ["bea is out", []],
  ["show bea", []],
])("findReferences() finds what a word alone names to its end: %s", (request, found) => {
  expect(find(request).toSorted()).toEqual(found.toSorted());
});

const where = (column: string, op: string, value: string) => ({ where: [{ column, op, value }] });

test.each([
  ["a read of all rows", read(), true],
  ["one by that word", read(where("name", "ilike", "bea")), true],
  ["one by that word in a pattern", read(where("name", "ilike", "%Bea%")), true],
  ["one by another word", read(where("name", "ilike", "novak")), false],
  ["one by a part of the word", read(where("name", "ilike", "bea%")), false],
  ["one by a value", read(where("role", "=", "boom")), false],
  ["one in a column that the name does not show", read(where("notes", "ilike", "bea")), false],
  ["one of the first rows", read({}, { count: 9 }), false],
  ["one of named rows", read({ refs: ["person_1"] }), false],
  ["one of either of two", read({ anyOf: [{}] }), false],
  ["no read", [], false],
])("findReferences() trusts a word that no other row has, after %s", (_, calls, isTrusted) => {
  expect(find("delete Bea", calls)).toEqual(isTrusted ? ["bea > person_1"] : []);
});
