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

/** Characters that may stand before a quotation, and behind it. */
const [BEFORE, BEHIND] = [String.raw`(?<=^|[\s,;:([{])`, String.raw`(?=[\s,;:.!?)\]}]|$)`];
/** An apostrophe quotes only where an item begins. */
const QUOTED = String.raw`${BEFORE}(?:"[^"\\]*(?:\\.[^"\\]*)*"|“[^“”]*”)${BEHIND}|(?<=(?:^|[,;[])\s{0,3})'[^']*'${BEHIND}`;
const BRACKETED = String.raw`\((?:[^()]|\([^()]*\))*\)|\[(?:[^[\]]|\[[^[\]]*\])*\]|\{[^{}]*\}`;
/** Parts that are never cut, and the signs between items; what is never closed is text. */
const PIECES = new RegExp(`${QUOTED}|${BRACKETED}|[,;]`, "gs");

/**
 * The items of a list that is written on one line, between semicolons or else commas.
 *
 * A comma parts no number ("$1,500"), no date ("January 31, 2027"), no clause that leans on what
 * stands before it ("no leftovers, because …"), and nothing inside quotes or brackets.
 */
export function splitItems(text: string): string[] {
  const signs = [...text.matchAll(PIECES)].filter(([piece]) => piece === "," || piece === ";");
  const semicolons = signs.filter(([sign]) => sign === ";");
  const commas = signs.filter(({ index }) => separates(text, index));
  const cuts = (semicolons.length > 0 ? semicolons : commas).map(({ index }) => index);
  const starts = [0, ...cuts.map((cut) => cut + 1)];
  const items = starts.map((start, index) => text.slice(start, cuts[index]).trim());
  return items.map((item, index) => (index > 0 ? item.replace(/^and\s+/, "") : item));
}

function separates(text: string, comma: number): boolean {
  const before = text.slice(Math.max(0, comma - NEAR), comma);
  const after = text.slice(comma + 1, comma + 1 + NEAR);
  if (/\d$/.test(before) && /^\d/.test(after)) return false;
  if (STARTS_WITH_CLAUSE.test(after)) return false;
  if (STARTS_WITH_YEAR.test(after) && ENDS_IN_DATE.test(before)) return false;
  return !(STARTS_WITH_DATE.test(after) && ENDS_IN_WEEKDAY.test(before));
}
