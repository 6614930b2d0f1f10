import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { measureText, wrapPixels } from "../../../cli/map/wrap-pixels.ts";

const words = fc
  .array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), { maxLength: 8 })
  .map((parts) => parts.join(" "));

test.prop([words, fc.integer({ min: 60, max: 300 })])(
  "wrapPixels() loses nothing, keeps its width, and breaks no grapheme",
  (text, width) => {
    const rows = wrapPixels(text, width);

    expect(rows.join("").replaceAll(/\s/gu, "")).toBe(text.replaceAll(/\s/gu, ""));
    expect(rows.filter((row) => measureText(row) > width && countGraphemes(row) > 1)).toEqual([]);
  },
);

test("wrapPixels() breaks a word that has no spaces between graphemes", () => {
  const family = "👩‍👩‍👧‍👦";

  expect(wrapPixels(family.repeat(3), 2 * measureText(family))).toEqual([family.repeat(2), family]);
  expect(wrapPixels("to WWWWWWWWWW", 5 * measureText("W"))).toEqual(["to", "WWWWW", "WWWWW"]);
});

function countGraphemes(text: string): number {
  return [...new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)].length;
}
