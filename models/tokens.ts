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
  const { countTokens: count } = (encoding ??= loadEncoding());
  return piecesOf(text).reduce((sum, piece) => sum + count(piece, PLAIN), 0);
};

const PLAIN = { disallowedSpecial: new Set<string>() };
/** In Unicode characters; what is longer is hardly a word, except where a language has no spaces. */
const LONG_RUN = /\S{256}|\s{256}/gu;

/**
 * Cuts runs without a break: the encoder's time grows with the square of their length, and
 * 32,000 characters of Chinese took it five seconds. A cut adds a token at the most.
 */
function piecesOf(text: string): string[] {
  if (!hasLongRun(text)) return [text];
  const cuts = [...text.matchAll(LONG_RUN)].map((run) => run.index + run[0].length);
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index] ?? text.length));
}

/** Whether there may be something to cut. Ten times faster than to look for it at every character. */
function hasLongRun(text: string): boolean {
  return text.split(/\s+/u).some((word) => word.length >= 256) || /\s{256}/u.test(text);
}

function loadEncoding(): Encoding {
  // The CommonJS build, because counting is synchronous and `import()` is not.
  return require("gpt-tokenizer/encoding/o200k_base");
}
