import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import type { TurnGraph } from "../../graph/turn-graph.ts";
import type { TurnDriver } from "../../driver/turn-driver.ts";
import type { TurnState } from "../../state/turn.ts";
import { SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import type { Database } from "../../storage/postgres/database.ts";
import { DEMO_DAY, openDriver } from "../../test/support/conversation.ts";
import { turnState } from "../../test/support/turn-state.ts";
import type { EndedTurn, OpenRunner, TurnRunner } from "./play.ts";
import { StoredTables } from "./stored-tables.ts";

/** A database with the tables of the made-up domains, and its address as a user who may do everything in it. */
export type MadeUpDatabase = Database & { readonly url: string };

/** Plays conversations through the graph, the driver and Postgres, each with a person and a thread of its own. */
export class DriverRunners {
  readonly #database: MadeUpDatabase;
  /** Another program's login: what it writes belongs to no turn. */
  readonly #outside: Pool;

  constructor(database: MadeUpDatabase) {
    this.#database = database;
    const options = `-c search_path=${SEARCH_PATH} -c timezone=UTC`;
    this.#outside = new Pool({ connectionString: database.url, options, max: 1 });
    this.#outside.on("error", () => undefined);
  }

  readonly open: OpenRunner = async (world, { domain, models, lanes, limits, countTokens }) => {
    const who = { userId: `simulated-${randomUUID()}`, threadId: randomUUID() };
    const tables = new StoredTables(world, { userId: who.userId, outside: this.#outside });
    await tables.seed(this.#database.userData);
    const stage = { database: this.#database, domain, models, lanes, limits, countTokens };
    const errors: unknown[] = [];
    const { graph, driver } = openDriver(stage, (error) => void errors.push(error));
    return new DriverRunner({ graph, driver, who, tables, errors });
  };

  async close(): Promise<void> {
    await this.#outside.end();
  }
}

interface RunnerParts {
  readonly graph: TurnGraph;
  readonly driver: TurnDriver;
  readonly who: { readonly userId: string; readonly threadId: string };
  readonly tables: StoredTables;
  /** The errors of turns that failed. */
  readonly errors: readonly unknown[];
}

/** One conversation in the whole program. */
class DriverRunner implements TurnRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  synchronise(): Promise<void> {
    return this.#parts.tables.synchronise();
  }

  async readState(): Promise<TurnState> {
    const { values } = await this.#parts.graph.getState(this.#config);
    return withDefaults(values);
  }

  async run(text: string): Promise<EndedTurn> {
    const { driver, graph, who, errors } = this.#parts;
    await driver.send({ ...who, text, ...DEMO_DAY }, { onEvent: () => undefined });
    if (errors.length > 0) throw errors[0];
    let replied: TurnState | null = null;
    let last: TurnState | null = null;
    // The newest checkpoint comes first, and the turn ends where the one before it did.
    for await (const { values, next } of graph.getStateHistory(this.#config)) {
      if (next.includes("reply")) break;
      if (next.length === 0) continue;
      replied = withDefaults(values);
      last ??= replied;
    }
    if (replied === null || last === null) throw new Error("The turn has left no checkpoints");
    return { replied, events: last.registryEvents };
  }

  /** Names the thread's own checkpoints, inside a node as well. */
  get #config() {
    return { configurable: { thread_id: this.#parts.who.threadId, checkpoint_ns: "" } };
  }
}

/** A thread has no values before its first turn. */
function withDefaults(values: Partial<TurnState>): TurnState {
  return { ...turnState({ turn: 0, input: null }), ...values };
}
