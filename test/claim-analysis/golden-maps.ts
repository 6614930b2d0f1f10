import { z } from "zod";
import { ShapeNameSchema, type ShapeName } from "../../state/analysis.ts";
import { readYaml } from "../support/read-yaml.ts";
import { sketchMap, type MapSketch } from "../support/claim-maps.ts";

/** A map that is named, and the shape that it has. */
export interface GoldenMap {
  /** The shape that it stands for: has where it is clear, misses where it is near. */
  readonly group: ShapeName;
  readonly name: string;
  readonly shape: ShapeName;
  readonly sketch: MapSketch;
}

const ShapesSchema = z.array(
  z.object({
    shape: ShapeNameSchema,
    clear: z.record(z.string(), z.string()),
    near: z.record(z.string(), z.string()),
  }),
);
const SHAPES = readYaml(new URL("golden-maps.yaml", import.meta.url), ShapesSchema);

/** Maps whose shape is beyond doubt. */
export const CLEAR_MAPS: readonly GoldenMap[] = SHAPES.flatMap(({ shape, clear }) =>
  Object.entries(clear).map(([name, text]) => ({
    group: shape,
    name,
    shape,
    sketch: sketchMap(text),
  })),
);

/** Maps that nearly have a shape. */
export const NEAR_MAPS: readonly GoldenMap[] = SHAPES.flatMap(({ shape: group, near }) =>
  Object.entries(near).map(([name, text]) => {
    const [shape = "", ...rest] = text.split(" | ");
    return {
      group,
      name,
      shape: ShapeNameSchema.parse(shape),
      sketch: sketchMap(rest.join(" | ")),
    };
  }),
);
