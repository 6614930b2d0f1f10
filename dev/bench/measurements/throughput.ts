import { median } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";
import { compareRounds, playRounds, timed } from "../paired.ts";
import { openSavers, SAVER_LABELS } from "../savers.ts";
import { runSmallGraph, SMALL_STEPS } from "../small-graph.ts";

/**
 * Runs a second with many threads at once, in one process on ten connections. The checkpointers take
 * turns in many short rounds. The CPU is this process's alone: it bounds what one process can do, and
 * other work on the machine hardly changes it.
 */
export const throughput: Measurement = {
  name: "throughput",
  about: "Runs a second with 1, 10 and 50 threads at once, beside the stock saver",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    const savers = await openSavers(database.url, { poolSize: CONNECTIONS });
    try {
      const rows: Row[] = [];
      for (const { threads, each, rounds } of LOADS) {
        progress(`${threads} threads`);
        const runs = threads * (quick ? 1 : each);
        const cpu = { ours: new Array<number>(), stock: new Array<number>() };
        const contender = (name: "ours" | "stock") => async (): Promise<number> => {
          const before = process.cpuUsage();
          const ms = await timed(() => runSmallGraph(savers[name], { threads, runs }));
          const { user, system } = process.cpuUsage(before);
          cpu[name].push((user + system) / 1_000 / runs);
          return (1_000 * runs) / ms;
        };
        const contenders = { ours: contender("ours"), stock: contender("stock") };
        const played = await playRounds(contenders, quick ? 1 : rounds);
        const toHold = threads === 1 ? null : LEAST_OF_STOCK;
        const ofStock = compareRounds(played.ours, played.stock);
        // The first round is not counted.
        const medianCpu = (name: "ours" | "stock"): number => median(cpu[name].slice(1));
        rows.push(
          [threads, SAVER_LABELS.ours, median(played.ours), ofStock, toHold, medianCpu("ours")],
          [threads, SAVER_LABELS.stock, median(played.stock), null, null, medianCpu("stock")],
        );
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
            "CPU each, ms",
          ],
          rows,
          notes: [`medians; durability sync; ${CONNECTIONS} connections for each checkpointer`],
        },
      ];
    } finally {
      await savers.close();
      await database.close();
    }
  },
};

/** `each`: runs of a thread in a round, in the mean. */
const LOADS = [
  { threads: 1, each: 25, rounds: 5 },
  { threads: 10, each: 5, rounds: 9 },
  { threads: 50, each: 2, rounds: 7 },
] as const;
const CONNECTIONS = 10;
/** Parallel throughput, against the stock saver's. */
const LEAST_OF_STOCK = 1.5;
