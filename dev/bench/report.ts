import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Machine, Versions } from "./machine.ts";
import type { ResultTable } from "./measurement.ts";

/** What came of one measurement. */
export interface MeasuredResult {
  readonly name: string;
  readonly about: string;
  readonly seconds: number;
  /** Empty where it failed. */
  readonly tables: readonly ResultTable[];
  /** One sentence; null where it did not fail. */
  readonly failure: string | null;
}

/** A whole run, as it is written down. */
export interface BenchReport {
  /** ISO 8601, UTC: when it began. */
  readonly date: string;
  readonly quick: boolean;
  readonly seed: number;
  readonly machine: Machine;
  /** `postgres` is null where no measurement needed one. */
  readonly versions: Versions & { readonly postgres: string | null };
  readonly results: readonly MeasuredResult[];
}

/** Where a run's results go unless another file is named. Not kept by git. */
export function defaultReportPath(date: string): string {
  return join(import.meta.dirname, "results", `${date.replace(/[:.]/g, "-")}.json`);
}

/** Writes a report, making its folder. */
export async function writeReport(report: BenchReport, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
}
