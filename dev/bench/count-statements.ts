import { AsyncLocalStorage } from "node:async_hooks";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { Pool, PoolClient } from "pg";

/** The calls of a checkpointer that LangGraph makes in every run. */
export const SAVER_CALLS = ["getTuple", "put", "putWrites"] as const;
export type SaverCall = (typeof SAVER_CALLS)[number];

/** How often each was called, and how many statements they sent: each is a round trip. */
export type CallCount = Readonly<
  Record<SaverCall, { readonly calls: number; readonly statements: number }>
>;

/**
 * Counts a checkpointer's calls and its statements from now on.
 *
 * Contract: to be used once for a pool that has not connected yet; what a call sends later, from a
 * timer, counts as its own.
 */
export function countStatements(saver: BaseCheckpointSaver, pool: Pool): () => CallCount {
  const running = new AsyncLocalStorage<SaverCall>();
  const counts = {
    getTuple: { calls: 0, statements: 0 },
    put: { calls: 0, statements: 0 },
    putWrites: { calls: 0, statements: 0 },
  };
  for (const call of SAVER_CALLS) {
    observe(saver, call, (run) => {
      counts[call].calls += 1;
      return running.run(call, run);
    });
  }
  const watch = (client: PoolClient): void =>
    observe(client, "query", (run) => {
      const call = running.getStore();
      if (call !== undefined) counts[call].statements += 1;
      return run();
    });
  pool.on("connect", watch);
  return () => structuredClone(counts);
}

/** Puts something around a method of an object. */
function observe(owner: object, name: string, around: (run: () => unknown) => unknown): void {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== "function") throw new TypeError(`Cannot observe "${name}": no method`);
  Reflect.set(owner, name, (...args: unknown[]): unknown =>
    around((): unknown => Reflect.apply(method, owner, args)),
  );
}
