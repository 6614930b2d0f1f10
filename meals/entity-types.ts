import type { JsonObject } from "../state/json.ts";
import type { Column, EntityType, InlineList, Right } from "../state/entity.ts";
import { amountWords } from "./amount-words.ts";
import { CATEGORIES } from "./categories.ts";
import {
  dayWords,
  ingredientNames,
  readNumberField,
  readTextField,
  readTextListField,
} from "./read-values.ts";

/** The places where food is kept, in listing order. */
export const LOCATIONS = ["pantry", "fridge", "freezer", "counter"] as const;
/** The meals of a day, in order. */
export const SLOTS = ["breakfast", "lunch", "dinner", "snack", "other"] as const;

type ColumnOptions = Partial<Omit<Column, "name" | "kind">>;

function column(name: string, kind: Column["kind"], options: ColumnOptions = {}): Column {
  return { name, kind, set: "always", ...options };
}

/** Lines that are meant to be crossed off: a whole list of them may go at once. */
const MANY_LINES = { above: 50, unnamed: true } as const;

const REQUIRED = { nullable: false } as const;
/** Always there: the database gives a value where a creation does not. */
const FILLED = { nullable: false, hasDefault: true } as const;
/** People keep their own kitchen: everything may be changed by asking for it. */
const RIGHTS: readonly Right[] = ["read", "create", "update", "delete"];

const INGREDIENTS_OF_RECIPE: InlineList = {
  kind: "inline",
  name: "ingredients",
  table: "recipe_ingredients",
  foreignKey: "recipe_id",
  orderBy: "position",
  columns: [
    column("name", "text", REQUIRED),
    column("quantity", "number"),
    column("unit", "text"),
    column("note", "text", { about: "how it is prepared" }),
    column("optional", "boolean", FILLED),
  ],
};

const RECIPE: EntityType = {
  type: "recipe",
  refPrefix: "recipe",
  table: "recipes",
  words: { one: "recipe", many: "recipes", also: ["dishes"] },
  rights: RIGHTS,
  columns: [
    column("name", "text", REQUIRED),
    column("servings", "integer", FILLED),
    column("prep_minutes", "integer"),
    column("cook_minutes", "integer"),
    column("cuisine", "text"),
    column("tags", "tags", FILLED),
    column("instructions", "text"),
    column("source_url", "text"),
    column("parent_id", "text", { references: "recipe", about: "the recipe it varies" }),
  ],
  lists: [INGREDIENTS_OF_RECIPE],
  summary: ["name", "servings", "prep_minutes", "cook_minutes", "tags", "ingredients"],
  orderBy: ["created_at"],
  label: (values) => readTextField(values, "name"),
  facts: (values) => {
    const main = ingredientNames(values).slice(0, 3).join(", ");
    const minutes =
      (readNumberField(values, "prep_minutes") ?? 0) +
      (readNumberField(values, "cook_minutes") ?? 0);
    return joinFacts([main, minutes === 0 ? "" : `${minutes} min`]);
  },
};

const INGREDIENT: EntityType = {
  type: "ingredient",
  refPrefix: "ing",
  table: "ingredients",
  words: { one: "catalogue ingredient", many: "catalogue ingredients" },
  rights: RIGHTS,
  columns: [
    column("name", "text", REQUIRED),
    column("aliases", "tags", FILLED),
    column("category", "choice", { values: CATEGORIES }),
    column("grams_per_ml", "number", { about: "density" }),
  ],
  summary: ["name", "category"],
  orderBy: ["name"],
  label: (values) => readTextField(values, "name"),
  facts: (values) => readTextField(values, "category"),
};

