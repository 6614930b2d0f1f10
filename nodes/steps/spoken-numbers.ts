import type { Json } from "../../state/json.ts";
import type { WrittenNumber } from "../../text/read-numbers.ts";

/** A number that a column is given, and the one that it had. */
interface SetNumber {
  readonly before: Json;
  readonly after: Json;
}

/** Returns true for a number that no number of the message is, adds, takes away, multiplies or divides. */
export function isOtherNumber(
  { before, after }: SetNumber,
  written: readonly WrittenNumber[],
): boolean {
  const [old, now] = [toNumber(before) ?? 0, toNumber(after)];
  if (now === null || written.length === 0) return false;
  const numbers = written.flatMap(({ readings }) => readings);
  const scaled = written.map(scaleReadings);
  const products = scaled.flatMap((ones, at) =>
    ones.flatMap((one) =>
      scaled.slice(at + 1).flatMap((others) => others.map((other) => one * other)),
    ),
  );
  const given = [...scaled.flat(), ...products];
  return ![
    ...given.flatMap((number) => [number, old + number, old - number, number - old]),
    ...numbers.flatMap((number) => [old * number, old / number]),
    ...numbers.flatMap((number) => [old * (1 + number / 100), old * (1 - number / 100)]),
  ].some((number) => Math.abs(number - now) <= ROUNDED);
}

/** Returns true where a number of the message makes a value, by itself or with another one. */
export function makesNumber(
  value: SetNumber,
  at: number,
  numbers: readonly WrittenNumber[],
): boolean {
  const own = numbers.slice(at, at + 1);
  return (
    !isOtherNumber(value, own) ||
    (isOtherNumberOfEach(value, numbers) &&
      numbers.some((other) => !isOtherNumber(value, [...own, other])))
  );
}

/** Returns true for a value that no number makes alone. */
function isOtherNumberOfEach(value: SetNumber, numbers: readonly WrittenNumber[]): boolean {
  return numbers.every((number) => isOtherNumber(value, [number]));
}

/** Returns true where all numbers are raised or lowered by the same factor: "twice as much of everything". */
export function haveOneFactor(values: readonly SetNumber[]): boolean {
  const factors = values.map(
    ({ before, after }) => (toNumber(after) ?? NaN) / (toNumber(before) ?? NaN),
  );
  return factors.every((factor) => isSame(factor, factors[0] ?? NaN));
}

/** Gives each value one of the numbers that make it, as many values as possible, and returns the places of those that have one. */
export function matchNumbers(makers: readonly (readonly number[])[]): ReadonlySet<number> {
  const users = new Map<number, number>();
  const place = (value: number, tried: Set<number>): boolean =>
    (makers[value] ?? []).some((number) => {
      if (tried.has(number)) return false;
      tried.add(number);
      const user = users.get(number);
      const isFree = user === undefined || place(user, tried);
      if (isFree) users.set(number, value);
      return isFree;
    });
  makers.forEach((_, value) => place(value, new Set()));
  return new Set(users.values());
}

/** The distance of a number from a calculated one that it is rounded from. */
const ROUNDED = 0.01;

/** The distance of two numbers that are the same. */
const EXACT = 1e-6;

export function toNumber(value: Json): number | null {
  const number = typeof value === "number" || typeof value === "string" ? Number(value) : NaN;
  return Number.isNaN(number) || value === "" ? null : number;
}

/** Returns what a number may be in the units that it may be given in. */
export function scaleReadings({ readings, scales }: WrittenNumber): readonly number[] {
  return readings.flatMap((number) => scales.map((scale) => number * scale));
}

export function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) < EXACT;
}
