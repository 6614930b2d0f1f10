import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Machine, Versions } from "./machine.ts";
import type { ResultTable } from "./measurement.ts";

/** The outcome of one measurement. */
export interface MeasuredResult {
  readonly name: string;
  readonly about: string;
  readonly seconds: number;
  /** Empty where it failed. */
  readonly tables: readonly ResultTable[];
  /** One sentence; null where it did not fail. */
  readonly failure: string | null;
}

/** A whole run, as it is stored. */
export interface BenchReport {
  /** The run's beginning: ISO 8601, UTC. */
  readonly date: string;
  readonly quick: boolean;
  readonly seed: number;
  readonly machine: Machine;
  /** `postgres` is null where no measurement needed one. */
  readonly versions: Versions & { readonly postgres: string | null };
  readonly results: readonly MeasuredResult[];
}

/** Returns the file of a run's results unless another one is named; ignored by git. */
export function defaultReportPath(date: string): string {
  return join(import.meta.dirname, "results", `${date.replace(/[:.]/g, "-")}.json`);
}

/** Writes a report, making its folder. */
export async function writeReport(report: BenchReport, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
}
