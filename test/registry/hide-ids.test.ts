import { expect, test } from "vitest";
import { mealsEntityType } from "../../meals/entity-types.ts";
import type { Column } from "../../state/entity.ts";
import type { RegistryEvent } from "../../state/registry.ts";
import { blotIds, createIdHider, isUuid } from "../../registry/hide-ids.ts";
import { toId } from "../support/arbitraries.ts";
import { fold, readRecipes } from "../support/registry-events.ts";

const RECIPE = mealsEntityType("recipe");

test("createIdHider() puts refs in place of known ids of twelve characters or more, and leaves the rest", () => {
  const rows = [
    { id: "row:26/al(1)", rowVersion: 1, values: { name: "Broth" } },
    { id: "17", rowVersion: 1, values: { name: "Short" } },
  ];
  const others: RegistryEvent = { ...readRecipes(1, []), rows };
  const hideIds = createIdHider(fold([readRecipes(1, ["Curry"]), others]), [RECIPE]);
  const text = `${toId("recipe", 0).toUpperCase()}, ROW:26/al(1), 17 and ${toId("recipe", 5)}`;
  expect(hideIds(text)).toBe(`recipe_1, recipe_2, 17 and ${toId("recipe", 5)}`);
});

test("createIdHider() puts no ref in place of an id that rows of two types have", () => {
  const rows = [{ id: "INV-2026-00017", rowVersion: 1, values: { name: "Broth" } }];
  const read = { ...readRecipes(1, []), rows };
  const hideIds = createIdHider(fold([read, { ...read, type: "item" }]), [RECIPE]);
  expect(hideIds("paid: INV-2026-00017")).toBe("paid: [id]");
});

test.each([
  [true, "paid: INV-2026-00017"],
  [false, "paid: recipe_1"],
])("createIdHider() leaves a key whose column people see (%j)", (visible, text) => {
  const rows = [{ id: "INV-2026-00017", rowVersion: 1, values: {} }];
  const number: Column = { name: "number", kind: "text", visible };
  const type = { ...RECIPE, key: { column: "number", kind: "text" } as const, columns: [number] };
  const hideIds = createIdHider(fold([{ ...readRecipes(1, []), rows }]), [type]);
  expect(hideIds("paid: INV-2026-00017")).toBe(text);
});

test.each([
  [toId("recipe", 0), true],
  [`${toId("recipe", 0)} `, false],
  ["recipe_1", false],
  ["", false],
])("isUuid() tells %j", (text, uuid) => {
  expect(isUuid(text)).toBe(uuid);
});

test("blotIds() blots out whatever looks like an id", () => {
  expect(blotIds(`row ${toId("item", 1)} failed`)).toBe("row [id] failed");
});
