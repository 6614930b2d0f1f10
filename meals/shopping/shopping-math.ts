import {
  addAmounts,
  readAmount,
  roundForPeople,
  subtractAmount,
  weighVolume,
  type Amount,
  type StoredAmount,
} from "../amounts.ts";
import type { IngredientIndex, KnownIngredient } from "../ingredient-index.ts";

/** An ingredient that a dish needs, already scaled to the portions that are cooked. */
export interface Need {
  readonly name: string;
  /** Null for "some". */
  readonly amount: Amount | null;
  /** The dish it is for. */
  readonly source: string;
}

/** Something that is there. */
export interface StockItem extends StoredAmount {
  readonly name: string;
}

/** One ingredient in one dimension: what is needed and what of it has to be bought. */
export interface ShoppingNeed {
  readonly ingredient: KnownIngredient;
  /** Needed in all; null for "some". */
  readonly gross: Amount | null;
  /** To be bought, the stock taken off; null for "some". */
  readonly net: Amount | null;
  /** Nothing has to be bought. */
  readonly covered: boolean;
  /** Stock in units that cannot be compared; empty when there is none. */
  readonly incomparable: readonly StoredAmount[];
  readonly sources: readonly string[];
}

/** Nobody buys water. */
const FREE = new Set([
  "water",
  "tap water",
  "cold water",
  "hot water",
  "warm water",
  "boiling water",
  "ice",
]);

/**
 * Sums needs by ingredient and dimension and takes off what is there.
 *
 * Contract: volume and weight meet only through a density that the index knows; what cannot be
 * compared is neither added nor taken off, and is named in `incomparable`. Stock without a quantity
 * ("some salt") covers its ingredient.
 */
export function planShopping(
  needs: readonly Need[],
  stock: readonly StockItem[],
  find: IngredientIndex,
): readonly ShoppingNeed[] {
  const groups = new Map<string, { ingredient: KnownIngredient; needs: Need[] }>();
  for (const need of needs) {
    const ingredient = find(need.name);
    if (FREE.has(ingredient.key)) continue;
    const group = groups.get(ingredient.key) ?? { ingredient, needs: [] };
    group.needs.push(need);
    groups.set(ingredient.key, group);
  }
  const held = new Map<string, StockItem[]>();
  for (const item of stock) {
    const { key } = find(item.name);
    held.set(key, [...(held.get(key) ?? []), item]);
  }
  return [...groups.values()].flatMap((group) =>
    planIngredient(group.ingredient, group.needs, held.get(group.ingredient.key) ?? []),
  );
}

function planIngredient(
  ingredient: KnownIngredient,
  needs: readonly Need[],
  stock: readonly StockItem[],
): ShoppingNeed[] {
  const weighed = weighsVolumes([
    ...needs.map((need) => need.amount),
    ...stock.map((item) => readAmount(item)),
  ]);
  const common = (amount: Amount): Amount => commonAmount(amount, ingredient, weighed);
  const needed = sumByDimension(
    needs.flatMap(({ amount, source }) =>
      amount === null ? [] : [{ amount: common(amount), source }],
    ),
  );
  const someSources = needs.filter((need) => need.amount === null).map((need) => need.source);
  const measured = stock.flatMap((item) => {
    const amount = readAmount(item);
    return amount === null ? [] : [{ amount: common(amount), source: "", item }];
  });
  const there = sumByDimension(measured);
  const isUnmeasured = measured.length < stock.length;
  const plans = [...needed].map(([dimension, { amount, sources }]): ShoppingNeed => {
    const stocked = there.get(dimension);
    const net = stocked === undefined ? amount : subtractAmount(amount, stocked.amount);
    const covered = isUnmeasured || net.value.compare(0) <= 0;
    const other = measured.filter((entry) => entry.amount.unit.dimension !== dimension);
    const incomparable = covered
      ? []
      : other.map(({ item: { quantity, unit } }) => ({ quantity, unit }));
    return { ingredient, gross: amount, net, covered, incomparable, sources };
  });
  if (someSources.length === 0) return plans;
  const [first, ...rest] = plans;
  // "Some" of what is bought anyway needs no line of its own.
  if (first !== undefined) {
    return [{ ...first, sources: unique([...first.sources, ...someSources]) }, ...rest];
  }
  const covered = stock.length > 0;
  const sources = unique(someSources);
  return [{ ingredient, gross: null, net: null, covered, incomparable: [], sources }];
}

/** Volumes are weighed only where weights are in play: a recipe of nothing but spoons stays in spoons. */
function weighsVolumes(amounts: readonly (Amount | null)[]): boolean {
  return amounts.some((amount) => amount?.unit.dimension === "weight");
}

/** The amount in the dimension in which amounts of this ingredient are compared. */
export function commonAmount(
  amount: Amount,
  ingredient: KnownIngredient,
  weighed: boolean,
): Amount {
  if (!weighed || ingredient.gramsPerMl === null || amount.unit.dimension !== "volume")
    return amount;
  return weighVolume(amount, ingredient.gramsPerMl);
}

interface Sum {
  readonly amount: Amount;
  readonly sources: readonly string[];
}

interface AmountPart {
  readonly amount: Amount;
  readonly source: string;
}

function sumByDimension(parts: readonly AmountPart[]): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { amount, source } of parts) {
    const { dimension } = amount.unit;
    const sum = sums.get(dimension);
    sums.set(
      dimension,
      sum === undefined
        ? { amount, sources: [source] }
        : { amount: addAmounts(sum.amount, amount), sources: unique([...sum.sources, source]) },
    );
  }
  return sums;
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

/** An amount as a line of the shopping list has it. */
export function storedAmount(amount: Amount | null): StoredAmount {
  return amount === null ? { quantity: null, unit: null } : roundForPeople(amount);
}
