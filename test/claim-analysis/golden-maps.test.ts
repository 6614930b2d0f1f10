import { describe, expect, test } from "vitest";
import { ShapeNameSchema } from "../../state/analysis.ts";
import { computeStructuralAnalysis } from "../../claim-analysis/analysis.ts";
import { mapOfSketch, oneSupporterChanged } from "../support/claim-maps.ts";
import { CLEAR_MAPS, NEAR_MAPS } from "./golden-maps.ts";

describe("computeStructuralAnalysis()", () => {
  test.each([CLEAR_MAPS, NEAR_MAPS])("has golden maps of every shape", (...maps) => {
    expect([...new Set(maps.map(({ group }) => group))]).toEqual(ShapeNameSchema.options);
  });

  test.each(CLEAR_MAPS)("is sure of a clear map: $shape, $name", ({ shape, sketch }) => {
    const found = computeStructuralAnalysis(mapOfSketch(sketch)).shape;

    expect(found.name).toBe(shape);
    expect(found.confidence).toBeGreaterThanOrEqual(0.7);
  });

  test.each(CLEAR_MAPS)("keeps $shape, whichever supporter changes: $name", ({ shape, sketch }) => {
    const names = Array.from(
      oneSupporterChanged(mapOfSketch(sketch)),
      (map) => computeStructuralAnalysis(map).shape.name,
    );

    expect(names).toEqual(names.map(() => shape));
    expect(names).toHaveLength(Object.keys(sketch.claims).length * sketch.experts);
  });

  test.each(NEAR_MAPS)("tells $shape from $group: $name", ({ group, shape, sketch }) => {
    const found = computeStructuralAnalysis(mapOfSketch(sketch)).shape.name;

    expect(found).toBe(shape);
    expect(found).not.toBe(group);
  });
});
