import { type Day, findDays } from "./dates.ts";
import type { Lexicon, Part } from "./lexicon.ts";
import { isShort, joinTyped, singular, splitWords, type Token } from "./tokens.ts";
import { WORDINGS } from "./wordings.ts";

/** One or more tokens as the grammar sees them. */
export interface Symbol {
  /** Names of the grammar's symbols that it can be. */
  readonly tags: readonly string[];
  /** The words as they were typed. */
  readonly typed: string;
  readonly joint: string;
  readonly quoted: Token["quoted"];
  /** Number of tokens that it takes. */
  readonly length: number;
  readonly day: Day | null;
  readonly number: number | null;
  readonly part: Part | null;
  /** A choice's value, or a unit as it is stored. */
  readonly value: string | null;
}

/** A message that can be cut in more ways is not understood. */
const MOST_ROWS = 160;

/** Every way to cut a message into symbols; null where there are too many. */
export function findSymbols(tokens: readonly Token[], lexicon: Lexicon): Symbol[][] | null {
  const options = tokens.map((_, at) =>
    isPiece(tokens.slice(Math.max(0, at - 1), at + 2), at > 0)
      ? [createSymbol(tokens.slice(at), "u", 1)]
      : listOptions(tokens.slice(at), lexicon),
  );
  const rows: Symbol[][] = [];
  const walk = (at: number, row: readonly Symbol[]): boolean => {
    if (at >= tokens.length) return rows.push([...row]) <= MOST_ROWS;
    // A unit stands behind a number only.
    const before = row.at(-1);
    const counts = before?.number != null || before?.tags.includes("one") === true;
    // "2 boxes of tea" are no name, "Box 2" is one.
    const isCounted = counts || /^\p{N}/u.test(before?.typed ?? "");
    const hasUnit = options[at]?.some(({ tags }) => tags.includes("unit")) === true;
    const fitting = (options[at] ?? []).filter(
      ({ tags, quoted }) =>
        (counts || !tags.includes("unit")) &&
        !(isCounted && hasUnit && tags.includes("u")) &&
        (quoted === null || before?.tags.includes("n") !== true),
    );
    const [sign] = fitting;
    if (sign !== undefined && joinsName(before, sign, options[at + 1] ?? []))
      return walk(at + 1, [...row, { ...sign, tags: ["u"] }]);
    return fitting.every((symbol) => walk(at + symbol.length, [...row, symbol]));
  };
  return walk(0, []) ? rows : null;
}

/** Tells whether a sign is part of a name that nobody knows: "Dr. Meier", "Schmidt & Sons". */
function joinsName(before: Symbol | undefined, sign: Symbol, next: readonly Symbol[]): boolean {
  const isStrange = (symbol: Symbol): boolean =>
    symbol.tags.includes("u") || symbol.value === "half";
  const after = next.find(isStrange);
  if (before === undefined || !isStrange(before)) return false;
  if (sign.typed === ".") return isShort(before, sign) && next.length > 0;
  return sign.typed === "&" && [before, after].every((each) => /^\p{Lu}/u.test(each?.typed ?? ""));
}

/** Tells whether a token is the letter or the figure of a name, and no article or number: "A-4", "5a". */
function isPiece(near: readonly Token[], hasBefore: boolean): boolean {
  const [before, token, after] = hasBefore ? near : [undefined, ...near];
  return isCode(before, token) || isCode(token, after);
}

/** Tells whether two tokens are one letter and one figure, typed together. */
function isCode(one: Token | undefined, other: Token | undefined): boolean {
  const typed = [one?.typed ?? "", other?.typed ?? ""];
  const isTogether = /^-?$/u.test(other?.joint ?? " ");
  return (
    isTogether &&
    (/^\p{Lu}\n\d/u.test(typed.join("\n")) || /^\d+\n(?:\p{Lu}|[ai])$/u.test(typed.join("\n")))
  );
}

/** Makes the symbol of the first of some tokens. */
function createSymbol(
  tokens: readonly Token[],
  tag: string | readonly string[],
  length: number,
  given: Partial<Symbol> = {},
): Symbol {
  const taken = tokens.slice(0, length);
  const { quoted = null, joint = " " } = taken[0] ?? {};
  const typed = joinTyped(taken);
  const none = { day: null, number: null, part: null, value: null };
  return { tags: [tag].flat(), typed, joint, quoted, length, ...none, ...given };
}

