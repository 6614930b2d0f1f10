import { renderError } from "../../cli/run-command.ts";
import type { BenchContext, Measurement } from "./measurement.ts";
import { renderTable } from "./print.ts";
import type { MeasuredResult } from "./report.ts";

/** The means of all measurements, and where their tables and progress are written. */
export interface MeasureOptions extends Omit<BenchContext, "progress"> {
  readonly write: (text: string) => void;
  readonly note: (line: string) => void;
  /** Aborts when the run is to end: nothing is written from then on. */
  readonly signal: AbortSignal;
}

/**
 * Measures one after the other and writes each one's tables when it is done. One that fails hides
 * no other.
 *
 * @throws the signal's reason once it has aborted.
 */
export async function measureAll(
  measurements: readonly Measurement[],
  { write, note, signal, ...context }: MeasureOptions,
): Promise<readonly MeasuredResult[]> {
  const results: MeasuredResult[] = [];
  for (const measurement of measurements) {
    const progress = (text: string): void => {
      if (!signal.aborted) note(`${measurement.name}: ${text}`);
    };
    const result = await measure(measurement, { ...context, progress });
    // What failed then failed because its database had gone.
    signal.throwIfAborted();
    results.push(result);
    write(renderResult(result));
  }
  return results;
}

async function measure(
  { name, about, run }: Measurement,
  context: BenchContext,
): Promise<MeasuredResult> {
  const started = performance.now();
  const end = (outcome: Pick<MeasuredResult, "tables" | "failure">): MeasuredResult => {
    const seconds = Number(((performance.now() - started) / 1_000).toFixed(1));
    return { name, about, seconds, ...outcome };
  };
  try {
    return end({ tables: await run(context), failure: null });
  } catch (error) {
    context.progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return end({ tables: [], failure: renderError(error) });
  }
}

function renderResult({ name, about, seconds, tables, failure }: MeasuredResult): string {
  const head = `\n== ${name}: ${about} (${seconds} s)\n`;
  const rest = failure === null ? tables.map(renderTable) : [`Failed: ${failure}\n`];
  return [head, ...rest].join("\n");
}
