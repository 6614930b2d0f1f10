import { loadEnvironment, readConfig } from "../cli/config.ts";
import { sentenceOf } from "../cli/run-command.ts";
import type { BenchArguments } from "./arguments.ts";
import { describeMachine, readVersions } from "./machine.ts";
import type { BenchContext, Measurement } from "./measurement.ts";
import { renderTable } from "./print.ts";
import { defaultReportPath, writeReport, type MeasuredResult } from "./report.ts";
import { createBenchServer } from "./server.ts";

/**
 * Measures, prints the tables, writes the report; returns the exit code. A measurement that fails
 * hides no other. A signal ends the run, and its databases are removed.
 */
export async function runBench(wanted: BenchArguments): Promise<number> {
  const { databaseUrl } = readConfig(loadEnvironment());
  const server = createBenchServer(databaseUrl);
  const interrupted = new Promise<number>((resolve) => {
    process.once("SIGINT", () => resolve(130)).once("SIGTERM", () => resolve(143));
  });
  const measuring = measureAll(wanted, server);
  // What a measurement does when its database goes is heard by nobody.
  measuring.catch(() => undefined);
  try {
    return await Promise.race([measuring, interrupted]);
  } finally {
    await server.close();
  }
}

async function measureAll(
  { measurements, quick, seed, json }: BenchArguments,
  server: ReturnType<typeof createBenchServer>,
): Promise<number> {
  const date = new Date().toISOString();
  const [machine, versions] = [describeMachine(), await readVersions()];
  process.stdout.write(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGB} GB, load ${machine.load}; Node ${versions.node}, LangGraph ${versions.langgraph}; seed ${seed}${quick ? "; quick" : ""}\n`,
  );
  const results: MeasuredResult[] = [];
  for (const measurement of measurements) {
    const { openDatabase } = server;
    const result = await measure(measurement, { quick, seed, openDatabase });
    results.push(result);
    process.stdout.write(renderResult(result));
  }
  const path = json ?? defaultReportPath(date);
  const postgres = server.version();
  await writeReport(
    { date, quick, seed, machine, versions: { ...versions, postgres }, results },
    path,
  );
  process.stdout.write(`\nWritten to ${path}\n`);
  return results.every(({ failure }) => failure === null) ? 0 : 1;
}

async function measure(
  { name, about, run }: Measurement,
  context: Omit<BenchContext, "progress">,
): Promise<MeasuredResult> {
  const progress = (text: string): void => void process.stderr.write(`${name}: ${text}\n`);
  const started = performance.now();
  const end = (came: Pick<MeasuredResult, "tables" | "failure">): MeasuredResult => {
    const seconds = Number(((performance.now() - started) / 1_000).toFixed(1));
    return { name, about, seconds, ...came };
  };
  try {
    return end({ tables: await run({ ...context, progress }), failure: null });
  } catch (error) {
    progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return end({ tables: [], failure: sentenceOf(error) });
  }
}

function renderResult({ name, about, seconds, tables, failure }: MeasuredResult): string {
  const head = `\n== ${name}: ${about} (${seconds} s)\n`;
  const rest = failure === null ? tables.map(renderTable) : [`Failed: ${failure}\n`];
  return [head, ...rest].join("\n");
}
