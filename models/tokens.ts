import { createRequire } from "node:module";
import type { CountTokens } from "../state/model.ts";

type Encoding = typeof import("gpt-tokenizer/encoding/o200k_base");

const require = createRequire(import.meta.url);
let encoding: Encoding | null = null;

/**
 * Counts tokens in OpenAI's o200k encoding, near enough for budgets with any model.
 *
 * Names of special tokens (`<|endoftext|>`) are counted as the text they are. The first call
 * loads the encoding (0.15 s, 75 MB), so that a program that counts nothing does not pay for it.
 *
 * @example
 * countTokens("Lentil soup for four"); // 6
 */
export const countTokens: CountTokens = (text) =>
  texts(text, () => text.split(LINE_START).reduce((sum, line) => sum + lines(line, countLine), 0));

function countLine(line: string): number {
  const { countTokens: count } = (encoding ??= loadEncoding());
  return splitPieces(line).reduce((sum, piece) => sum + count(piece, PLAIN), 0);
}

/** No token of this encoding goes on beyond a line's end, but where blanks or a slash follow. */
const LINE_START = /(?<=\n)(?=[^\s/])/u;

/** Rules, tables and schemas are counted in every call: a quarter of a turn's time without this. */
const texts = rememberCounts({ most: 500, longest: 8_000 });
/** Prompts differ from the last ones in a few lines. */
const lines = rememberCounts({ most: 2_500, longest: 500 });

interface CountCacheBounds {
  readonly most: number;
  readonly longest: number;
}

/**
 * Counts once: at least the `most` texts that were counted last are known, at most twice as many,
 * unless they are longer than `longest` characters.
 */
function rememberCounts({ most, longest }: CountCacheBounds) {
  let recent = new Map<string, number>();
  let before = recent;
  return (text: string, count: (text: string) => number): number => {
    if (text.length > longest) return count(text);
    const known = recent.get(text);
    if (known !== undefined) return known;
    const tokens = before.get(text) ?? count(text);
    if (recent.size === most) {
      before = recent;
      recent = new Map();
    }
    recent.set(copyText(text), tokens);
    return tokens;
  };
}

/** A part of a text keeps the whole of it in memory. */
function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

const PLAIN = { disallowedSpecial: new Set<string>() };
/** In characters; what is longer is hardly a word, except where a language has no spaces. */
const LONGEST = 256;
const RUNS = /\S+|\s+/gu;
/** Sticky: from the beginning of a run on, without looking for another start at every character. */
const LONG_PARTS = /\S{256}|\s{256}/guy;

/**
 * Cuts runs without a break: the encoder's time grows with the square of their length, and
 * 32,000 characters of Chinese took it five seconds. A cut adds a token at the most.
 */
function splitPieces(text: string): string[] {
  const cuts: number[] = [];
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (run.length < LONGEST) continue;
    for (const part of run.matchAll(LONG_PARTS)) cuts.push(index + part.index + part[0].length);
  }
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index] ?? text.length));
}

function loadEncoding(): Encoding {
  // The CommonJS build, because counting is synchronous and `import()` is not.
  return require("gpt-tokenizer/encoding/o200k_base");
}
