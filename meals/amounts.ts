import { Fraction } from "fraction.js";
import { readUnit, unitNamed, unitWord, type Unit } from "./units.ts";

/** An exact quantity in a unit. */
export interface Amount {
  readonly value: Fraction;
  readonly unit: Unit;
}

/** An amount as it is stored and shown; a quantity of null is "some". */
export interface StoredAmount {
  readonly quantity: number | null;
  readonly unit: string | null;
}

const KITCHEN_DENOMINATORS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];

/** The rational that a stored number stands for: a third was stored as 0.3333333333333333. */
export function exactNumber(number: number): Fraction {
  for (const denominator of KITCHEN_DENOMINATORS) {
    const numerator = Math.round(number * denominator);
    if (Math.abs(number * denominator - numerator) < 1e-9 * Math.max(1, Math.abs(numerator))) {
      return new Fraction(numerator, denominator);
    }
  }
  return new Fraction(number);
}

/** A stored amount as an exact one; null for "some". */
export function readAmount({ quantity, unit }: StoredAmount): Amount | null {
  return quantity === null ? null : { value: exactNumber(quantity), unit: readUnit(unit) };
}

/** An amount times a number. */
export function scaleAmount(amount: Amount, factor: Fraction): Amount {
  return { ...amount, value: amount.value.mul(factor) };
}

/**
 * The same amount in another unit, exactly.
 *
 * @throws RangeError when the units measure different things.
 */
export function convertAmount(amount: Amount, unit: Unit): Amount {
  if (amount.unit.dimension !== unit.dimension) {
    throw new RangeError(
      `Cannot convert "${amount.unit.name ?? "pieces"}" into "${unit.name ?? "pieces"}": they measure different things`,
    );
  }
  return { value: amount.value.mul(amount.unit.factor).div(unit.factor), unit };
}

/**
 * A volume as the weight it has at a density, in grams.
 *
 * @throws RangeError when the amount is no volume.
 */
export function weighVolume(amount: Amount, gramsPerMl: number): Amount {
  const { value } = convertAmount(amount, unitNamed("ml"));
  return { value: value.mul(new Fraction(gramsPerMl)), unit: unitNamed("g") };
}

/**
 * The sum of two amounts: in their unit where it is the same, else in the metric one.
 *
 * @throws RangeError when they measure different things.
 */
export function addAmounts(one: Amount, other: Amount): Amount {
  if (one.unit.name === other.unit.name && one.unit.factor.equals(other.unit.factor)) {
    return { value: one.value.add(other.value), unit: one.unit };
  }
  const unit = baseUnit(one.unit);
  return {
    value: convertAmount(one, unit).value.add(convertAmount(other, unit).value),
    unit,
  };
}

/** Subtracts one amount from another and returns the result in the first one's unit; never below zero. */
export function subtractAmount(amount: Amount, taken: Amount): Amount {
  const left = amount.value.sub(convertAmount(taken, amount.unit).value);
  return { ...amount, value: left.compare(0) > 0 ? left : new Fraction(0) };
}

/** Compares two amounts of the same dimension, as a sorting function does. */
export function compareAmounts(one: Amount, other: Amount): number {
  return one.value.compare(convertAmount(other, one.unit).value);
}

function baseUnit(unit: Unit): Unit {
  if (unit.dimension === "volume") return unitNamed("ml");
  if (unit.dimension === "weight") return unitNamed("g");
  return { ...unit, factor: new Fraction(1) };
}

/** An amount to buy or measure, rounded up to what people use: whole pieces, grams and millilitres, quarters of a spoon or cup. */
export function roundForPeople(amount: Amount): StoredAmount {
  const { value, unit } = inHandyUnit(amount);
  const step = roundingStep(unit);
  const rounded = value.div(step).ceil().mul(step);
  const quantity = rounded.valueOf();
  return { quantity, unit: unitWord(unit, quantity) };
}

/** From a thousand on, kilograms and litres. */
function inHandyUnit(amount: Amount): Amount {
  const larger = { g: "kg", ml: "l" } as const;
  const { name } = amount.unit;
  if ((name !== "g" && name !== "ml") || amount.value.compare(1000) < 0) return amount;
  return convertAmount(amount, unitNamed(larger[name]));
}

function roundingStep(unit: Unit): Fraction {
  if (unit.name === "kg" || unit.name === "l") return new Fraction(1, 100);
  const isWhole = unit.name === "g" || unit.name === "ml" || unit.dimension.startsWith("count:");
  return isWhole ? new Fraction(1) : new Fraction(1, 4);
}
