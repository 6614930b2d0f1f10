import type { Json } from "../../state/json.ts";
import type { AmountWay } from "../../text/read-amount-way.ts";
import type { WrittenNumber } from "../../text/read-numbers.ts";

/** A number that a column is given, and the one that it had. */
interface SetNumber {
  readonly before: Json;
  readonly after: Json;
}

/** The numbers of a message, and the way in which it changes amounts. */
export interface SpokenNumbers {
  readonly written: readonly WrittenNumber[];
  readonly way: AmountWay | null;
}

/**
 * Returns true for a number that no number of the message is, adds, takes away, multiplies or divides, or
 * that one of them makes the other way: more where the message asks for less.
 */
export function isOtherNumber(
  { before, after }: SetNumber,
  { written, way }: SpokenNumbers,
): boolean {
  const [old, now] = [toNumber(before) ?? 0, toNumber(after)];
  if (now === null) return false;
  if (goesOtherWay({ before, after }, { written, way })) return true;
  if (written.length === 0) return false;
  const [shares, counts] = [true, false].map((is) =>
    written.filter(({ isPercent }) => isPercent === is),
  );
  const scaled = (counts ?? []).map(scaleReadings);
  const products = scaled.flatMap((ones, at) =>
    ones.flatMap((one) =>
      scaled.slice(at + 1).flatMap((others) => others.map((other) => one * other)),
    ),
  );
  const parts = (shares ?? []).flatMap(({ readings }) => readings).map((number) => number / 100);
  const numbers = (counts ?? []).flatMap(({ readings }) => readings);
  const sums = [...scaled.flat(), ...products];
  // "Raise it by 10" gives no 10, and "10 % off" no tenth.
  const given = (counts ?? []).filter(({ isDifference }) => way === null || !isDifference);
  const isShare = way !== null && (shares ?? []).every(({ isDifference }) => isDifference);
  const plain = [
    ...given.flatMap(scaleReadings),
    ...(given.length === 0 ? [] : products),
    ...(isShare ? [] : parts.flatMap((part) => [part, part * 100])),
    ...(way === null ? parts.map((part) => old * part) : []),
  ];
  return ![
    ...plain,
    ...sums.map((number) => number - old),
    ...(way === "less"
      ? []
      : [
          ...sums.map((number) => old + number),
          ...numbers.map((number) => old * number),
          ...parts.map((part) => old * (1 + part)),
        ]),
    ...(way === "more"
      ? []
      : [
          ...sums.map((number) => old - number),
          ...numbers.map((number) => old / number),
          ...parts.map((part) => old * (1 - part)),
        ]),
  ].some((number) => Math.abs(number - now) <= ROUNDED);
}

/** Returns true for less where the message asks for more: "5 more"; and the other way round. */
export function goesOtherWay(
  { before, after }: SetNumber,
  { written, way }: SpokenNumbers,
): boolean {
  const [old, now] = [toNumber(before), toNumber(after)];
  const isAmount = written.some(({ isDifference }) => isDifference);
  if (old === null || now === null || way === null || !isAmount) return false;
  return way === "more" ? now < old : now > old;
}

/** Returns true where a number of the message makes a value, by itself or with another one. */
export function makesNumber(
  value: SetNumber,
  at: number,
  { written, way }: SpokenNumbers,
): boolean {
  const isMade = (numbers: readonly WrittenNumber[]): boolean =>
    !isOtherNumber(value, { written: numbers, way });
  const own = written.slice(at, at + 1);
  const isMadeAlone = written.some((number) => isMade([number]));
  return isMade(own) || (!isMadeAlone && written.some((other) => isMade([...own, other])));
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
