import stringWidth from "string-width";

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });
/** Pixels of a character of 12 pixels, a little more than most fonts take. */
const PIXELS = { wide: 13, capital: 9.2, broad: 11.4, other: 6.9 } as const;

/** Estimates the pixels of a text in the drawing's font. */
export function measureText(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += measureGrapheme(segment);
  return width;
}

function measureGrapheme(grapheme: string): number {
  if (stringWidth(grapheme) > 1) return PIXELS.wide;
  if (/^[MWmw@%—…]/u.test(grapheme)) return PIXELS.broad;
  return /^\p{Lu}/u.test(grapheme) ? PIXELS.capital : PIXELS.other;
}

/**
 * Returns the rows of a text within a width in pixels. Runs of white space count as one space; a
 * word that is wider than a row is broken between graphemes, as are texts without spaces.
 */
export function wrapPixels(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.trim().split(/\s+/u)) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (measureText(longer) <= width) {
      row = longer;
      continue;
    }
    if (row !== "") rows.push(row);
    row = "";
    for (const { segment } of GRAPHEMES.segment(word)) {
      if (row !== "" && measureText(row + segment) > width) {
        rows.push(row);
        row = "";
      }
      row += segment;
    }
  }
  return [...rows, row];
}
