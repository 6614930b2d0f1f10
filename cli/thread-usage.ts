import { z } from "zod";
import type { Queryable } from "../state/store.ts";
import { addUpCosts, readThreadCosts, type NodeCosts } from "./chat/read-costs.ts";

/** Calls and tokens of one node, or of all together. `cached` is part of `input`. */
export type UsageTotals = Pick<NodeCosts, "calls" | "input" | "cached" | "output">;

/** The tokens that a thread's turns have used. */
export interface ThreadUsage {
  readonly turns: number;
  readonly total: UsageTotals;
  /** By node, in alphabetical order. */
  readonly nodes: Readonly<Record<string, UsageTotals>>;
}

/** Adds up the tokens of a thread's archived turns. `tx` carries the user it belongs to. */
export async function sumUsage(tx: Queryable, threadId: string): Promise<ThreadUsage> {
  const turns = await tx.query("select count(*) as turns from turns where thread_id = $1", [
    threadId,
  ]);
  const nodes = await readThreadCosts(tx, threadId);
  return {
    turns: z.number().parse(turns.rows[0]?.["turns"]),
    total: pickTotals(addUpCosts(nodes)),
    nodes: Object.fromEntries(nodes.map((one) => [one.node, pickTotals(one)])),
  };
}

function pickTotals({ calls, input, cached, output }: NodeCosts): UsageTotals {
  return { calls, input, cached, output };
}
