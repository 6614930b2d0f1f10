/** The aisles of the shopping list and the catalogue, in the order in which a list is walked. */
export const CATEGORIES = [
  "produce",
  "meat",
  "fish",
  "dairy",
  "bakery",
  "grains",
  "canned",
  "spices",
  "condiments",
  "frozen",
  "drinks",
  "household",
  "other",
] as const;
export type Category = (typeof CATEGORIES)[number];
