import { defineCommand } from "../../cli/command-line.ts";
import { runWithArguments } from "../../cli/run-command.ts";
import { domainFolder } from "../../packaging/domain.ts";
import { createBenchServer } from "../bench/server.ts";
import { readBenchmark } from "./benchmark.ts";
import { retailDomain } from "./domain.ts";
import { playBenchmark } from "./play-benchmark.ts";
import { renderStatement } from "./statement.ts";

const RETAIL = defineCommand({
  start: "npm run retail --",
  about: `
Plays the retail tasks of the public benchmark tau-bench as conversations on a domain of ours, and
compares every row with what the benchmark's own tools make of its data; undoes each task again; then
plays its recorded dialogues with a model that wants to delete all orders, and probes what must be
refused. Models follow a script: it judges the program, not a model. It works on an embedded
PostgreSQL of its own, and runs the benchmark's Python files with python3, which has to be installed;
nothing is written to the folder. Exits with 1 where anything differs, with 2 for a wrong argument.`,
  arguments: { folder: ["FOLDER", "a checkout of tau-bench", String] },
});

await runWithArguments(RETAIL, async ({ folder }) => {
  const began = performance.now();
  const benchmark = await readBenchmark(folder);
  const { tasks, dialogues } = benchmark;
  process.stdout.write(`${tasks.length} tasks, ${dialogues.length} dialogues: some minutes\n`);
  const server = createBenchServer(null, [domainFolder(retailDomain)]);
  let differences = 0;
  try {
    const stage = { database: await server.openDatabase(), domain: retailDomain };
    for await (const statement of playBenchmark(stage, benchmark)) {
      process.stdout.write(`${renderStatement(statement)}\n`);
      differences += statement.differences.length;
    }
  } finally {
    await server.close();
  }
  process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
  return differences === 0 ? 0 : 1;
});
