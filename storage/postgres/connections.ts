import type { PoolClient, QueryConfig, QueryResult } from "pg";
import type { Queryable } from "../../state/store.ts";
import { prepare } from "./prepared.ts";

/** A lender of connections: a pool. */
export interface Lender {
  connect(): Promise<PoolClient>;
}

/** Lends a connection to `work`: queries that it sends at once go in one write and run in that order. */
export async function onConnection<T>(
  pool: Lender,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    const result = await work({
      query: (text, values) => sendWithNext(client, prepare(text, values)),
    });
    client.release();
    return result;
  } catch (error) {
    // Queries that were sent with the failed one may still be running.
    client.release(true);
    throw error;
  }
}

/** A connection in use, and the number of its running queries. */
interface Shared {
  readonly client: Promise<PoolClient>;
  underWay: number;
  hasFailed: boolean;
}

/** Most queries that share a connection. Not a setting: more would only wait for each other. */
const MOST_SHARING = 8;

/**
 * Shares connections among independent queries: a query joins a connection on which others are running,
 * at most eight, and the connection is released when none is left. Queries are answered in order.
 */
export function sharing(pool: Lender): Queryable {
  let joined: Shared | null = null;
  const join = (): Shared => {
    if (joined === null || joined.underWay >= MOST_SHARING || joined.hasFailed) {
      joined = { client: pool.connect(), underWay: 0, hasFailed: false };
    }
    joined.underWay += 1;
    return joined;
  };
  const leave = (shared: Shared, client: PoolClient): void => {
    shared.underWay -= 1;
    if (shared.underWay > 0) return;
    if (joined === shared) joined = null;
    client.release(shared.hasFailed);
  };
  return {
    async query(text, values) {
      const shared = join();
      const client = await shared.client.catch((error: unknown) => {
        shared.hasFailed = true;
        throw error;
      });
      try {
        return await sendWithNext(client, prepare(text, values));
      } catch (error) {
        shared.hasFailed = true;
        throw error;
      } finally {
        leave(shared, client);
      }
    },
  };
}

const QUICK = new WeakMap<Lender, Queryable>();

/** Returns the pool's connections, shared among quick statements: a slow one would keep others waiting. */
export function quickly(pool: Lender): Queryable {
  const known = QUICK.get(pool) ?? sharing(pool);
  QUICK.set(pool, known);
  return known;
}

/**
 * Sends a query. Queries of one tick on the same connection go in one write, since each write wakes
 * the server, if the connection does not wait for answers in between (`pipeline`).
 */
export async function sendWithNext(
  client: PoolClient,
  query: QueryConfig,
): Promise<QueryResult<Record<string, unknown>>> {
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  return client.query<Record<string, unknown>>(query);
}
