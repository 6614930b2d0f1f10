import type { Measurement } from "../measurement.ts";
import { checkpointBytes } from "./checkpoint-bytes.ts";
import { databaseReads } from "./database-reads.ts";
import { fanOut } from "./fan-out.ts";
import { plantedFacts } from "./planted-facts.ts";
import { promptSize } from "./prompt-size.ts";
import { requests } from "./requests.ts";
import { runsOverHttp } from "./runs-over-http.ts";
import { signals } from "./signals.ts";
import { startUp } from "./start-up.ts";
import { steps } from "./steps.ts";
import { streams } from "./streams.ts";
import { structure } from "./structure.ts";
import { throughput } from "./throughput.ts";
import { turnCost } from "./turn-cost.ts";

/** Everything that is measured, in this order. */
export const MEASUREMENTS: readonly Measurement[] = [
  promptSize,
  turnCost,
  plantedFacts,
  databaseReads,
  steps,
  checkpointBytes,
  throughput,
  fanOut,
  structure,
  signals,
  startUp,
  requests,
  runsOverHttp,
  streams,
];
