import { expect, test } from "vitest";
import { deniesWords } from "../../summaries/confirming-clauses.ts";

test.each<[message: string, words: string, denied: boolean]>([
  ["don't drop step 5", "drop step 5", true],
  ["Please do not just drop step 5!", "drop step 5", true],
  ["never drop step 5", "drop step 5", true],
  ["Streiche Schritt 5 nicht", "streiche Schritt 5", true],
  ["no borres el paso 5", "borres el paso 5", true],
  ["no, drop step 5", "drop step 5", false],
  ["I don't like it. Drop step 5", "Drop step 5", false],
  ["don't drop step 4, drop step 5", "drop step 5", false],
  ["never mind: drop step 5", "drop step 5", false],
  ["no coffee after lunch then", "no coffee after lunch", false],
  ["drop it", "drop step 5", false],
  ["", "", false],
])("deniesWords() reads %j as %j: %j", (message, words, denied) => {
  expect(deniesWords(message, words)).toBe(denied);
});
