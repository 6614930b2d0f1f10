import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

/** The costs of one node's calls. */
const NodeCostsSchema = z.object({
  /** The role of its model: `reply`. */
  node: z.string(),
  calls: z.coerce.number(),
  input: z.coerce.number(),
  /** The part of `input` that came from the endpoint's cache. */
  cached: z.coerce.number(),
  output: z.coerce.number(),
  ms: z.coerce.number(),
  /** Millionths of a dollar, of the calls with a known price. */
  micros: z.coerce.number(),
  /** The calls without one. */
  unpriced: z.coerce.number(),
  /** The calls whose tokens no endpoint counted. */
  estimated: z.coerce.number(),
});
export type NodeCosts = Readonly<z.infer<typeof NodeCostsSchema>>;

const FIGURES = NodeCostsSchema.omit({ node: true }).keyof().options;

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
  return {
    turn: await readNodeCosts(tx, newest, [threadId]),
    thread: await readNodeCosts(tx, IN_THREAD, [threadId]),
    today: await readNodeCosts(tx, "(created_at at time zone $2)::date = $1::date", [
      today,
      timeZone,
    ]),
  };
}

const IN_THREAD = "thread_id = $1";

/** Reads what a thread has cost. `tx` carries the user it belongs to. */
export function readThreadCosts(tx: Queryable, threadId: string): Promise<readonly NodeCosts[]> {
  return readNodeCosts(tx, IN_THREAD, [threadId]);
}

async function readNodeCosts(
  tx: Queryable,
  condition: string,
  values: unknown[],
): Promise<readonly NodeCosts[]> {
  const { rows } = await tx.query(
    `select call ->> 'node' as node, count(*) as calls,
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
      order by node`,
    values,
  );
  return NodeCostsSchema.array().parse(rows);
}

/** Adds up the costs of nodes. */
export function addUpCosts(nodes: readonly NodeCosts[]): NodeCosts {
  const sums = FIGURES.map((name) => [name, nodes.reduce((sum, one) => sum + one[name], 0)]);
  return NodeCostsSchema.parse({ node: "total", ...Object.fromEntries(sums) });
}
