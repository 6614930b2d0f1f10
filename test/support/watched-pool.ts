import { Pool, type PoolClient } from "pg";
import { SEARCH_PATH } from "../../storage/postgres/app-role.ts";
import { columnTypes } from "../../storage/postgres/column-types.ts";

/** A pool, and what went over its connections. */
export interface WatchedPool {
  readonly pool: Pool;
  /** Round trips of statements, and rows that came back, since this was last called. */
  taken(): { readonly roundTrips: number; readonly rows: number };
  /** The most rows that one round trip brought, since the pool was opened. */
  mostRows(): number;
}

/** Opens a pool of the database's owner on which round trips and rows are counted. To be ended by the caller. */
export function openWatchedPool(url: string): WatchedPool {
  const pool = new Pool({
    connectionString: url,
    options: `-c search_path=${SEARCH_PATH}`,
    types: columnTypes,
  });
  let counted = { roundTrips: 0, rows: 0 };
  let most = 0;
  pool.on("error", () => undefined);
  pool.on("connect", (client: PoolClient) => {
    const { connection } = client;
    // The database may be dropped while it is still saying goodbye.
    client.on("error", () => undefined);
    let rows = 0;
    connection.on("dataRow", () => {
      rows += 1;
    });
    connection.on("readyForQuery", () => {
      counted = { roundTrips: counted.roundTrips + 1, rows: counted.rows + rows };
      most = Math.max(most, rows);
      rows = 0;
    });
  });
  return {
    pool,
    taken() {
      const taken = counted;
      counted = { roundTrips: 0, rows: 0 };
      return taken;
    },
    mostRows: () => most,
  };
}
