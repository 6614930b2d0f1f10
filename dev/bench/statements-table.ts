import { countStatements, SAVER_CALLS, type CallCount } from "./count-statements.ts";
import type { ResultTable, Row } from "./measurement.ts";
import { openSavers, SAVER_LABELS } from "./savers.ts";
import { createSmallGraph, runSmallGraph } from "./small-graph.ts";

const COUNTED_RUNS = 10;

/** What the checkpointers send for a run of the small graph, by call. */
export async function statementsTable(url: string): Promise<ResultTable> {
  const savers = await openSavers(url);
  try {
    const rows: Row[] = [];
    for (const name of ["ours", "stock"] as const) {
      const count = countStatements(savers[name], savers.pools[name]);
      const graph = createSmallGraph(savers[name]);
      for (let run = 0; run < COUNTED_RUNS; run += 1) await runSmallGraph(graph);
      rows.push(...statementRows(SAVER_LABELS[name], count()));
    }
    return {
      title: "Statements, each of them a round trip, in a run of the small graph",
      columns: ["checkpointer", "call", "calls a run", "statements a run", "a call"],
      rows,
      notes: ["to hold: at most one a call; writes that a checkpoint supersedes need none"],
    };
  } finally {
    await savers.close();
  }
}

function statementRows(label: string, count: CallCount): readonly Row[] {
  const row = (call: string, figures: { calls: number; statements: number }) => [
    label,
    call,
    figures.calls / COUNTED_RUNS,
    figures.statements / COUNTED_RUNS,
    figures.statements / figures.calls,
  ];
  const all = SAVER_CALLS.map((call) => count[call]);
  const calls = all.reduce((sum, figures) => sum + figures.calls, 0);
  const statements = all.reduce((sum, figures) => sum + figures.statements, 0);
  return [...SAVER_CALLS.map((call) => row(call, count[call])), row("all", { calls, statements })];
}
