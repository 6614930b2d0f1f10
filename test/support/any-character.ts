import * as fc from "fast-check";

/** First of the surrogates, which are no characters, and their number. */
const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode: the values of fast-check's unit `binary`, without its table of a million
 * characters, which takes each process four seconds and 100 MB.
 */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((index) => String.fromCodePoint(skipSurrogates(index)), readIndex);

function skipSurrogates(index: number): number {
  return index < SURROGATES.first ? index : index + SURROGATES.count;
}

function readIndex(character: unknown): number {
  const [first, ...others] = typeof character === "string" ? character : "";
  const point = first?.codePointAt(0);
  if (point === undefined || others.length > 0) throw new TypeError("Cannot read: no character");
  return point < SURROGATES.first ? point : point - SURROGATES.count;
}
