import type { PoolClient, QueryConfig, QueryResult } from "pg";
import type { Queryable } from "../../state/store.ts";
import { prepare } from "./prepared.ts";

/** A lender of connections: a pool. */
export interface Lender {
  connect(): Promise<PoolClient>;
}

/** Gives a connection to `work`: what it sends at once goes in one write, and is done in that order. */
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
    // What was sent with the one that failed may still be under way.
    client.release(true);
    throw error;
  }
}

/** A connection in use, and how many queries are under way on it. */
interface Shared {
  readonly client: Promise<PoolClient>;
  underWay: number;
  hasFailed: boolean;
}

/** Most queries that share a connection. */
const MOST_SHARING = 8;

/**
 * Shares connections among queries that each stand for themselves: one that comes while others are
 * under way joins them, at most eight on a connection, which is given back when none is left. They
 * are answered in order.
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

/** The pool's connections, shared among all who have but quick statements: a slow one keeps others waiting. */
export function quickly(pool: Lender): Queryable {
  const known = QUICK.get(pool) ?? sharing(pool);
  QUICK.set(pool, known);
  return known;
}

/**
 * Sends a query; those of one tick on the same connection go in one write, where it does not wait
 * for answers in between (`pipeline`): each write wakes the server by itself.
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
