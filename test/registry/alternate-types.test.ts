import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { alternateTypes } from "../../registry/alternate-types.ts";

test("alternateTypes() gives one of each type in turn, each type in its order", () => {
  expect(alternateTypes(["a1", "a2", "a3", "b1", "b2"], readType)).toEqual([
    "a1",
    "b1",
    "a2",
    "b2",
    "a3",
  ]);
});

property.prop([fc.array(fc.constantFrom("a", "b", "c", "d")), fc.nat(40)])(
  "alternateTypes() puts no type twice before another has its first",
  (items, length) => {
    const all = alternateTypes(items, readType);
    const first = all.slice(0, length);
    const counts = Map.groupBy(first, readType);
    const isFair = [...counts.values()].every(({ length: count }) => count < 2);

    expect(all.toSorted()).toEqual(items.toSorted());
    expect(isFair || counts.size === new Set(items).size).toBe(true);
  },
);

function readType(item: string): string {
  return item.slice(0, 1);
}
