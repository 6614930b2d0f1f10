import { listNumberWords } from "./answer-words.ts";

/** Beginnings of words for a place in a list, the first to the ninth, in the languages that sentences are shipped in. */
const ORDINALS = [
  "first 1st erste primer premi primo eerste",
  "second 2nd zweite segund deuxiem tweede",
  "third 3rd dritte tercer troisiem terz derde",
  "fourth 4th vierte cuart quatriem quart vierde",
  "fifth 5th funfte quint cinquiem vijfde",
  "sixth 6th sechste sext sixiem sest zesde",
  "seventh 7th siebte septim septiem settim zevende setim",
  "eighth 8th achte octav huitiem ottav achtste oitav",
  "ninth 9th neunte noven neuviem nono negende",
].map((row) => row.split(" "));
/** Words for the numbers from one to ten. */
const CARDINALS = [
  ["one", "eins", "uno", "une", "um", "een"],
  ...[2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => listNumberWords([number])),
];
/** Words for the hours behind ten, and for noon. */
const LATE_HOURS = [
  ["eleven", "elf", "once", "onze", "undici"],
  "twelve noon midday zwolf mittag mittags doce mediodia douze midi dodici mezzogiorno twaalf doze".split(
    " ",
  ),
];
/** The words by which people count. */
export const COUNT_WORDS: ReadonlySet<string> = new Set([...ORDINALS, ...CARDINALS].flat());
/** "One", and the articles that stand for it. */
const ONE = new Set(
  "a an one ein eine einem einen einer eins un una une uno um uma een".split(" "),
);
const LAST = /^(?:last|letzte|ultim|dernier|laatste)/u;

/**
 * Reads a folded word for a place in a list of so many things; null for any other word. Pure.
 *
 * @example
 * readOrdinal("zweiten", 5); // 2
 * readOrdinal("last", 5); // 5
 */
export function readOrdinal(word: string, last: number): number | null {
  if (LAST.test(word)) return last;
  const at = ORDINALS.findIndex((row) => row.some((begin) => word.startsWith(begin)));
  return at === -1 ? null : at + 1;
}

/** Reads a folded word for a number from one to ten; null for any other word. Pure. */
export function readCardinal(word: string): number | null {
  const at = CARDINALS.findIndex((row) => row.includes(word));
  return at === -1 ? null : at + 1;
}

/** Returns true for a folded word that may count one thing: "a can". Pure. */
export function countsOne(word: string): boolean {
  return ONE.has(word);
}

/** Reads a folded word for an hour of the clock, from one to twelve; null for any other word. Pure. */
export function readHour(word: string): number | null {
  const at = [...CARDINALS, ...LATE_HOURS].findIndex((row) => row.includes(word));
  return at === -1 ? null : at + 1;
}
