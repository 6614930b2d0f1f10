import type { Measurement } from "../measurement.ts";
import { bothLanes } from "./both-lanes.ts";
import { checkpointBytes } from "./checkpoint-bytes.ts";
import { fanOut } from "./fan-out.ts";
import { firstWord } from "./first-word.ts";
import { outsideCheck } from "./outside-check.ts";
import { plantedFacts } from "./planted-facts.ts";
import { promptSize } from "./prompt-size.ts";
import { requests } from "./requests.ts";
import { runsOverHttp } from "./runs-over-http.ts";
import { smallTier } from "./small-tier.ts";
import { startUp } from "./start-up.ts";
import { steps } from "./steps.ts";
import { streams } from "./streams.ts";
import { throughput } from "./throughput.ts";
import { turnCost } from "./turn-cost.ts";
import { writes } from "./writes.ts";

/** Everything that is measured, in this order. */
export const MEASUREMENTS: readonly Measurement[] = [
  promptSize,
  smallTier,
  turnCost,
  bothLanes,
  firstWord,
  plantedFacts,
  steps,
  checkpointBytes,
  throughput,
  writes,
  outsideCheck,
  fanOut,
  startUp,
  requests,
  runsOverHttp,
  streams,
];
