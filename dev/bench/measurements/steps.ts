import { MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { openDatabaseProxy } from "../../../test/support/database-proxy.ts";
import { countStatements } from "../count-statements.ts";
import { median } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";
import { compareRounds, playRounds, timed } from "../paired.ts";
import { openSavers, SAVER_LABELS } from "../savers.ts";
import { runSmallGraph, SMALL_STEPS } from "../small-graph.ts";

/**
 * Milliseconds of a step with its checkpoint, and the statements of a run: once on the server's own
 * socket, once behind a proxy that makes each round trip 3 ms longer, as a server in another place
 * does. The checkpointers take turns run by run.
 */
export const steps: Measurement = {
  name: "steps",
  about: "Milliseconds and statements of a step with its checkpoint, beside the stock saver",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    const proxy = await openDatabaseProxy(database.url, { delayMs: 3 });
    try {
      progress("socket");
      const near = { url: database.url, runs: quick ? 5 : 10, rounds: quick ? 8 : 40 };
      const rows = await measureSteps("socket", near);
      progress("+3 ms");
      const far = { url: proxy.url, runs: quick ? 1 : 2, rounds: quick ? 3 : 12 };
      rows.push(...(await measureSteps("+3 ms", far)));
      return [
        {
          title: `A step of a graph of ${SMALL_STEPS} nodes that do next to nothing`,
          columns: ["database", "checkpointer", "ms a run", "ms a step", "of stock's", "to hold"],
          rows,
          notes: ["medians; durability sync; without a lease, so no fencing token is checked"],
        },
        {
          title: "Statements in a run of the same graph, each of them a round trip",
          columns: ["checkpointer", "statements a run"],
          rows: await measureStatements(database.url),
          notes: ["to hold: at most one for each call of a checkpointer"],
        },
      ];
    } finally {
      await proxy.close();
      await database.close();
    }
  },
};

/** Share of the stock saver's time that a step may take. */
const MOST_OF_STOCK = 0.7;

interface Size {
  readonly url: string;
  readonly runs: number;
  readonly rounds: number;
}

async function measureSteps(name: string, { url, runs, rounds }: Size): Promise<Row[]> {
  const savers = await openSavers(url);
  const contender = (create: () => BaseCheckpointSaver) => async (): Promise<number> =>
    (await timed(() => runSmallGraph(create(), { threads: 1, runs }))) / runs;
  try {
    const played = await playRounds(
      {
        ours: contender(() => savers.ours),
        stock: contender(() => savers.stock),
        // A new one each time: it never lets go of anything.
        memory: contender(() => new MemorySaver()),
      },
      rounds,
    );
    return (["ours", "stock", "memory"] as const).map((saver) => {
      const ms = median(played[saver]);
      const ofStock = saver === "stock" ? null : compareRounds(played[saver], played.stock);
      const toHold = saver === "ours" ? MOST_OF_STOCK : null;
      return [name, SAVER_LABELS[saver], ms, ms / SMALL_STEPS, ofStock, toHold];
    });
  } finally {
    await savers.close();
  }
}

async function measureStatements(url: string): Promise<readonly Row[]> {
  const savers = await openSavers(url);
  const rows: Row[] = [];
  try {
    for (const saver of ["ours", "stock"] as const) {
      const count = countStatements(savers.pools[saver]);
      await runSmallGraph(savers[saver], { threads: 1, runs: 10 });
      rows.push([SAVER_LABELS[saver], count() / 10]);
    }
    return rows;
  } finally {
    await savers.close();
  }
}
