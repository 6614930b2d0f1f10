import { parseIngredient, type Ingredient, type ParseIngredientOptions } from "parse-ingredient";
import { addAmounts, exactNumber, type Amount } from "../amounts.ts";
import { readUnit, unitWord } from "../units.ts";

/** One ingredient of a recipe, as it is stored. */
export interface IngredientLine {
  readonly name: string;
  readonly quantity: number | null;
  /** Null for pieces. */
  readonly unit: string | null;
  /** Its preparation or the size of the can; null when the line gives neither. */
  readonly note: string | null;
  readonly optional: boolean;
}

const NUMBERS: Readonly<Record<string, string>> = {
  a: "1",
  an: "1",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
  ten: "10",
  twelve: "12",
  half: "1/2",
};
const SIZES = new Set(["large", "medium", "small"]);
const WEIGHT_OR_VOLUME =
  "oz|ounces?|g|grams?|kg|ml|milliliters?|millilitres?|l|liters?|litres?|lb|lbs|pounds?|fl oz";
const CONTAINER = "can|tin|jar|pack|packet|package|bottle|carton|bag|box|tub|tube|container|block";

/** Things that are counted and that the library does not know. */
const MORE_UNITS = [
  "slice",
  "jar",
  "tin",
  "bottle",
  "tub",
  "tube",
  "block",
  "bar",
  "stalk",
  "knob",
  "handful",
  "rasher",
  "cube",
  "sheet",
  "sachet",
];
const OPTIONS: ParseIngredientOptions = {
  round: false,
  normalizeUOM: true,
  additionalUOMs: Object.fromEntries(
    MORE_UNITS.map((name) => [name, { short: name, plural: `${name}s`, type: "count" }] as const),
  ),
};

/**
 * Reads one line of an ingredient list: amount, unit, name and how it is prepared.
 *
 * @returns null for a line that names no ingredient (empty, or a heading such as "For the sauce:").
 */
export function readIngredientLine(line: string): IngredientLine | null {
  const sized = takeSize(toNumerals(cleanLine(line)));
  const [parsed] = parseIngredient(sized.line, OPTIONS);
  if (parsed === undefined || parsed.isGroupHeader || /^[^\d]+:$/.test(sized.line)) return null;
  const { amount, rest } = takeSum(parsed);
  const described = describe(rest);
  if (described.name === "") return null;
  const size = SIZES.has(parsed.unitOfMeasure ?? "") ? parsed.unitOfMeasure : null;
  const notes = [size, sized.size, ...described.notes].filter((note) => note !== null);
  const quantity = amount?.value.valueOf() ?? null;
  return {
    name: described.name,
    quantity,
    unit: amount === null ? null : unitWord(amount.unit, quantity ?? 1),
    note: notes.length === 0 ? null : notes.join(", "),
    optional: described.optional,
  };
}

function cleanLine(line: string): string {
  return line
    .replace(/^[\s\-–—•*·▢☐]+/u, "")
    .replace(/\s+/g, " ")
    .replace(/(\d),(\d{3})(?!\d)/g, "$1$2")
    .replace(/(\d),(\d)/g, "$1.$2")
    .trim();
}

/** "one large onion", "a dozen eggs", "half a lemon": the library wants digits. */
function toNumerals(line: string): string {
  const halved = line.replace(/^half (?:a|an) /i, "1/2 ");
  const [first = "", ...rest] = halved.split(" ");
  const number = Object.hasOwn(NUMBERS, first.toLowerCase())
    ? NUMBERS[first.toLowerCase()]
    : undefined;
  const counted = number === undefined || rest.length === 0 ? halved : [number, ...rest].join(" ");
  return counted.replace(/^(\d+) dozen /i, (_, dozens: string) => `${Number(dozens) * 12} `);
}

const SIZE = `(\\d[\\d./]*)[\\s-]*(${WEIGHT_OR_VOLUME})\\)?[\\s-]+((?:${CONTAINER})s?)\\b(.*)$`;
const COUNTED_SIZE = new RegExp(`^(\\d[\\d/.\\s]*?)(?:\\s*[x×(]\\s*|\\s+)\\(?${SIZE}`, "i");
const ONE_SIZE = new RegExp(`^()${SIZE}`, "i");

/** "1 (14 oz) can", "2 x 400g cans", "400 g can": the size of a container is no amount of its own. */
function takeSize(line: string): { line: string; size: string | null } {
  const match = COUNTED_SIZE.exec(line) ?? ONE_SIZE.exec(line);
  if (match === null) return { line, size: null };
  const [, count = "", number = "", unit = "", container = "", rest = ""] = match;
  return { line: `${count.trim() || "1"} ${container}${rest}`, size: `${number} ${unit} each` };
}

/** "2 tbsp plus 1 tsp": one amount, in the smaller of the two units. */
function takeSum(parsed: Ingredient): { amount: Amount | null; rest: string } {
  const { quantity, quantity2, description } = parsed;
  if (quantity === null) return { amount: null, rest: description };
  // Of "2-3 cloves" the larger number is stored: what is bought has to be enough.
  const value = exactNumber(quantity2 ?? quantity);
  const isSize = SIZES.has(parsed.unitOfMeasure ?? "");
  const amount: Amount = { value, unit: readUnit(isSize ? null : parsed.unitOfMeasure) };
  const match = /^(?:plus|and|\+)\s+(.+)$/i.exec(description);
  if (match === null) return { amount, rest: description };
  const [added] = parseIngredient(toNumerals(match[1] ?? ""), OPTIONS);
  if (added === undefined || added.quantity === null) return { amount, rest: description };
  const more: Amount = { value: exactNumber(added.quantity), unit: readUnit(added.unitOfMeasure) };
  if (more.unit.dimension !== amount.unit.dimension) return { amount, rest: description };
  const smaller = more.unit.factor.compare(amount.unit.factor) < 0 ? more.unit : amount.unit;
  const sum = addAmounts(amount, more);
  const inSmaller = sum.value.mul(sum.unit.factor).div(smaller.factor);
  return { amount: { value: inSmaller, unit: smaller }, rest: added.description };
}

interface Described {
  readonly name: string;
  readonly notes: readonly string[];
  readonly optional: boolean;
}

const OPTIONAL = /^optional\b/i;

/** Reads the preparation from brackets or from the text after a comma. */
function describe(text: string): Described {
  const brackets = [...text.matchAll(/\(([^)]*)\)/g)].map((match) => (match[1] ?? "").trim());
  const plain = text
    .replace(/\([^)]*\)/g, " ")
    .replace(/^\s*\/\s*[\d./]+\s*\p{L}+\s+/u, "")
    .replace(/\s+/g, " ")
    .trim();
  const [beforeComma = "", ...after] = plain.split(/\s*[,;]\s*/);
  const toTaste = /\s*\b(to taste|for serving|to serve|as needed)\b\s*/i;
  const taste = toTaste.exec(beforeComma)?.[1];
  const remarks = [...brackets, ...after, ...(taste === undefined ? [] : [taste.toLowerCase()])];
  return {
    name: beforeComma
      .replace(toTaste, " ")
      .replace(/^of\s+/i, "")
      .trim(),
    notes: remarks.filter((note) => note !== "" && !OPTIONAL.test(note)),
    optional: remarks.some((note) => OPTIONAL.test(note)),
  };
}
