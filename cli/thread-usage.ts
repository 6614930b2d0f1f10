import { z } from "zod";
import type { Queryable } from "../state/store.ts";

const UsageRowSchema = z.object({
  node: z.string(),
  calls: z.number().int(),
  input: z.number().int(),
  cached: z.number().int(),
  output: z.number().int(),
});

/** Calls and tokens of one node, or of all together. `cached` is part of `input`. */
export type UsageTotals = Omit<z.infer<typeof UsageRowSchema>, "node">;

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
  const { rows } = await tx.query(
    `select call ->> 'node' as node, count(*) as calls,
            sum((call #>> '{usage,input}')::bigint)::bigint as input,
            sum((call #>> '{usage,cached}')::bigint)::bigint as cached,
            sum((call #>> '{usage,output}')::bigint)::bigint as output
       from turns, jsonb_array_elements(usage) as call
      where thread_id = $1
      group by node
      order by node`,
    [threadId],
  );
  const byNode = z.array(UsageRowSchema).parse(rows);
  return {
    turns: z.number().parse(turns.rows[0]?.["turns"]),
    total: addUp(byNode),
    nodes: Object.fromEntries(byNode.map(({ node, ...totals }) => [node, totals])),
  };
}

function addUp(rows: readonly UsageTotals[]): UsageTotals {
  return rows.reduce<UsageTotals>(
    (sum, row) => ({
      calls: sum.calls + row.calls,
      input: sum.input + row.input,
      cached: sum.cached + row.cached,
      output: sum.output + row.output,
    }),
    { calls: 0, input: 0, cached: 0, output: 0 },
  );
}
