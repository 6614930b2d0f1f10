import type { Measurement } from "../measurement.ts";
import { promptSize } from "./prompt-size.ts";
import { signals } from "./signals.ts";
import { steps } from "./steps.ts";
import { structure } from "./structure.ts";

/** Everything that is measured, in this order. */
export const MEASUREMENTS: readonly Measurement[] = [promptSize, steps, structure, signals];
