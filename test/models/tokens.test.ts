import { fc, test } from "@fast-check/vitest";
import { countTokens as countWhole } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import { anyCharacter } from "../support/any-character.ts";

test.each([
  ["", 0],
  ["recipe_3", 3],
  ["Read 9 recipes → recipe_1 through recipe_9", 12],
  ["日本語のレシピ", 6],
])("countTokens() counts %j as %i", (text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});

test("countTokens() takes the names of special tokens as text", () => {
  expect(countTokens("<|endoftext|><|im_start|>")).toBeGreaterThan(2);
});

test("countTokens() cuts long runs without losing count", () => {
  expect(countTokens("漢".repeat(32_000))).toBe(32_000);
  expect(countTokens("a".repeat(32_000))).toBe(4_000);
});

test.prop([fc.string({ unit: anyCharacter, maxLength: 600 }), fc.string({ maxLength: 300 })])(
  "countTokens() never fails, repeats itself, and grows with the text",
  (one, other) => {
    const tokens = countTokens(one);

    expect(countTokens(one)).toBe(tokens);
    expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(one));
    expect(countTokens(`${one}\n${other}`)).toBeLessThanOrEqual(tokens + countTokens(other) + 3);
  },
);

test.prop([fc.array(fc.string({ unit: "grapheme" }), { minLength: 2, maxLength: 30 })], {
  numRuns: 10,
})("countTokens() says the same of a text whatever was counted before", (texts) => {
  const first = texts.map(countTokens);
  const others = Array.from({ length: 6_000 }, (_, index) => countTokens(`other ${index}`));

  expect(texts.toReversed().map(countTokens)).toEqual(first.toReversed());
  expect(others).toHaveLength(6_000);
});

const piece = fc.oneof(
  fc.constantFrom(
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    " ",
    "/",
    "\n/",
    "\u2028",
    "'s",
    "…\n",
    "<|endoftext|>",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
);

test.prop([fc.array(piece, { maxLength: 40 })], { numRuns: 1_000 })(
  "countTokens() counts line by line what the encoding counts at once",
  (pieces) => {
    const text = pieces.join("");

    expect(countTokens(text)).toBe(countWhole(text, { disallowedSpecial: new Set() }));
  },
);
