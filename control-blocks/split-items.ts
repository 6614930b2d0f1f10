const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const ENDS_IN_DATE = new RegExp(`\\b${MONTH}\\.?(?:\\s+\\d{1,2}(?:st|nd|rd|th)?)?$`, "i");
const ENDS_IN_WEEKDAY = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?$/i;
const STARTS_WITH_YEAR = /^\s*(?:19|20)\d{2}\b/;
const STARTS_WITH_DATE = new RegExp(
  `^\\s*(?:${MONTH}\\b|\\d{1,2}(?:st|nd|rd|th)?\\s+${MONTH})`,
  "i",
);
const STARTS_WITH_CLAUSE =
  /^\s+(?:because|which|whose|so|but|since|although|though|unless|whereas|especially|e\.g\.|i\.e\.)\s/;
/** Number of characters examined on each side of a comma. */
const NEAR = 24;

/**
 * The items of a list that is written on one line, between semicolons or else commas.
 *
 * A comma parts no number ("$1,500"), no date ("January 31, 2027"), no clause that leans on what
 * stands before it ("no leftovers, because …"), and nothing inside quotes or brackets.
 */
export function splitItems(text: string): string[] {
  const enclosed = readEnclosed(text);
  const semicolons = cutsAt(text, { enclosed, separates: isSemicolon });
  const cuts =
    semicolons.length > 0 ? semicolons : cutsAt(text, { enclosed, separates: isSeparatingComma });
  const starts = [0, ...cuts.map((cut) => cut + 1)];
  const items = starts.map((start, index) => text.slice(start, cuts[index] ?? text.length).trim());
  return items.map((item, index) => (index > 0 ? item.replace(/^and\s+/, "") : item));
}

interface Cutting {
  /** The end index of each enclosed part, by the index where it begins. */
  readonly enclosed: ReadonlyMap<number, number>;
  readonly separates: (text: string, index: number) => boolean;
}

function cutsAt(text: string, cutting: Cutting): number[] {
  const cuts: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const end = cutting.enclosed.get(index);
    if (end !== undefined) index = end;
    else if (cutting.separates(text, index)) cuts.push(index);
  }
  return cuts;
}

function isSemicolon(text: string, index: number): boolean {
  return text[index] === ";";
}

function isSeparatingComma(text: string, index: number): boolean {
  if (text[index] !== ",") return false;
  const before = text.slice(Math.max(0, index - NEAR), index);
  const after = text.slice(index + 1, index + 1 + NEAR);
  if (/\d$/.test(before) && /^\d/.test(after)) return false;
  if (STARTS_WITH_CLAUSE.test(after)) return false;
  if (STARTS_WITH_YEAR.test(after) && ENDS_IN_DATE.test(before)) return false;
  return !(STARTS_WITH_DATE.test(after) && ENDS_IN_WEEKDAY.test(before));
}

const BRACKETS: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["'", "'"],
]);

/** Quoted and bracketed parts, from their first character to their last; what is never closed is text. */
function readEnclosed(text: string): ReadonlyMap<number, number> {
  const enclosed = new Map<number, number>();
  const open: { readonly closing: string; readonly at: number }[] = [];
  const unclosed = new Set<string>();
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? "";
    const quote = QUOTES.get(character);
    if (quote !== undefined && !unclosed.has(character) && opensQuote(text, index)) {
      const end = quoteEnd(text, { from: index + 1, quote });
      if (end === -1) unclosed.add(character);
      else {
        enclosed.set(index, end);
        index = end;
      }
      continue;
    }
    const closing = BRACKETS.get(character);
    if (closing !== undefined) open.push({ closing, at: index });
    else if (open.at(-1)?.closing === character) {
      const opened = open.pop();
      if (opened !== undefined) enclosed.set(opened.at, index);
    }
  }
  return enclosed;
}

function opensQuote(text: string, index: number): boolean {
  const before = text[index - 1] ?? " ";
  // An apostrophe quotes only where an item begins.
  if (text[index] === "'")
    return /[,;[]\s*$/.test(text.slice(Math.max(0, index - 4), index)) || index === 0;
  return /[\s,;:([{]/.test(before);
}

function quoteEnd(text: string, search: { readonly from: number; readonly quote: string }): number {
  for (let index = search.from; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\\") index += 1;
    else if (character === search.quote && /[\s,;:.!?)\]}]/.test(text[index + 1] ?? " "))
      return index;
  }
  return -1;
}
