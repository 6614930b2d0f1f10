import type { Pool, PoolClient } from "pg";

/** Counts the statements that a pool sends from now on. To be called before it has connected. */
export function countStatements(pool: Pool): () => number {
  let count = 0;
  pool.on("connect", (client: PoolClient) => {
    const query: unknown = Reflect.get(client, "query");
    if (typeof query !== "function") throw new TypeError("Cannot count statements: no query()");
    Reflect.set(client, "query", (...args: unknown[]): unknown => {
      count += 1;
      return Reflect.apply(query, client, args);
    });
  });
  return () => count;
}
