import { describe, expect, test } from "vitest";
import { ShapeNameSchema } from "../../state/analysis.ts";
import { computeStructuralAnalysis } from "../../claim-analysis/analysis.ts";
import { mapOfSketch, oneSupporterChanged } from "../support/claim-maps.ts";
import { GOLDEN_SHAPES } from "./golden-maps.ts";

const clear = GOLDEN_SHAPES.flatMap(({ shape, clear }) =>
  Object.entries(clear).map(([name, sketch]) => ({ shape, name, sketch })),
);
const near = GOLDEN_SHAPES.flatMap(({ shape: missed, near }) =>
  Object.entries(near).map(([name, { shape, ...sketch }]) => ({ missed, shape, name, sketch })),
);

test("every shape has golden maps and near misses", () => {
  expect(GOLDEN_SHAPES.map(({ shape }) => shape)).toEqual(ShapeNameSchema.options);
});

describe("computeStructuralAnalysis() is sure of a clear map", () => {
  test.each(clear)("$shape: $name", ({ shape, sketch }) => {
    const found = computeStructuralAnalysis(mapOfSketch(sketch)).shape;

    expect(found.name).toBe(shape);
    expect(found.confidence).toBeGreaterThanOrEqual(0.7);
  });

  test.each(clear)("$shape, whichever supporter changes: $name", ({ shape, sketch }) => {
    const names = Array.from(
      oneSupporterChanged(mapOfSketch(sketch)),
      (map) => computeStructuralAnalysis(map).shape.name,
    );

    expect(names).toEqual(names.map(() => shape));
    expect(names).toHaveLength(Object.keys(sketch.claims).length * sketch.experts);
  });
});

describe("computeStructuralAnalysis() tells a near miss", () => {
  test.each(near)("from $missed ($shape): $name", ({ missed, shape, sketch }) => {
    const found = computeStructuralAnalysis(mapOfSketch(sketch)).shape.name;

    expect(found).toBe(shape);
    expect(found).not.toBe(missed);
  });
});
