import type { Column, EntityType } from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";

function column(name: string, kind: Column["kind"], options: Partial<Column> = {}): Column {
  return { name, kind, set: "always", ...options };
}

/** Recipes with a parent recipe and ingredients that point at items. */
export const recipeType: EntityType = {
  type: "recipe",
  refPrefix: "recipe",
  table: "recipes",
  words: { one: "recipe", many: "recipes" },
  rights: ["read", "create", "update", "delete"],
  columns: [
    column("name", "text", { nullable: false }),
    column("minutes", "integer"),
    column("instructions", "text"),
    column("tags", "tags"),
    column("parent_id", "text", { references: "recipe" }),
  ],
  lists: [
    {
      kind: "inline",
      name: "ingredients",
      table: "recipe_ingredients",
      foreignKey: "recipe_id",
      orderBy: "position",
      columns: [
        column("quantity", "number"),
        column("unit", "text"),
        column("name", "text", { nullable: false }),
        column("optional", "boolean", { nullable: false }),
        column("item_id", "text", { references: "item" }),
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
  rights: ["read", "create", "update", "delete"],
  columns: [
    column("name", "text", { nullable: false }),
    column("quantity", "number"),
    column("location", "choice", { values: ["fridge", "pantry"] }),
  ],
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
  rights: ["read", "create", "update", "delete"],
  columns: [
    column("date", "date", { nullable: false }),
    column("recipe_id", "text", { references: "recipe" }),
    column("notes", "text"),
  ],
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
