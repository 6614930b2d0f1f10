import type { EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

/** Recipes with a parent recipe and ingredients that point at items. */
export const recipeType: EntityType = {
  type: "recipe",
  refPrefix: "recipe",
  table: "recipes",
  words: { one: "recipe", many: "recipes" },
  columns: [
    { name: "name", kind: "text", nullable: false, writable: true },
    { name: "minutes", kind: "integer", nullable: true, writable: true },
    { name: "instructions", kind: "text", nullable: true, writable: true },
    { name: "tags", kind: "tags", nullable: true, writable: true },
    {
      name: "parent_id",
      kind: "text",
      nullable: true,
      writable: true,
      references: "recipe",
    },
  ],
  children: [
    {
      name: "ingredients",
      table: "recipe_ingredients",
      foreignKey: "recipe_id",
      orderBy: "position",
      columns: [
        { name: "quantity", kind: "number", nullable: true, writable: true },
        { name: "unit", kind: "text", nullable: true, writable: true },
        { name: "name", kind: "text", nullable: false, writable: true },
        { name: "optional", kind: "boolean", nullable: false, writable: true },
        {
          name: "item_id",
          kind: "text",
          nullable: true,
          writable: true,
          references: "item",
        },
      ],
    },
  ],
  summary: ["name", "minutes", "parent_id"],
  orderBy: ["name"],
  label: (values) => readText(values, "name"),
  facts: (values) => (typeof values["minutes"] === "number" ? `${values["minutes"]} min` : ""),
};

/** Things on the shelves; their refs are short. */
export const itemType: EntityType = {
  type: "item",
  refPrefix: "inv",
  table: "inventory",
  words: { one: "inventory item", many: "inventory items" },
  columns: [
    { name: "name", kind: "text", nullable: false, writable: true },
    { name: "quantity", kind: "number", nullable: true, writable: true },
    {
      name: "location",
      kind: "choice",
      values: ["fridge", "pantry"],
      nullable: true,
      writable: true,
    },
  ],
  children: [],
  summary: ["name", "quantity", "location"],
  orderBy: ["name"],
  label: (values) => readText(values, "name"),
  facts: (values) => readText(values, "location"),
};

/** Slots that point at a recipe and name it in their facts. */
export const slotType: EntityType = {
  type: "slot",
  refPrefix: "meal",
  table: "meal_plans",
  words: { one: "planned meal", many: "planned meals" },
  columns: [
    { name: "date", kind: "date", nullable: false, writable: true },
    { name: "recipe_id", kind: "text", nullable: true, writable: true, references: "recipe" },
    { name: "notes", kind: "text", nullable: true, writable: true },
  ],
  children: [],
  summary: ["date", "recipe_id"],
  orderBy: ["date"],
  label: (values) => readText(values, "date"),
  facts: (values) => readText(values, "recipe_id"),
};

/** A small domain's entity types, for tests of everything that works for any domain. */
export const testTypes: readonly EntityType[] = [recipeType, itemType, slotType];

function readText(values: JsonObject, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value : "";
}