const INVENTORY_ITEM: EntityType = {
  type: "inventory",
  refPrefix: "inv",
  table: "inventory",
  words: {
    one: "inventory item",
    many: "inventory items",
    also: ["inventory", "stock", "kitchen", "fridge", "freezer", "pantry"],
  },
  rights: RIGHTS,
  columns: [
    column("name", "text", REQUIRED),
    column("quantity", "number", { about: "null: some" }),
    column("unit", "text", { about: "null: pieces" }),
    column("location", "choice", { ...FILLED, values: LOCATIONS }),
    column("expires_on", "date"),
  ],
  summary: ["name", "quantity", "unit", "location", "expires_on"],
  orderBy: ["location", "created_at"],
  label: (values) => readTextField(values, "name"),
  facts: (values) => {
    const until = readTextField(values, "expires_on");
    return joinFacts([
      formatAmountField(values),
      readTextField(values, "location"),
      until === "" ? "" : `until ${until}`,
    ]);
  },
};

const EATERS_OF_MEAL: InlineList = {
  kind: "inline",
  name: "eaters",
  table: "meal_eaters",
  foreignKey: "meal_id",
  orderBy: "position",
  columns: [
    column("member_id", "text", {
      ...REQUIRED,
      references: "member",
      about: "who eats it; none: everybody who is there",
    }),
  ],
};

const MEAL: EntityType = {
  type: "meal",
  refPrefix: "meal",
  table: "meal_plans",
  words: {
    one: "planned meal",
    many: "planned meals",
    also: ["meals", "meal plan", "plan", "menu"],
  },
  rights: RIGHTS,
  columns: [
    column("date", "date", { ...REQUIRED, about: "when it is eaten" }),
    column("slot", "choice", { ...REQUIRED, values: SLOTS }),
    column("recipe_id", "text", { references: "recipe" }),
    column("title", "text", { about: "null: the recipe's name" }),
    column("servings", "integer", { about: "portions cooked; of leftovers, eaten" }),
    column("leftovers", "boolean", { ...FILLED, about: "eats what was cooked before" }),
    column("notes", "text"),
  ],
  lists: [EATERS_OF_MEAL],
  summary: ["date", "slot", "recipe_id", "title", "servings", "leftovers", "eaters"],
  orderBy: ["date", "slot", "created_at"],
  label: (values) => {
    const when = [dayWords(readTextField(values, "date")), readTextField(values, "slot")]
      .join(" ")
      .trim();
    const title = readTextField(values, "title");
    return title === "" || when === "" ? title + when : `${title}, ${when}`;
  },
  facts: (values) => {
    const servings = readNumberField(values, "servings");
    return joinFacts([
      readTextField(values, "date"),
      servings === null ? "" : `${servings} servings`,
      values["leftovers"] === true ? "leftovers" : "",
    ]);
  },
};

const SHOPPING_LINE: EntityType = {
  type: "shopping",
  refPrefix: "shop",
  table: "shopping_list",
  words: {
    one: "shopping list line",
    many: "shopping list lines",
    also: ["shopping list", "list", "shopping", "groceries", "grocery list"],
  },
  confirm: { delete: MANY_LINES },
  rights: RIGHTS,
  columns: [
    column("name", "text", REQUIRED),
    column("quantity", "number"),
    column("unit", "text"),
    column("category", "choice", { values: CATEGORIES }),
    column("purchased", "boolean", FILLED),
    column("sources", "tags", { ...FILLED, about: "the dishes it is for" }),
  ],
  summary: ["name", "quantity", "unit", "purchased", "sources"],
  orderBy: ["purchased", "created_at"],
  label: (values) => readTextField(values, "name"),
  facts: (values) =>
    joinFacts([formatAmountField(values), values["purchased"] === true ? "bought" : ""]),
};

