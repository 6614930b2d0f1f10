import { expect, test } from "vitest";
import { MEALS_ENTITY_TYPES } from "../../meals/entity-types.ts";
import { selectPointing } from "../../nodes/steps/pointing-references.ts";
import { EMPTY_REGISTRY } from "../../registry/entries.ts";
import { fold, readItems } from "../support/registry-events.ts";

const read = fold([readItems(1, 4)], EMPTY_REGISTRY);
const [first, second, third] = read.entries.map((entry, index) => ({
  ...entry,
  type: "inventory",
  label: ["Oven Wings", "oat milk", "Cod Tacos", "butter"][index] ?? "",
  facts: index === 1 ? "1 l, fridge" : "",
}));
if (first === undefined || second === undefined || third === undefined)
  throw new Error("Cannot read the rows");
const registry = { ...read, entries: [first, second, third] };
const shown = { registry, lastReply: "", entityTypes: MEALS_ENTITY_TYPES };
const listed = { ...shown, registry: { ...registry, listed: [first.ref, second.ref, third.ref] } };
const replied = { ...shown, lastReply: "Added: oat milk" };

test.each([
  ["the milk", shown, true],
  ["the one in the fridge", shown, true],
  ["it", shown, false],
  ["it", replied, true],
  ["es", replied, true],
  ["the item", replied, true],
  ["these", listed, true],
  ["the second one", listed, true],
  ["number 2", listed, true],
  ["den zweiten", listed, true],
  ["the last one", listed, false],
  ["the first one", listed, false],
  ["the second one", shown, false],
  ["a lot", listed, false],
  ["Horror", listed, false],
  ["the ones that nobody uses", listed, false],
])(
  "selectPointing() lets words mean a row that they can mean: %s",
  (text, conversation, counts) => {
    const reference = { text, ref: second.ref };

    expect(selectPointing([reference], conversation)).toEqual(counts ? [reference] : []);
  },
);
