import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { median } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";
import { pairedRatio, playRounds } from "../paired.ts";
import { openCrowd, runInParallel } from "../parallel-work.ts";
import { profileParallelWork } from "../profile/profile-parallel-work.ts";
import { openSavers, SAVER_LABELS } from "../savers.ts";
import { SMALL_STEPS } from "../small-graph.ts";
import { collectGarbage, watchMemory, type PeakMemory } from "../watch-memory.ts";

/**
 * Runs a second with many threads at once, in one process on ten connections.
 *
 * Each thread runs the small graph again and again, or takes the turns of a conversation one after
 * the other. Both checkpointers take turns, round by round: many short rounds, since what is to be
 * held is the median of their ratios. Memory is the most that the process had meanwhile, whatever
 * had been measured in it before. The CPU is this process's alone: it bounds what one process can
 * do, and other work on the machine hardly changes it.
 */
export const throughput: Measurement = {
  name: "throughput",
  about: "Runs and turns a second with 1, 10 and 50 threads at once, and the memory they take",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    const savers = await openSavers(database.url, { poolSize: CONNECTIONS });
    try {
      const runs: Row[] = [];
      for (const load of quick ? QUICK_RUNS : RUNS) {
        const { threads, each } = load;
        progress(`${threads} threads`);
        const count = threads * each;
        const rival = (saver: BaseCheckpointSaver) => () =>
          measureWork(count, () => runInParallel(saver, { threads, runs: count }));
        const rivals = { ours: rival(savers.ours), stock: rival(savers.stock) };
        const toHold = threads === 1 ? null : LEAST_OF_STOCK;
        runs.push(...(await compete(rivals, { ...load, toHold })));
      }
      const turns: Row[] = [];
      for (const load of quick ? QUICK_TURNS : TURNS) {
        const { threads, each } = load;
        progress(`turns in ${threads} threads`);
        const rival = async (checkpointer: BaseCheckpointSaver) => {
          const crowd = await openCrowd(threads, { database, checkpointer });
          return () => measureWork(threads * each, () => crowd.talk(each));
        };
        const rivals = { ours: await rival(savers.ours), stock: await rival(savers.stock) };
        turns.push(...(await compete(rivals, { ...load, toHold: null })));
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
            "the simulated model computes its answers in the same process: its time is in both",
            "with PostgresCheckpointer old checkpoints are pruned and each write checks the lease",
          ],
        },
      ];
    } finally {
      await savers.close();
      await database.close();
    }
  },
  profile: profileParallelWork,
};

/** What a round is, and how many are counted. */
interface Load {
  readonly threads: number;
  /** What each thread does in a round, in the mean: so many runs, or so many turns. */
  readonly each: number;
  readonly rounds: number;
}

const RUNS: readonly Load[] = [
  { threads: 1, each: 25, rounds: 5 },
  { threads: 10, each: 5, rounds: 9 },
  { threads: 50, each: 2, rounds: 7 },
];
const TURNS: readonly Load[] = [
  { threads: 1, each: 4, rounds: 3 },
  { threads: 10, each: 1, rounds: 5 },
  { threads: 50, each: 1, rounds: 3 },
];
const QUICK_RUNS: readonly Load[] = [1, 10, 50].map(onceInEach);
const QUICK_TURNS: readonly Load[] = [1, 10].map(onceInEach);

function onceInEach(threads: number): Load {
  return { threads, each: 1, rounds: 1 };
}

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
): Promise<readonly Row[]> {
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
