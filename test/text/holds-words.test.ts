import { fc, test as law } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { holdsWords, sharesHalf } from "../../text/holds-words.ts";

test.each<[text: string, words: string, holds: boolean]>([
  ["Step 1 is  done,\nwhat now?", "step 1 is done", true],
  ["I said “not the first week”", '"Not the first week"', true],
  ["we don’t need it", "don't need it", true],
  ["第一步做完了，接下来呢？", "做完了", true],
  ["Schritt 2 ist erledigt", "SCHRITT 2 IST ERLEDIGT", true],
  ["step 11 is done", "step 1", false],
  ["I know", "no", false],
  ["step 1 is done", "step 2 is done", false],
  ["step 1 is done", " ", false],
  ["", "done", false],
])("holdsWords() compares %j with %j", (text, words, holds) => {
  expect(holdsWords(text, words)).toBe(holds);
});

test.each<[text: string, words: string, shares: boolean]>([
  ["drop stpe 2 pls", "drop step 2", true],
  ["drop 4 and 5", "drop 5", true],
  ["how long does the first step take?", "step 1 is done", false],
  ["第一步做完了", "做完了", true],
  ["", "done", false],
  ["done", " ", false],
])("sharesHalf() compares %j with %j", (text, words, shares) => {
  expect(sharesHalf(text, words)).toBe(shares);
});

const word = fc.constantFrom("step", "1", "erledigt", "做完", "don't", "👩‍🍳");

law.prop([fc.array(word, { minLength: 1 }), fc.array(word), fc.array(word)])(
  "holdsWords() finds words wherever they stand",
  (words, before, after) => {
    const text = [...before, ...words, ...after].join("  ");
    expect(holdsWords(text.toUpperCase(), words.join(" "))).toBe(true);
  },
);
