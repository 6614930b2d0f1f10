import { test } from "@fast-check/vitest";
import * as fc from "fast-check";
import { expect } from "vitest";
import { fitParts, LEFT_OUT } from "../../prompts/fit-parts.ts";
import { dataSection, growingPart, stablePart, volatilePart } from "../../prompts/part.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import { countRoughly as countTokens } from "../support/arbitraries.ts";

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `- turn ${index + 1}: something was said`).join("\n");

const LEDGER = growingPart("ledger", "ledger", dataSection("Earlier Turns", lines(8)));
const ROWS = volatilePart("rows", "registry", dataSection("Rows", lines(8)));
const RULES = stablePart("rules", "code", "Be brief.");
const MESSAGE = volatilePart("message", "input", "no cod, please");
const PARTS = [RULES, LEDGER, ROWS, MESSAGE];

const size = (parts: readonly EnvelopePart[]): number =>
  parts.reduce((sum, { text }) => sum + countTokens(text), 0);

test("fitParts() leaves parts that fit as they are", () => {
  expect(fitParts(PARTS, { tokens: size(PARTS), countTokens })).toBe(PARTS);
});

test("fitParts() leaves out the older half of the history first, and says so", () => {
  const fitted = fitParts(PARTS, { tokens: size(PARTS) - 1, countTokens });

  const ledger = dataSection(
    "Earlier Turns",
    [LEFT_OUT, ...lines(8).split("\n").slice(4)].join("\n"),
  );
  expect(fitted).toEqual([RULES, { ...LEDGER, text: ledger }, ROWS, MESSAGE]);
});

test("fitParts() never leaves out rules or the message, and says where that is not enough", () => {
  const least = [RULES, { ...LEDGER, text: "" }, { ...ROWS, text: "" }, MESSAGE];

  expect(fitParts(PARTS, { tokens: size(least), countTokens })).toEqual(least);
  expect(fitParts(PARTS, { tokens: size(least) - 1, countTokens })).toBeNull();
});

const kind = fc.constantFrom("rules", "ledger", "registry", "rows", "choices", "message");
const part = fc
  .tuple(kind, fc.nat(12), fc.boolean())
  .map(([name, count, fenced]) =>
    volatilePart(name, "code", fenced ? dataSection("Heading", lines(count)) : lines(count)),
  );

test.prop([fc.array(part, { maxLength: 8 }), fc.nat(400)])(
  "fitParts() fits or says that it cannot, and keeps fences closed",
  (parts, tokens) => {
    const fitted = fitParts(parts, { tokens, countTokens });

    if (fitted === null) return;
    expect(size(fitted)).toBeLessThanOrEqual(tokens);
    for (const { text } of fitted) {
      expect(text.split("<data>").length).toBe(text.split("</data>").length);
    }
  },
);
