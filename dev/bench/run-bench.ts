import { loadConfig } from "../../app/config.ts";
import { printIgnored } from "../../app/print-ignored.ts";
import type { BenchArguments } from "./arguments.ts";
import { recordOnce } from "./long-recording.ts";
import { describeMachine, readVersions } from "./machine.ts";
import { measureAll } from "./measure-all.ts";
import { holdsBar, type ResultTable } from "./measurement.ts";
import { defaultReportPath, writeReport } from "./report.ts";
import { createBenchServer, type BenchServer } from "./server.ts";

/**
 * Measures, prints the tables, writes the report; returns the exit code. A signal ends the run, and
 * its databases are removed.
 */
export async function runBench(wanted: BenchArguments): Promise<number> {
  const config = loadConfig("bench");
  printIgnored(config);
  const { databaseUrl } = config;
  const server = createBenchServer(databaseUrl);
  const stop = new AbortController();
  const interrupted = new Promise<number>((resolve) => {
    const end = (exitCode: number) => (): void => {
      stop.abort();
      resolve(exitCode);
    };
    process.once("SIGINT", end(130)).once("SIGTERM", end(143));
  });
  const measuring = measureAndReport(wanted, { server, signal: stop.signal });
  measuring.catch(() => undefined);
  try {
    return await Promise.race([measuring, interrupted]);
  } finally {
    await server.close();
  }
}

async function measureAndReport(
  { measurements, quick, seed, json }: BenchArguments,
  { server, signal }: { readonly server: BenchServer; readonly signal: AbortSignal },
): Promise<number> {
  const date = new Date().toISOString();
  const machine = describeMachine();
  const versions = await readVersions();
  const { cpu, cores, memoryGB, load } = machine;
  const { node, langgraph } = versions;
  process.stdout.write(
    `${cpu}, ${cores} cores, ${memoryGB} GB, load ${load}; Node ${node}, LangGraph ${langgraph}; seed ${seed}${quick ? "; quick" : ""}\n`,
  );
  const { openDatabase } = server;
  const results = await measureAll(measurements, {
    quick,
    seed,
    openDatabase,
    longConversation: recordOnce({ quick, seed, openDatabase }),
    write: (text) => void process.stdout.write(text),
    note: (line) => void process.stderr.write(`${line}\n`),
    signal,
  });
  const path = json ?? defaultReportPath(date);
  const postgres = server.version();
  await writeReport(
    { date, quick, seed, machine, versions: { ...versions, postgres }, results },
    path,
  );
  process.stdout.write(`\nWritten to ${path}\n`);
  const isDone = results.every(({ failure }) => failure === null);
  // Figures of a few turns promise nothing.
  return isDone && (quick || results.every(({ tables }) => tables.every(holdsBars))) ? 0 : 1;
}

function holdsBars({ bars = [] }: ResultTable): boolean {
  return bars.every(holdsBar);
}