/** The symbols that the first of some tokens can begin. */
function listOptions(
  tokens: readonly Token[],
  { phrases, names, nameWords, today, takesRefs, namesNumbers }: Lexicon,
): Symbol[] {
  const words = tokens.map(({ text, quoted }) => (quoted === null ? text : '"'));
  const [word = "", second = ""] = words;
  const create = (
    tag: string | readonly string[],
    length: number,
    given: Partial<Symbol> = {},
  ): Symbol => createSymbol(tokens, tag, length, given);
  const [token] = tokens;
  if (token?.quoted != null) {
    const key = splitWords(token.text).map(singular);
    const isName = (names.get(key[0] ?? "") ?? []).some((name) => name.join(" ") === key.join(" "));
    const tag = token.quoted.ref === null || takesRefs ? "n" : "closed";
    return [create(tag, 1, { value: isName ? null : "new" })];
  }
  // "R." of "J. R. Smith" is no word.
  const [, stop, after] = tokens;
  if (/^\p{Lu}$/u.test(token?.typed ?? "") && isShort(token, stop) && after !== undefined)
    return [create("u", 1)];
  const symbols: Symbol[] = [];
  for (const { day, length } of findDays(words, today))
    symbols.push(create("date", length, { day }));
  const count = readCount(words);
  if (count !== null) symbols.push(create("number", count.length, { number: count.number }));
  if (count !== null && namesNumbers) symbols.push(create("u", count.length));
  const ordinal = WORDINGS.ordinals.get(word);
  if (ordinal !== undefined)
    symbols.push(
      create("ord", WORDINGS.ordinaltails.includes(second) ? 2 : 1, { number: ordinal }),
    );
  const listed = /^(?:#|number|option)$/.test(word) ? readDigits(second) : undefined;
  if (listed !== undefined) symbols.push(create("ord", 2, { number: listed }));
  const unit = UNITS.get(singular(word)) ?? UNITS.get(word);
  if (unit !== undefined) symbols.push(create("unit", 1, { value: unit }));
  const fitting = (phrases.get(word) ?? []).filter((phrase) =>
    phrase.words.every((each, index) => words[index] === each),
  );
  for (const { words: phrase, tags, part, value } of fitting)
    symbols.push(create(tags, phrase.length, { part, value }));
  // "Room 4" is one of the rooms.
  const isNumbered = /^\p{Lu}/u.test(token?.typed ?? "") && /^\d/.test(second);
  if (namesNumbers && isNumbered) symbols.push(create("u", 1));
  const known = (names.get(singular(word)) ?? []).filter((name) =>
    name.every((each, index) => singular(words[index] ?? "") === each),
  );
  // Half a label counts only where nothing else does: "dinner" is no part of a meal's name.
  const half = symbols.length === 0 && nameWords.has(singular(word)) ? 1 : 0;
  const length = Math.max(half, ...known.map((name) => name.length));
  if (length > 0)
    symbols.push(create("n", length, { value: half === 1 && known.length === 0 ? "half" : null }));
  const isName = !WORDINGS.closed.has(word) && !/^[\p{P}\p{N}]/u.test(word);
  // A unit needs a number before it: without one it is a word like any other.
  const stands = symbols.some(({ tags }) => !tags.includes("unit"));
  return stands
    ? symbols
    : [...symbols, create(isName && (unit === undefined || namesNumbers) ? "u" : "closed", 1)];
}

/** Units by every way they are written, in the form that is stored: the first of each row. */
export const UNITS: ReadonlyMap<string, string> = new Map(
  WORDINGS.units.flatMap((row) =>
    row.split(", ").map((spelling, _, [first = ""]): [string, string] => [spelling, first]),
  ),
);

/** Reads the number that some words begin with, in digits or in words: "3", "three dozen", "2 and a half". */
function readCount(words: readonly string[]) {
  const length = [3, 2, 1].find((end) => WORDINGS.numbers.has(words.slice(0, end).join(" "))) ?? 1;
  const phrase = words.slice(0, length).join(" ");
  const number = WORDINGS.numbers.get(phrase) ?? readDigits(phrase);
  if (number === undefined) return null;
  const rest = words.slice(length).join(" ");
  if (/^dozen\b/u.test(rest) && !phrase.endsWith("dozen"))
    return { number: number * 12, length: length + 1 };
  if (/^and a half\b/u.test(rest)) return { number: number + 0.5, length: length + 3 };
  return { number, length };
}

function readDigits(word: string): number | undefined {
  const [, over, under] = /^(\d+) ?[/⁄] ?(\d+)$/.exec(word.normalize("NFKC")) ?? [];
  if (over !== undefined && Number(under) > 0) return Number(over) / Number(under);
  const plain = word.replaceAll(",", "");
  const number = /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : 0;
  return number > 0 && number <= 100_000 ? number : undefined;
}
