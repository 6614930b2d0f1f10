import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import { clip, shorten } from "../../registry/shorten.ts";
import { countRoughly } from "../support/arbitraries.ts";

describe("shorten()", () => {
  test("leaves a text that fits as it is", () => {
    expect(shorten("a short text", { tokens: 3, countTokens: countRoughly })).toBe("a short text");
  });

  test("leaves out the middle and says how much", () => {
    const text = `The beginning. ${"filler ".repeat(60)}The end.`;
    expect(shorten(text, { tokens: 20, countTokens: countRoughly })).toBe(
      "The beginning. filler filler filler [… 97 tokens left out …] er filler The end.",
    );
  });

  test.each([
    [4, "aaaaaaaaaaaaaaaa"],
    [0, ""],
  ])("gives the beginning where not even the mark fits: %i", (tokens, text) => {
    expect(shorten("a".repeat(200), { tokens, countTokens: countRoughly })).toBe(text);
  });

  const texts = fc.string({ unit: "grapheme", maxLength: 300 });

  property.prop([texts, fc.integer({ min: 0, max: 60 })])(
    "never exceeds its budget",
    (text, tokens) => {
      expect(
        countRoughly(shorten(text, { tokens, countTokens: countRoughly })),
      ).toBeLessThanOrEqual(tokens);
      expect(countTokens(shorten(text, { tokens, countTokens }))).toBeLessThanOrEqual(tokens);
    },
  );

  property.prop([texts, fc.integer({ min: 0, max: 60 })])(
    "never splits a code point",
    (text, tokens) => {
      expect(shorten(text, { tokens, countTokens: countRoughly }).isWellFormed()).toBe(true);
    },
  );
});

describe("clip()", () => {
  test.each([
    ["a short text", 12, "a short text"],
    ["a longer text", 8, "a longe…"],
    ["👩🏽👩🏽👩🏽", 4, "👩🏽👩…"],
    ["text", 0, "…"],
  ])("cuts %j after %i characters", (text, characters, clipped) => {
    expect(clip(text, characters)).toBe(clipped);
  });
});
