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
 */
export const countTokens: CountTokens = (text) => {
  const known = recent.get(text);
  if (known !== undefined) {
    // To the end again: what was counted longest ago leaves first.
    recent.delete(text);
    recent.set(text, known);
    return known;
  }
  const { countTokens: count } = (encoding ??= loadEncoding());
  const tokens = piecesOf(text).reduce((sum, piece) => sum + count(piece, PLAIN), 0);
  remember(text, tokens);
  return tokens;
};

/** Rules, tables and schemas are counted in every call: a quarter of a turn's time without this. */
const recent = new Map<string, number>();
const REMEMBERED = 1_000;
/** In characters; longer texts are seldom counted twice. */
const LONGEST_REMEMBERED = 8_000;

function remember(text: string, tokens: number): void {
  if (text.length > LONGEST_REMEMBERED) return;
  recent.set(text, tokens);
  const [oldest] = recent.keys();
  if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
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
function piecesOf(text: string): string[] {
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
