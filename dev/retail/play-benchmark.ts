import { verifyDomain } from "../../packaging/domain.ts";
import type { Benchmark } from "./benchmark.ts";
import { playProbes } from "./probes.ts";
import { replayDialogues } from "./replay-dialogues.ts";
import { replayTasks } from "./replay-tasks.ts";
import type { RetailStage } from "./customer.ts";
import type { Statement } from "./statement.ts";
import { openStoredData } from "./stored-data.ts";

/** Plays all of the benchmark on a database with the domain's tables, and gives one statement after the other. */
export async function* playBenchmark(
  { database, domain }: Pick<RetailStage, "database" | "domain">,
  benchmark: Benchmark,
): AsyncGenerator<Statement> {
  await verifyDomain(domain, database.pool);
  const stored = openStoredData(database);
  const stage = { database, domain, stored };
  try {
    yield* await replayTasks(stage, benchmark);
    yield* await replayDialogues(stage, benchmark);
    yield* await playProbes(stage, benchmark.data);
  } finally {
    await stored.close();
  }
}
