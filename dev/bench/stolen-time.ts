import { readFileSync } from "node:fs";

/** The machine's processor time so far, in ticks. */
export interface ProcessorTime {
  readonly all: number;
  /** What other machines on the same host had meanwhile. */
  readonly stolen: number;
}

/** Reads it, where the system tells (Linux); null elsewhere. Source: proc(5), the first line of `/proc/stat`. */
export function processorTime(): ProcessorTime | null {
  try {
    const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
    const ticks = line.trim().split(/\s+/u).slice(1, 9).map(Number);
    return { all: ticks.reduce((sum, part) => sum + part, 0), stolen: ticks[7] ?? 0 };
  } catch {
    return null;
  }
}

/** The share of it that was stolen between two readings, in percent; null where it is not told. */
export function stolenShare(
  before: ProcessorTime | null,
  after: ProcessorTime | null,
): number | null {
  if (before === null || after === null || after.all <= before.all) return null;
  return (100 * (after.stolen - before.stolen)) / (after.all - before.all);
}
