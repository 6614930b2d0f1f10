import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

const CostRowSchema = z.object({
  node: z.string(),
  calls: z.coerce.number(),
  input: z.coerce.number(),
  cached: z.coerce.number(),
  output: z.coerce.number(),
  ms: z.coerce.number(),
  micros: z.coerce.number(),
  unpriced: z.coerce.number(),
  estimated: z.coerce.number(),
});

/** The costs of one node's calls. */
export interface NodeCosts {
  /** The role of its model: `reply`. */
  readonly node: string;
  readonly calls: number;
  readonly input: number;
  /** The part of `input` that came from the endpoint's cache. */
  readonly cached: number;
  readonly output: number;
  readonly ms: number;
  /** Millionths of a dollar, of the calls with a known price. */
  readonly micros: number;
  /** The calls without one. */
  readonly unpriced: number;
  /** The calls whose tokens no endpoint counted. */
  readonly estimated: number;
}

/** Costs by node, in alphabetical order. */
export interface Costs {
  readonly turn: readonly NodeCosts[];
  readonly thread: readonly NodeCosts[];
  /** In all conversations of the person that still exist. */
  readonly today: readonly NodeCosts[];
}

/** The conversation and the day whose costs are read. */
export interface CostsQuery {
  readonly threadId: string;
  /** `YYYY-MM-DD` in the time zone. */
  readonly today: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Reads what the newest turn, its thread and the day have cost. `tx` carries the user. */
export async function readCosts(
  tx: Queryable,
  { threadId, today, timeZone }: CostsQuery,
): Promise<Costs> {
  const newest = `thread_id = $1 and run_id =
    (select run_id from turns where thread_id = $1 order by created_at desc, turn desc limit 1)`;
  const turn = await tx.query(selectCosts(newest), [threadId]);
  const thread = await tx.query(selectCosts("thread_id = $1"), [threadId]);
  const day = await tx.query(selectCosts("(created_at at time zone $2)::date = $1::date"), [
    today,
    timeZone,
  ]);
  const rows = CostRowSchema.array();
  return {
    turn: rows.parse(turn.rows),
    thread: rows.parse(thread.rows),
    today: rows.parse(day.rows),
  };
}

function selectCosts(condition: string): string {
  return `select call ->> 'node' as node, count(*) as calls,
            sum((call #>> '{usage,input}')::bigint) as input,
            sum((call #>> '{usage,cached}')::bigint) as cached,
            sum((call #>> '{usage,output}')::bigint) as output,
            sum(coalesce((call ->> 'ms')::numeric, 0)) as ms,
            sum(coalesce((call ->> 'costMicros')::bigint, 0)) as micros,
            count(*) filter (where call ->> 'costMicros' is null) as unpriced,
            count(*) filter (where (call ->> 'estimated')::boolean) as estimated
       from turns, jsonb_array_elements(usage) as call
      where ${condition}
      group by node
      order by node`;
}
