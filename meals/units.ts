import { Fraction } from "fraction.js";
import { foodKey } from "./food-words.ts";

/** A unit of measure. Amounts can be added when their dimension is the same. */
export interface Unit {
  /** The name it is stored and shown under; null for plain pieces. */
  readonly name: string | null;
  /** `volume`, `weight`, or one of its own for each thing that is counted (`count:can`). */
  readonly dimension: string;
  /** Millilitres, grams or pieces of one of it; exact. */
  readonly factor: Fraction;
}

type Row = readonly [name: string, factor: string, ...spellings: string[]];

/** Millilitres. Spoons, cups and larger are the customary ones of the United States, by definition. */
const VOLUMES: readonly Row[] = [
  ["ml", "1", "milliliter", "millilitre", "mls", "cc"],
  ["cl", "10", "centiliter", "centilitre"],
  ["dl", "100", "deciliter", "decilitre"],
  ["l", "1000", "liter", "litre"],
  ["tsp", "4.92892159375", "teaspoon"],
  ["tbsp", "14.78676478125", "tablespoon", "tbs", "tbl"],
  ["fl oz", "29.5735295625", "fluid ounce", "floz"],
  ["cup", "236.5882365"],
  ["pint", "473.176473", "pt"],
  ["quart", "946.352946", "qt"],
  ["gallon", "3785.411784", "gal"],
];

/** Grams; ounce and pound by their international definition. */
const WEIGHTS: readonly Row[] = [
  ["mg", "0.001", "milligram"],
  ["g", "1", "gram", "gramme", "gr"],
  ["kg", "1000", "kilogram", "kilo", "kgs"],
  ["oz", "28.349523125", "ounce", "ozs"],
  ["lb", "453.59237", "pound", "lbs"],
];

/** Things that are counted: those of one row are the same thing. */
const COUNTS: readonly Row[] = [
  ["", "1", "piece", "pc", "whole", "unit", "item", "large", "medium", "small"],
  ["", "12", "dozen"],
  ["can", "1", "tin"],
  ["pack", "1", "package", "packet", "pkg"],
];

/** Plain pieces: three onions. */
export const PIECES: Unit = { name: null, dimension: "count:", factor: new Fraction(1) };

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...VOLUMES.flatMap((row) => spellings(row, "volume")),
  ...WEIGHTS.flatMap((row) => spellings(row, "weight")),
  ...COUNTS.flatMap((row) => spellings(row, `count:${row[0]}`)),
]);

function spellings([name, factor, ...others]: Row, dimension: string): [string, Unit][] {
  const unit: Unit = { name: name === "" ? null : name, dimension, factor: new Fraction(factor) };
  return [name, ...others].map((spelling) => [foodKey(spelling), unit]);
}

/** The unit that a text names in any usual spelling or number; a word that is none counts itself ("3 slices"). */
export function readUnit(text: string | null): Unit {
  const key = foodKey(text ?? "");
  if (key === "") return PIECES;
  return UNITS.get(key) ?? { name: key, dimension: `count:${key}`, factor: new Fraction(1) };
}

/** The unit of that name; for units this module is known to have. */
export function unitNamed(name: "ml" | "l" | "g" | "kg"): Unit {
  return readUnit(name);
}

/** The unit's name for an amount: `2 cans`, `1 can`, `200 g`. */
export function unitWord(unit: Unit, quantity: number): string | null {
  if (unit.name === null || quantity <= 1) return unit.name;
  const isWord =
    unit.dimension.startsWith("count:") || ["cup", "pint", "quart", "gallon"].includes(unit.name);
  if (!isWord || unit.name.endsWith("s")) return unit.name;
  if (/(ch|sh|x|ss)$/.test(unit.name)) return `${unit.name}es`;
  return unit.name === "leaf" || unit.name === "loaf"
    ? `${unit.name.slice(0, -1)}ves`
    : `${unit.name}s`;
}
