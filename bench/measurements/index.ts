import type { Measurement } from "../measurement.ts";
import { checkpointBytes } from "./checkpoint-bytes.ts";
import { fanOut } from "./fan-out.ts";
import { promptSize } from "./prompt-size.ts";
import { signals } from "./signals.ts";
import { startUp } from "./start-up.ts";
import { steps } from "./steps.ts";
import { structure } from "./structure.ts";
import { throughput } from "./throughput.ts";

/** Everything that is measured, in this order. */
export const MEASUREMENTS: readonly Measurement[] = [
  promptSize,
  steps,
  checkpointBytes,
  throughput,
  fanOut,
  structure,
  signals,
  startUp,
];
