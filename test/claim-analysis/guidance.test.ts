import { describe, expect, test } from "vitest";
import { countTokens } from "../../models/tokens.ts";
import { ShapeNameSchema, StanceNameSchema } from "../../state/analysis.ts";
import { getShapeGuidance, getStanceGuidance } from "../../claim-analysis/guidance.ts";

const SHAPES = ShapeNameSchema.options;
const STANCES = StanceNameSchema.options;

test("getShapeGuidance() says something of its own, in short, for every shape", () => {
  const texts = SHAPES.map(getShapeGuidance);
  expect(new Set(texts).size).toBe(SHAPES.length);
  expect(Math.max(...texts.map((text) => countTokens(text)))).toBeLessThanOrEqual(90);
});

describe.each(STANCES)("getStanceGuidance() of %s", (stance) => {
  test("only the behavior is bent by a shape, and what it was stays", () => {
    const plain = getStanceGuidance(stance);
    for (const shape of SHAPES) {
      const bent = getStanceGuidance(stance, shape);
      expect({ ...bent, behavior: "" }).toEqual({ ...plain, behavior: "" });
      expect(bent.behavior.startsWith(plain.behavior)).toBe(true);
    }
  });
});

test("getStanceGuidance() has a decision on open ground say what is missing", () => {
  expect(getStanceGuidance("decide", "exploratory").behavior.split("\n").at(-1)).toBe(
    "There is too little to decide on: say what is missing, what to find out first, and which way you would lean until then.",
  );
});

test("getStanceGuidance() frames every stance but the default", () => {
  expect(STANCES.filter((stance) => getStanceGuidance(stance).framing === "")).toEqual(["default"]);
});
