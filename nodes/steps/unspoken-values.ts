import { sharesWord } from "../../registry/shared-words.ts";
import type { Change } from "../../state/change.ts";
import { listVisibleColumns, type EntityType } from "../../state/entity.ts";
import type { Json } from "../../state/json.ts";
import { readCardinal } from "../../text/count-words.ts";
import { foldWords } from "../../text/fold-words.ts";
import { nameColumn } from "./row-words.ts";

/**
 * Returns true for an update that sets what the message cannot mean: a number that none of its numbers makes,
 * another name than it gives, or a text of several words beside what it speaks of. Pure.
 */
export function setsUnspoken(update: Change, type: EntityType, message: string): boolean {
  const columns = listVisibleColumns(type).filter(({ name }) => update.changed.includes(name));
  const numbers = readNumbers(message);
  const [old, now] = [update.before, update.after].map((row) => type.label(row ?? {}));
  return columns.some((column) => {
    const { name, kind, references } = column;
    const [before, after] = [update.before?.[name] ?? null, update.after?.[name] ?? null];
    if (kind === "number" || kind === "integer") return isOtherNumber({ before, after }, numbers);
    if (kind !== "text" || references !== undefined || typeof after !== "string") return false;
    const isName = now?.includes(after) === true && old?.includes(after) === false;
    const isLong = columns.length > 1 && foldWords(after).length >= SEVERAL;
    const isSpoken = [nameColumn(column), after].some((text) => sharesWord(text, message));
    return (isName || isLong) && !isSpoken;
  });
}

/** Fewest words of a text that nobody abbreviates, unlike a unit. */
const SEVERAL = 3;

interface Values {
  readonly before: Json;
  readonly after: Json;
}

/** Units that a number may be given in: thousandths, hundredths, dozens, minutes. */
const SCALES = [1, 1_000, 1 / 1_000, 100, 1 / 100, 12, 1 / 12, 60, 1 / 60];

/** Returns true for a number that no number of the message is, adds, takes away, multiplies or divides. */
function isOtherNumber({ before, after }: Values, numbers: readonly number[]): boolean {
  const [old, now] = [toNumber(before) ?? 0, toNumber(after)];
  if (now === null || numbers.length === 0) return false;
  const products = numbers.flatMap((one) => numbers.map((other) => one * other));
  const given = [...numbers, ...products].flatMap((number) =>
    SCALES.map((scale) => number * scale),
  );
  return ![
    ...given.flatMap((number) => [number, old + number, old - number, number - old]),
    ...numbers.flatMap((number) => [old * number, old / number]),
    ...numbers.flatMap((number) => [old * (1 + number / 100), old * (1 - number / 100)]),
  ].some((number) => Math.abs(number - now) <= ROUNDED);
}

/** The distance of a number from a calculated one that it is rounded from. */
const ROUNDED = 0.01;

function toNumber(value: Json): number | null {
  const number = typeof value === "number" || typeof value === "string" ? Number(value) : NaN;
  return Number.isNaN(number) || value === "" ? null : number;
}

/** The numbers of a message, those from two to ten in words, too: "one" stands for other things. */
function readNumbers(message: string): readonly number[] {
  const spelled = foldWords(message).flatMap((word) => readCardinal(word) ?? []);
  const written = message.match(/\d+(?:[.,]\d+)?/gu) ?? [];
  return [
    ...written.map((digits) => Number(digits.replace(",", "."))),
    ...spelled.filter((number) => number > 1),
  ];
}
