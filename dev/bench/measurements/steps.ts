import { MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { mealsDomain } from "../../../meals/index.ts";
import { openDatabase } from "../../../storage/postgres/database.ts";
import { silentLog } from "../../../state/log.ts";
import { openDatabaseProxy } from "../../../test/support/database-proxy.ts";
import { longConversation } from "../../../test/support/long-conversation.ts";
import { openBenchAssistant, stepsOf } from "../bench-assistant.ts";
import { median } from "../figures.ts";
import type { Measurement, Row } from "../measurement.ts";
import { pairedRatio, playRounds, timed, type Rounds } from "../paired.ts";
import { openSavers, SAVER_LABELS, SAVER_NAMES, type SaverName } from "../savers.ts";
import { createSmallGraph, runSmallGraph, SMALL_STEPS } from "../small-graph.ts";
import { statementsTable } from "../statements-table.ts";

/**
 * Milliseconds of a step and of a turn, with models that answer at once: what is left is the graph,
 * its checkpointer and the database. Once on the server's own socket, once behind a proxy that makes
 * each round trip 3 ms longer, as a server in another place does.
 *
 * The checkpointers take turns run by run; "of stock's" is the median of what the runs of one
 * round took against each other. A run of the small graph is one put for the input and one for each
 * step, and a putWrites a step. The turn's domain data is read and written in Postgres whatever the
 * checkpointer; so are inbox, lease and archive.
 */
export const steps: Measurement = {
  name: "steps",
  about: "Milliseconds a step and a turn, and statements a checkpoint, beside the stock saver",
  async run({ quick, seed, openDatabase: openBenchDatabase, progress }) {
    const database = await openBenchDatabase();
    const proxy = await openDatabaseProxy(database.url, { delayMs: DELAY_MS });
    try {
      const rows: Row[] = [];
      for (const way of [
        { name: "socket", url: database.url, runs: quick ? 5 : 10, rounds: quick ? 8 : 40 },
        { name: "+3 ms", url: proxy.url, runs: quick ? 1 : 2, rounds: quick ? 3 : 12 },
      ]) {
        progress(`small graph, ${way.name}`);
        rows.push(...(await measureSmallGraph(way)));
      }
      const turns: Row[] = [];
      for (const way of [
        { name: "socket", url: database.url, rounds: quick ? 6 : 40 },
        { name: "+3 ms", url: proxy.url, rounds: quick ? 3 : 20 },
      ]) {
        progress(`turns, ${way.name}`);
        turns.push(...(await measureTurns({ ...way, seed })));
      }
      progress("statements");
      return [
        {
          title: `A step of a graph of ${SMALL_STEPS} nodes that do next to nothing`,
          columns: ["database", "checkpointer", "ms a run", "ms a step", "of stock's", "to hold"],
          rows,
          notes: [
            "medians; durability sync",
            "the small graph runs without a lease, so no fence is checked",
          ],
        },
        {
          title: "A turn of the task lane",
          columns: ["database", "checkpointer", "ms a turn", "ms a step", "steps", "of stock's"],
          rows: turns,
          notes: [
            "medians over the turns of a conversation, the simulated model playing every role: its computing is in it",
            "with PostgresCheckpointer old checkpoints are pruned and each write checks the lease; the others do neither",
          ],
        },
        await statementsTable(database.url),
      ];
    } finally {
      await proxy.close();
      await database.close();
    }
  },
};

const DELAY_MS = 3;
/** A step with checkpoint, against stock's. */
const MOST_OF_STOCK = 0.7;

async function measureSmallGraph(way: {
  readonly name: string;
  readonly url: string;
  readonly runs: number;
  readonly rounds: number;
}): Promise<readonly Row[]> {
  const savers = await openSavers(way.url);
  const contender = (saverOf: () => BaseCheckpointSaver) => async (): Promise<number> => {
    const graph = createSmallGraph(saverOf());
    const ms = await timed(async () => {
      for (let run = 0; run < way.runs; run += 1) await runSmallGraph(graph);
    });
    return ms / way.runs;
  };
  try {
    const rounds = await playRounds(
      {
        ours: contender(() => savers.ours),
        stock: contender(() => savers.stock),
        // A new one each time: it never lets go of anything.
        memory: contender(() => new MemorySaver()),
      },
      way.rounds,
    );
    return SAVER_NAMES.map((name) => {
      const ms = median(rounds[name]);
      const toHold = name === "ours" ? MOST_OF_STOCK : null;
      return [way.name, SAVER_LABELS[name], ms, ms / SMALL_STEPS, ofStock(name, rounds), toHold];
    });
  } finally {
    await savers.close();
  }
}

function ofStock(name: SaverName, rounds: Rounds<SaverName>): number | null {
  return name === "stock" ? null : pairedRatio(rounds[name], rounds.stock);
}

async function measureTurns(way: {
  readonly name: string;
  readonly url: string;
  readonly rounds: number;
  readonly seed: number;
}): Promise<readonly Row[]> {
  const database = await openDatabase({
    url: way.url,
    dataDir: "",
    migrations: [{ name: mealsDomain.name, path: mealsDomain.migrations }],
    log: silentLog,
  });
  const savers = await openSavers(way.url);
  const messages = longConversation(way.rounds + 1, way.seed);
  const counted: Record<SaverName, number[]> = { ours: [], stock: [], memory: [] };
  const contender = async (name: SaverName) => {
    const assistant = await openBenchAssistant({ database, checkpointer: savers[name] });
    const rest = [...messages];
    return async (): Promise<number> => {
      const message = rest.shift() ?? "thanks";
      const started = performance.now();
      const events = await assistant.send(message);
      const ms = performance.now() - started;
      counted[name].push(stepsOf(events));
      return ms;
    };
  };
  try {
    const rounds = await playRounds(
      {
        ours: await contender("ours"),
        stock: await contender("stock"),
        memory: await contender("memory"),
      },
      way.rounds,
    );
    return SAVER_NAMES.map((name) => {
      // The first turn is the round that is not counted.
      const nodes = counted[name].slice(1);
      const perStep = rounds[name].map((ms, round) => ms / (nodes[round] ?? Number.NaN));
      return [
        way.name,
        SAVER_LABELS[name],
        median(rounds[name]),
        median(perStep),
        median(nodes),
        ofStock(name, rounds),
      ];
    });
  } finally {
    await savers.close();
    await database.close();
  }
}