const TASK: EntityType = {
  type: "task",
  refPrefix: "task",
  table: "tasks",
  words: {
    one: "task",
    many: "tasks",
    also: ["reminder", "reminders", "to do list", "to dos", "todos", "chores"],
  },
  confirm: { delete: MANY_LINES },
  rights: RIGHTS,
  columns: [
    column("title", "text", REQUIRED),
    column("due_on", "date"),
    column("category", "choice", {
      ...FILLED,
      values: ["prep", "shopping", "cleaning", "other"],
    }),
    column("done", "boolean", FILLED),
  ],
  summary: ["title", "due_on", "done"],
  orderBy: ["done", "due_on", "created_at"],
  label: (values) => readTextField(values, "title"),
  facts: (values) => {
    const due = readTextField(values, "due_on");
    return joinFacts([due === "" ? "" : `due ${due}`, values["done"] === true ? "done" : ""]);
  },
};

const MEMBER: EntityType = {
  type: "member",
  refPrefix: "member",
  table: "members",
  words: { one: "member", many: "members", also: ["people", "guests", "family", "household"] },
  // Allergies go with a person.
  confirm: { delete: "always" },
  rights: RIGHTS,
  columns: [
    column("name", "text", REQUIRED),
    column("diet", "tags", FILLED),
    column("allergies", "tags", { ...FILLED, about: "hard" }),
    column("dislikes", "tags", FILLED),
    column("favourites", "tags", FILLED),
    column("until", "date", { about: "last day of a guest; null: lives here" }),
  ],
  summary: ["name", "diet", "allergies", "dislikes", "favourites", "until"],
  orderBy: ["created_at"],
  label: (values) => readTextField(values, "name"),
  facts: (values) => {
    const until = readTextField(values, "until");
    const allergies = readTextListField(values, "allergies").join(", ");
    return joinFacts([
      until === "" ? "" : `guest until ${until}`,
      readTextListField(values, "diet").join(", "),
      allergies === "" ? "" : `allergic to ${allergies}`,
    ]);
  },
};

const PREFERENCES: EntityType = {
  type: "preferences",
  refPrefix: "pref",
  table: "preferences",
  words: { one: "set of preferences", many: "preferences" },
  rights: RIGHTS,
  columns: [
    column("household_size", "integer", FILLED),
    column("equipment", "tags", FILLED),
    column("skill", "choice", { values: ["beginner", "intermediate", "advanced"] }),
  ],
  summary: ["household_size", "equipment", "skill"],
  orderBy: ["created_at"],
  label: () => "preferences",
};

const COOKED: EntityType = {
  type: "cooked",
  refPrefix: "log",
  table: "cooking_log",
  words: { one: "cooking log entry", many: "cooking log entries" },
  rights: RIGHTS,
  columns: [
    column("cooked_on", "date", REQUIRED),
    column("recipe_id", "text", { references: "recipe" }),
    column("title", "text", { about: "null: the recipe's name" }),
    column("servings", "integer"),
    column("rating", "integer", { about: "1 to 5" }),
    column("notes", "text"),
  ],
  summary: ["cooked_on", "recipe_id", "title", "rating"],
  orderBy: ["cooked_on", "created_at"],
  label: (values) =>
    [readTextField(values, "title"), dayWords(readTextField(values, "cooked_on"))].join(" ").trim(),
  facts: (values) => {
    const rating = readNumberField(values, "rating");
    return rating === null ? "" : `rated ${rating} of 5`;
  },
};

/** The entity types of the meals domain, most frequently requested first. */
export const MEALS_ENTITY_TYPES: readonly EntityType[] = [
  RECIPE,
  INVENTORY_ITEM,
  MEAL,
  SHOPPING_LINE,
  TASK,
  MEMBER,
  PREFERENCES,
  COOKED,
  INGREDIENT,
];

function formatAmountField(values: JsonObject): string {
  const unit = readTextField(values, "unit");
  return amountWords(readNumberField(values, "quantity"), unit === "" ? null : unit);
}

function joinFacts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/** The entity type of that name; for names this domain is known to have. */
export function mealsEntityType(name: string): EntityType {
  const found = MEALS_ENTITY_TYPES.find((entityType) => entityType.type === name);
  if (found !== undefined) return found;
  throw new RangeError(
    `Cannot find the entity type "${name}": the meals domain has none of that name`,
  );
}
