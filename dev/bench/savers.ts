import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { APP_ROLE, SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import {
  createCheckpointer,
  type PostgresCheckpointer,
} from "../../storage/checkpoints/checkpointer.ts";
import { columnTypes } from "../../storage/postgres/column-types.ts";

/** Names of the checkpointers in tables. */
export const SAVER_LABELS = {
  ours: "PostgresCheckpointer",
  stock: "PostgresSaver (stock)",
  memory: "MemorySaver",
} as const;

/** This project's checkpointer and LangGraph's own, on pools of one size each. */
export interface Savers {
  readonly ours: PostgresCheckpointer;
  readonly stock: PostgresSaver;
  /** The pool of each that has one. */
  readonly pools: Readonly<Record<"ours" | "stock", Pool>>;
  /** Ends the pools. */
  readonly close: () => Promise<void>;
}

/** Stock's tables, beside those of the migrations. */
const STOCK_SCHEMA = "stock";

/**
 * Opens the competing checkpointers on a database: ours as the program has it, stock as its
 * documentation says, with a schema of its own.
 */
export async function openSavers(
  url: string,
  { poolSize = 10 }: { readonly poolSize?: number } = {},
): Promise<Savers> {
  await setUpStock(url);
  const settings = ["timezone=UTC", "datestyle=ISO", `search_path=${SEARCH_PATH}`];
  const pools = {
    ours: openPool(url, { poolSize, settings: [...settings, `role=${APP_ROLE}`] }),
    stock: openPool(url, { poolSize, settings: [] }),
  };
  return {
    ours: createCheckpointer(pools.ours),
    stock: stockSaver(pools.stock),
    pools,
    close: async () => {
      await Promise.all([pools.ours.end(), pools.stock.end()]);
    },
  };
}

/** On a pool of its own: the others have not connected yet when they are handed out. */
async function setUpStock(url: string): Promise<void> {
  const pool = openPool(url, { poolSize: 1, settings: [] });
  try {
    await stockSaver(pool).setup();
  } finally {
    await pool.end();
  }
}

function stockSaver(pool: Pool): PostgresSaver {
  return new PostgresSaver(pool, undefined, { schema: STOCK_SCHEMA });
}

function openPool(
  url: string,
  { poolSize, settings }: { readonly poolSize: number; readonly settings: readonly string[] },
): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    options: settings.map((setting) => `-c ${setting}`).join(" "),
    types: columnTypes,
  });
  // A run that is interrupted takes the server away from statements on their way too.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  return pool;
}
