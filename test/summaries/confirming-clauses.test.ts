import { expect, test } from "vitest";
import { readDoubt } from "../../summaries/confirming-clauses.ts";

test.each<[message: string, words: string, denied: boolean]>([
  ["don't drop step 5", "drop step 5", true],
  ["Please do not just drop step 5!", "drop step 5", true],
  ["never drop step 5", "drop step 5", true],
  ["Streiche Schritt 5 nicht", "streiche Schritt 5", true],
  ["no borres el paso 5", "borres el paso 5", true],
  ["don't drop step 5", "don't drop step 5", true],
  ["I never want to drop step 5", "drop step 5", true],
  ["I never want to drop step 5", "I never want to drop step 5", true],
  ["please do not under any circumstances drop step 5", "drop step 5", true],
  ["don't drop step 5, please", "don't drop step 5, please", true],
  ["if I drop step 5, what is left", "drop step 5", true],
  ["I was thinking about whether to drop step 5", "drop step 5", true],
  ["tell me what dropping step 5 would affect", "dropping step 5", true],
  ["Streich Schritt 5 bitte nicht", "Streich Schritt 5", true],
  ["5. adımı çıkarma", "5. adımı çıkarma", true],
  ["不要删掉第五步", "删掉第五步", true],
  ["I don't need step 5", "I don't need step 5", false],
  ["I don't need step 5, drop it", "I don't need step 5, drop it", false],
  ["Schritt 5 brauche ich nicht, streich ihn", "Schritt 5 brauche ich nicht, streich ihn", false],
  ["I can't do step 5 this week", "I can't do step 5 this week", false],
  ["if it's ok with you, drop step 5", "drop step 5", false],
  ["quiero que quites el paso 5", "quites el paso 5", false],
  ["no, drop step 5", "drop step 5", false],
  ["I don't like it. Drop step 5", "Drop step 5", false],
  ["don't drop step 4, drop step 5", "drop step 5", false],
  ["never mind: drop step 5", "drop step 5", false],
  ["no coffee after lunch then", "no coffee after lunch", false],
  ["drop it", "drop step 5", false],
  ["", "", false],
])("readDoubt() reads %j as %j: %j", (message, words, denied) => {
  expect(readDoubt(message, words) !== null).toBe(denied);
});
