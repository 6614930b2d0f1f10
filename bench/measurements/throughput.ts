import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { openBenchAssistant, type BenchAssistant } from "../bench-assistant.ts";
import type { BenchDatabase, Measurement, ResultTable } from "../measurement.ts";
import { median, pairedRatio, playRounds, type Rounds } from "../paired.ts";
import { openSavers, SAVER_LABELS, type Savers } from "../savers.ts";
import { createSmallGraph, runSmallGraph, SMALL_STEPS } from "../small-graph.ts";

/**
 * Runs a second with many threads at once, in one process on ten connections.
 *
 * Each thread runs the small graph again and again, or takes the turns of a conversation one after
 * the other. Both checkpointers take turns, round by round; memory is the process's after the
 * rounds of a row, with what the rows before have left in it. The CPU is this process's alone: it
 * bounds what one process can do, and other work on the machine hardly changes it.
 */
export const throughput: Measurement = {
  name: "throughput",
  about: "Runs and turns a second with 1, 10 and 50 threads at once, and the memory they take",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    const savers = await openSavers(database.url, { poolSize: CONNECTIONS });
    try {
      const runs: ResultTable["rows"][number][] = [];
      for (const threads of [1, 10, 50]) {
        progress(`${threads} threads`);
        const cpu: Record<Rival, number[]> = { ours: [], stock: [] };
        const rival = (name: Rival) => async (): Promise<number> => {
          const done = await runRuns(savers[name], { threads, runs: quick ? 50 : 200 });
          cpu[name].push(done.cpuMs);
          return done.perSecond;
        };
        const rounds = await playRounds(
          { ours: rival("ours"), stock: rival("stock") },
          quick ? 2 : 9,
        );
        const toHold = threads === 1 ? null : LEAST_OF_STOCK;
        runs.push(...rowsOf(threads, { rounds, toHold, cpu }));
      }
      const turns: ResultTable["rows"][number][] = [];
      for (const threads of quick ? [1, 10] : [1, 10, 50]) {
        progress(`turns in ${threads} threads`);
        const cpu: Record<Rival, number[]> = { ours: [], stock: [] };
        const rival = async (name: Rival): Promise<() => Promise<number>> => {
          const assistants = await openAssistants({ database, savers, threads, name });
          return async () => {
            const done = await takeTurns(assistants);
            cpu[name].push(done.cpuMs);
            return done.perSecond;
          };
        };
        const rounds = await playRounds(
          { ours: await rival("ours"), stock: await rival("stock") },
          quick ? 2 : 5,
        );
        turns.push(...rowsOf(threads, { rounds, toHold: null, cpu }));
      }
      return [
        {
          title: `Runs of a graph of ${SMALL_STEPS} nodes that do next to nothing`,
          columns: [
            "threads",
            "checkpointer",
            "runs a second",
            "of stock's",
            "to hold",
            ...PROCESS,
          ],
          rows: runs,
          notes: [`medians; durability sync; ${CONNECTIONS} connections for each checkpointer`],
        },
        {
          title: "Turns of the task lane",
          columns: [
            "threads",
            "checkpointer",
            "turns a second",
            "of stock's",
            "to hold",
            ...PROCESS,
          ],
          rows: turns,
          notes: [
            "the rehearsal model computes its answers in the same process: its time is in both",
            "with PostgresCheckpointer old checkpoints are pruned and each write checks the lease",
          ],
        },
      ];
    } finally {
      await savers.close();
      await database.close();
    }
  },
};

const CONNECTIONS = 10;
/** Parallel throughput, against stock's. */
const LEAST_OF_STOCK = 1.5;
const PROCESS = ["CPU each, ms", "resident, MB", "heap, MB"] as const;

type Rival = "ours" | "stock";

function rowsOf(
  threads: number,
  {
    rounds,
    toHold,
    cpu,
  }: {
    readonly rounds: Rounds<Rival>;
    readonly toHold: number | null;
    readonly cpu: Readonly<Record<Rival, readonly number[]>>;
  },
): ResultTable["rows"] {
  const { rss, heapUsed } = process.memoryUsage();
  return (["ours", "stock"] as const).map((name) => [
    threads,
    SAVER_LABELS[name],
    median(rounds[name]),
    name === "stock" ? null : pairedRatio(rounds.ours, rounds.stock),
    name === "stock" ? null : toHold,
    median(cpu[name].slice(1)),
    Math.round(rss / 1e6),
    Math.round(heapUsed / 1e6),
  ]);
}

/** What some work came to. */
interface Done {
  readonly perSecond: number;
  /** Milliseconds of this process's CPU for each of them, all its threads. */
  readonly cpuMs: number;
}

async function measureWork(count: number, work: () => Promise<unknown>): Promise<Done> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: count / seconds, cpuMs: (user + system) / 1_000 / count };
}

async function runRuns(
  saver: BaseCheckpointSaver,
  { threads, runs }: { readonly threads: number; readonly runs: number },
): Promise<Done> {
  const graph = createSmallGraph(saver);
  let left = runs;
  const thread = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await runSmallGraph(graph);
    }
  };
  return measureWork(runs, () => Promise.all(Array.from({ length: threads }, thread)));
}

/** Turns that read, write and talk; what they store they take away again. */
const TURNS = [
  "what's in my fridge?",
  "add 3 lemons to my shopping list",
  "clear my shopping list",
  "thanks",
] as const;

async function openAssistants(options: {
  readonly database: BenchDatabase;
  readonly savers: Savers;
  readonly threads: number;
  readonly name: Rival;
}): Promise<readonly BenchAssistant[]> {
  const { database, savers, threads, name } = options;
  const checkpointer = savers[name];
  return Promise.all(
    Array.from({ length: threads }, () => openBenchAssistant({ database, checkpointer })),
  );
}

async function takeTurns(assistants: readonly BenchAssistant[]): Promise<Done> {
  return measureWork(assistants.length * TURNS.length, () =>
    Promise.all(
      assistants.map(async ({ send }) => {
        for (const text of TURNS) await send(text);
      }),
    ),
  );
}
