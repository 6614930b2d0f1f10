import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { openBenchAssistant, type BenchAssistant } from "../bench-assistant.ts";
import type { BenchDatabase, Measurement, ResultTable } from "../measurement.ts";
import { median, pairedRatio, playRounds } from "../paired.ts";
import { openSavers, SAVER_LABELS, type Savers } from "../savers.ts";
import { createSmallGraph, runSmallGraph, SMALL_STEPS } from "../small-graph.ts";
import { collectGarbage, watchMemory, type PeakMemory } from "../watch-memory.ts";

/**
 * Runs a second with many threads at once, in one process on ten connections.
 *
 * Each thread runs the small graph again and again, or takes the turns of a conversation one after
 * the other. Both checkpointers take turns, round by round. Memory is the most that the process had
 * meanwhile, whatever had been measured in it before. The CPU is this process's alone: it bounds
 * what one process can do, and other work on the machine hardly changes it.
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
        const rival = (saver: BaseCheckpointSaver) => () =>
          runRuns(saver, { threads, runs: quick ? 50 : 200 });
        const rivals = { ours: rival(savers.ours), stock: rival(savers.stock) };
        const toHold = threads === 1 ? null : LEAST_OF_STOCK;
        runs.push(...(await compete(rivals, { threads, toHold, rounds: quick ? 2 : 9 })));
      }
      const turns: ResultTable["rows"][number][] = [];
      for (const threads of quick ? [1, 10] : [1, 10, 50]) {
        progress(`turns in ${threads} threads`);
        const ours = await openAssistants({ database, savers, threads, name: "ours" });
        const stock = await openAssistants({ database, savers, threads, name: "stock" });
        const rivals = { ours: () => takeTurns(ours), stock: () => takeTurns(stock) };
        turns.push(...(await compete(rivals, { threads, toHold: null, rounds: quick ? 1 : 5 })));
      }
      return [
        {
          title: `Runs of a graph of ${SMALL_STEPS} nodes that do next to nothing`,
          columns: ["threads", "checkpointer", "runs a second", ...COLUMNS],
          rows: runs,
          notes: [`medians; durability sync; ${CONNECTIONS} connections for each checkpointer`],
        },
        {
          title: "Turns of the task lane",
          columns: ["threads", "checkpointer", "turns a second", ...COLUMNS],
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
const COLUMNS = ["of stock's", "to hold", "CPU each, ms", "resident, MB", "heap, MB"] as const;

type Rival = "ours" | "stock";

/** What some work came to. */
interface Done {
  readonly perSecond: number;
  /** Milliseconds of this process's CPU for each of them, all its threads. */
  readonly cpuMs: number;
  readonly memory: PeakMemory;
}

async function compete(
  rivals: Readonly<Record<Rival, () => Promise<Done>>>,
  options: { readonly threads: number; readonly toHold: number | null; readonly rounds: number },
): Promise<ResultTable["rows"]> {
  const done: Record<Rival, Done[]> = { ours: [], stock: [] };
  const contender = (name: Rival) => async (): Promise<number> => {
    const came = await rivals[name]();
    done[name].push(came);
    return came.perSecond;
  };
  const rounds = await playRounds(
    { ours: contender("ours"), stock: contender("stock") },
    options.rounds,
  );
  return (["ours", "stock"] as const).map((name) => {
    // The first round is not counted.
    const counted = done[name].slice(1);
    return [
      options.threads,
      SAVER_LABELS[name],
      median(rounds[name]),
      name === "stock" ? null : pairedRatio(rounds.ours, rounds.stock),
      name === "stock" ? null : options.toHold,
      median(counted.map(({ cpuMs }) => cpuMs)),
      megabytes(counted.map(({ memory }) => memory.resident)),
      megabytes(counted.map(({ memory }) => memory.heap)),
    ];
  });
}

function megabytes(bytes: readonly number[]): number {
  return Math.round(median(bytes) / 1e6);
}

async function measureWork(count: number, work: () => Promise<unknown>): Promise<Done> {
  collectGarbage();
  const endWatch = watchMemory();
  const before = process.cpuUsage();
  const started = performance.now();
  try {
    await work();
  } finally {
    endWatch();
  }
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: count / seconds,
    cpuMs: (user + system) / 1_000 / count,
    memory: endWatch(),
  };
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
