import { WORDINGS } from "./wordings.ts";

/** One word, number or sign of a message. */
export interface Token {
  /** In lower case, contractions spelled out. */
  readonly text: string;
  /** As it was typed; empty for what a contraction adds. */
  readonly typed: string;
  /** Stands between it and the word before, if anything but a blank. */
  readonly joint?: string;
  /** Set for a name in quotation marks, with the ref that follows in brackets. */
  readonly quoted: { readonly ref: string | null } | null;
}

const QUOTED = `["“”„«»](?<quoted>[^"“”„«»\\n]+)["“”«»](?: \\((?<ref>(?:gen_)?[a-z]+(?:_[a-z]+)*_\\d+)\\))?`;
const NUMBER = String.raw`\d{4}-\d{2}-\d{2}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+ ?\/ ?\d+|\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)?`;
const WORD = String.raw`(?<word>\b[wb]/[oc]?(?!\p{L})|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*)`;
const PATTERN = new RegExp(`${QUOTED}|${NUMBER}|${WORD}|[^\\s\\p{L}\\p{N}]\\p{M}*|\\S`, "gu");

/** Signs that mean nothing between words: a hyphen is a space. */
const IGNORED = /^["'’‘“”„«»`*–-]$/;

/** "Potatoes (2 kg)" puts beside what a comma does. */
const BRACKET = /^[()]$/;

/** A smile that ends a message, in signs. */
const SMILEY = /\s[:;]-?[)(DP]\s*$/u;

/** A dash between two words parts a sentence, as a comma does. */
const DASH = /(?<=\p{L})(?: +[–-]+|\s*—) *(?=\p{L})/gu;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Splits a message into words, numbers, quoted names and signs; an emoji is one token. */
export function splitTokens(typed: string): Token[] {
  const message = typed.replace(SMILEY, "").replaceAll(DASH, ", ");
  const tokens: Token[] = [];
  let end = 0;
  let last = 0;
  for (const { 0: found, index, groups = {} } of message.matchAll(PATTERN)) {
    if (index < end) continue;
    const { quoted, ref, word } = groups;
    const gap = message.slice(last, index);
    const joint = /^[^\s\p{L}\p{N}]?$/u.test(gap) ? gap : " ";
    const count = tokens.length;
    if (quoted !== undefined) {
      const typed = quoted.trim();
      tokens.push({ text: typed.toLowerCase(), typed, quoted: { ref: ref ?? null } });
    } else if (word !== undefined) {
      tokens.push(...splitWord(word, joint));
    } else if (
      !IGNORED.test(found) ||
      (/(?:^|\s)-$/.test(message.slice(0, index + 1)) && /^\d/.test(message.slice(index + 1)))
    ) {
      const [whole] = /\p{So}/u.test(found)
        ? graphemes.segment(message.slice(index, index + 40))
        : [];
      const typed = whole?.segment ?? found;
      end = index + typed.length;
      const text = BRACKET.test(found) ? "," : typed.toLowerCase();
      tokens.push({ text, typed, quoted: null, joint });
    }
    if (tokens.length > count) last = Math.max(end, index + found.length);
  }
  return tokens.flatMap((token, at) =>
    /\p{L}['’]s$/u.test(token.typed) && IS_BEFORE.test(tokens[at + 1]?.text ?? "")
      ? [{ ...token, typed: token.typed.slice(0, -2) }, IS]
      : [token],
  );
}

/** "The milk's gone" says what is, and "Friday's dinner" whose it is. */
const IS_BEFORE =
  /^(?:(?:all|nearly|almost|gone|finished|empty|off|done|out|over|been|not|in|on|down|up|plenty|now|mouldy|moldy|sorted|enough|bad|a|an|the|just|running|low|too|so|already|fine|ok|okay|back|allowed|really|getting|always|never|due|here|there|at|off|ok|no)|(?!pudding|icing|washing|shopping|dressing|filling|stuffing|seasoning|baking|cooking|wedding|evening|morning)\p{L}{2,}ing)$/u;
const IS: Token = { text: "is", typed: "", quoted: null };

const SHORT = /^(?:\p{L}|[^aeiouy\P{L}]{2,4}|prof|rev|gen|col|capt|hon|inc|vol|no)$/iu;

/** Tells whether a full stop belongs to a title, a first letter or the like before it and ends no sentence. */
export function isShort(
  word: Pick<Token, "typed"> | undefined,
  stop: Pick<Token, "typed" | "joint"> | undefined,
): boolean {
  return stop?.typed === "." && stop.joint === "" && SHORT.test(word?.typed ?? "");
}

/** Joins words as they were typed. */
export function joinTyped(words: readonly Pick<Token, "typed" | "joint">[]): string {
  return words
    .filter(({ typed }) => typed !== "")
    .map(({ typed, joint = " " }, at) => (at === 0 ? typed : `${joint}${typed}`))
    .join("");
}

function splitWord(typed: string, joint: string): Token[] {
  const text = typed.toLowerCase().replaceAll("’", "'");
  return spellOut(text).map((part, index) => ({
    text: part,
    typed: index === 0 ? typed : "",
    quoted: null,
    joint,
  }));
}

/** The words that a word in small letters stands for: "I'm" for two. */
function spellOut(text: string): string[] {
  const spelled = WORDINGS.contractions.get(text) ?? text.replace(/'s$/, "").replaceAll("'", "");
  return spelled.split(" ");
}

/** Small letters and blanks alone, as in nearly all phrases of the grammar. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/;

/** The words of a label, a phrase or a name, as they compare. */
export function splitWords(text: string): string[] {
  // The grammar has thousands of phrases: to split one into tokens takes ten times as long.
  if (PLAIN.test(text)) return text.split(" ").flatMap(spellOut);
  return splitTokens(text.replaceAll(/["“”„«»]/g, " ")).map((token) => token.text);
}

/** The singular of a word, well enough to compare two words. */
export function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.endsWith("oaves")) return `${word.slice(0, -3)}f`;
  return word.replace(/(?:(?<=[sxz]|[cs]h|[b-df-hj-np-tv-z]o)es|s)$/, "");
}

/** A text's words in the singular without articles: equal for two spellings of one name. */
export function nameKey(text: string): string {
  const words = splitWords(text).filter((word) => !/^(?:the|an?|my|our|some|\.)$/.test(word));
  return words.map(singular).join(" ");
}
