import { z } from "zod";
import { CatalogueEntrySchema, STANDARD_CATALOGUE } from "../catalogue.ts";
import { CATEGORIES } from "../categories.ts";
import { LOCATIONS, SLOTS } from "../entity-types.ts";
import { readYaml } from "../read-yaml.ts";

const text = z.string();
const number = z.number();
const category = z.enum(CATEGORIES);

const RecipeSchema = z.strictObject({
  name: text,
  servings: number,
  prep: number,
  cook: number,
  cuisine: text,
  tags: z.array(text),
  instructions: text,
  /** Name, quantity and unit; the main ingredients first. */
  ingredients: z.array(z.tuple([text, number.optional(), text.optional()])),
});
/** One recipe of a demo kitchen. */
export type DemoRecipe = z.infer<typeof RecipeSchema>;

const StockSchema = z
  .partialRecord(
    z.enum(LOCATIONS),
    z.array(
      z.tuple([text, number.nullish(), text.nullish(), number.nullish()]).transform((row) => {
        const [name, quantity = null, unit = null, keeps = null] = row;
        return { name, quantity, unit, keeps };
      }),
    ),
  )
  .transform((places) =>
    LOCATIONS.flatMap((location) =>
      (places[location] ?? []).map((item) => Object.assign(item, { location })),
    ),
  );

/** A number of days from the day that `daysFrom` names. */
const day = z.int();
const dish = { day, title: text, servings: number };

const KitchenSchema = z.strictObject({
  daysFrom: z.enum(["monday", "today"]),
  recipes: z.array(RecipeSchema),
  /** Things with their amounts, and the days from today until each is past its best. */
  stock: StockSchema,
  meals: z.array(
    z.strictObject({ ...dish, slot: z.enum(SLOTS), leftovers: z.boolean().default(false) }),
  ),
  cooked: z.array(z.strictObject({ ...dish, rating: number })),
  shopping: z.array(
    z.strictObject({
      name: text,
      quantity: number,
      unit: text.nullable().default(null),
      category,
      purchased: z.boolean().default(false),
    }),
  ),
  tasks: z.array(z.strictObject({ day: day.nullable(), title: text, category: text })),
  /** Those who live here; the first is the one who talks. */
  members: z.array(
    z.strictObject({
      name: text,
      allergies: z.array(text).default([]),
      dislikes: z.array(text).default([]),
      favourites: z.array(text).default([]),
    }),
  ),
  /** Column values of the one row of preferences. */
  preferences: z.record(text, z.unknown()),
  catalogue: z.union([
    z.literal("standard").transform(() => STANDARD_CATALOGUE),
    z.array(CatalogueEntrySchema.extend({ category })),
  ]),
});
/** Everything that is seeded for one household. */
export type DemoKitchen = z.infer<typeof KitchenSchema>;

/** The household that the documentation and the scenarios talk about. */
export const DEMO = readYaml(new URL("demo.yaml", import.meta.url), KitchenSchema);

/** Another household. */
export const NEIGHBOUR = readYaml(new URL("neighbour.yaml", import.meta.url), KitchenSchema);
