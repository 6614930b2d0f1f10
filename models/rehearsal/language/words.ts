import type { Spell } from "./spelling.ts";
import { stem } from "./stem.ts";

/** How people write short; the long form is what rules are written in. */
const SPELLED_OUT: readonly (readonly [RegExp, string])[] = [
  [/[’‘`´]/g, "'"],
  [/[“”]/g, '"'],
  [/[–—]/g, "-"],
  [/\bcan(?:'t|t|not)\b/g, "can not"],
  [/\bwo(?:n't|nt)\b/g, "will not"],
  [/\bain't\b/g, "is not"],
  [/\b(do|does|did|is|are|was|were|would|could|should|have|has|had|must|need)n'?t\b/g, "$1 not"],
  [/\bi'?m\b/g, "i am"],
  [/\b(i|we|you|they)'ve\b/g, "$1 have"],
  [/\bive\b/g, "i have"],
  [/\b(i|we|you|they|he|she|it|that|there)'d\b/g, "$1 would"],
  [/\bid (like|love|rather|prefer|want)\b/g, "i would $1"],
  [/\b(i|we|you|they|he|she|it|that|there)'ll\b/g, "$1 will"],
  [/\b(we|you|they)'re\b/g, "$1 are"],
  [/\blet'?s\b/g, "let us"],
  [/\b(what|that|there|who|how|where|when|here)'?s\b/g, "$1 is"],
  [/\bit's\b/g, "it is"],
  [/'s\b/g, ""],
  [/\bgonna\b/g, "going to"],
  [/\bwanna\b/g, "want to"],
  [/\bgotta\b/g, "have to"],
  [/\bgimme\b/g, "give me"],
  [/\blemme\b/g, "let me"],
  [/\bdunno\b/g, "do not know"],
  [/\bu\b/g, "you"],
  [/\bur\b/g, "your"],
  [/\bw\/o\b/g, "without"],
  [/\bw\/(?=\s|\w)/g, "with "],
  [/\b(?:pls|plz|plse|pleas|pleaze)\b/g, "please"],
  [/\b(?:thx|tnx|ty|thanx)\b/g, "thanks"],
  [/\b(?:tmrw|tmr|tmrow|tomoz|2moro|tommorow|tommorrow|tomorow)\b/g, "tomorrow"],
  [/\bmon\b/g, "monday"],
  [/\btues?\b/g, "tuesday"],
  [/\bweds?\b/g, "wednesday"],
  [/\bthu(?:rs?)?\b/g, "thursday"],
  [/\bfri\b/g, "friday"],
  [/\bsat\b/g, "saturday"],
  [/\bsun\b/g, "sunday"],
  [/(\w+day)\s*-\s*(\w+day)/g, "$1 to $2"],
  [/(?:#|\bnr\.?|\bno\.|\bnum\b)\s*(?=\d)/g, "number "],
  [/\bhalf an hour\b/g, "30 minutes"],
  [/\ban hour\b/g, "60 minutes"],
  [/\bmins?\b/g, "minutes"],
  [/(?<=\p{L}\s?)\s*\/\s*(?=\p{L})/gu, " and "],
  [/(?<=[\p{L}\d]\s?)\s*[&+]\s*(?=[\p{L}\d])/gu, " and "],
];

const NUMBERS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  twenty: 20,
};

/**
 * A message as plain words: lower case, short forms spelled out, spelling mended, numbers as
 * digits. Sentences end in ` . `, commas are ` , `; nothing else is left of the punctuation.
 */
export function plainText(text: string, spell: Spell): string {
  const long = SPELLED_OUT.reduce(
    (current, [short, full]) => current.replace(short, full),
    text.normalize("NFKC").toLowerCase(),
  );
  const marked = long
    .replace(/(?<=\d),(?=\d)/g, ".")
    .replace(/(?<!\d)\.|\.(?!\d)|[!?;:\n()]+/g, " . ")
    .replace(/,/g, " , ")
    .replace(/[^\p{L}\p{N}.,\s-]+/gu, " ");
  const words = marked.split(/\s+/).filter((word) => word !== "" && word !== "-");
  return withDigits(words.map(spell).join(" "));
}

/** "a dozen" and "two" as digits; "one" stays, because it mostly stands for a thing. */
function withDigits(text: string): string {
  return text
    .replace(/\bhalf a dozen\b/g, "6")
    .replace(/\b(?:a |one )?dozen(?: of)?\b/g, "12")
    .replace(/\b(?:a )?couple(?: of)?\b/g, "2")
    .replace(/\b[a-z]+\b/g, (word) => (Object.hasOwn(NUMBERS, word) ? `${NUMBERS[word]}` : word));
}

/** The words of a text in the singular, punctuation left out. */
export function stems(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []).map(stem);
}

/** Where one list of words stands in another, in one piece: the index of its first word, or -1. */
export function indexOfWords(words: readonly string[], wanted: readonly string[]): number {
  if (wanted.length === 0) return -1;
  return words.findIndex((_, start) => wanted.every((word, at) => words[start + at] === word));
}

/** The items of a list in words: "milk , bread and butter" → milk, bread, butter. */
export function listItems(text: string): string[] {
  return text
    .split(/\s*(?:,|\.|\band\b|\bor\b|\bplus\b|\bas well as\b)\s*/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Things in a row for people: "a", "a and b", "a, b and c". */
export function joinWords(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} and ${last}`;
}

/** The text with its first letter in upper case. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Every word with its first letter in upper case: the name of a thing. */
export function titled(text: string): string {
  return text.replace(/(?<![\p{L}'-])\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The words that are left when those of a list (patterns of whole words) are taken out. */
export function tidyWords(text: string, filling: string): string {
  const pattern = new RegExp(`^(?:${filling.trim().split(/\s+/).join("|")}|[,.])$`);
  return text
    .split(/\s+/)
    .filter((word) => word !== "" && !pattern.test(word))
    .join(" ");
}
