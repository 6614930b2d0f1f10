import { z } from "zod";
import type { Spent } from "../../state/budget.ts";
import type { Json } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn } from "../postgres/json-column.ts";

/** The turn whose calls are counted. */
export interface SpendingTurn {
  readonly threadId: string;
  readonly runId: string;
  /** `YYYY-MM-DD`, where the person is. */
  readonly day: string;
  /** The records of its calls, as `turns.usage` stores them. */
  readonly usage: Json;
}

/**
 * Adds what a turn has used to its day and thread. `tx` carries the user.
 *
 * Contract: to be called before the turn's row is written, in the same transaction. What that row has
 * of an earlier time is taken off, so that a turn that is saved again counts once.
 */
export async function saveSpending(tx: Queryable, turn: SpendingTurn): Promise<void> {
  const { threadId, runId, day, usage } = turn;
  await tx.query(ADD, [threadId, runId, day, toJsonColumn(usage)]);
}

const ADD = `with calls as (
    select 1 as sign, call from jsonb_array_elements($4::jsonb) as call
    union all
    select -1, call from turns, jsonb_array_elements(usage) as call
     where thread_id = $1 and run_id = $2),
  added as (
    select sum(sign * (call #>> '{usage,input}')::bigint) as input,
           sum(sign * (call #>> '{usage,cached}')::bigint) as cached,
           sum(sign * (call #>> '{usage,output}')::bigint) as output,
           sum(sign * coalesce((call ->> 'costMicros')::bigint, 0)) as cost
      from calls having count(*) > 0)
  insert into spending (day, thread_id, input_tokens, cached_tokens, output_tokens, cost_micros)
  select $3::date, $1, input, cached, output, cost from added
  on conflict (user_id, day, thread_id) do update
    set input_tokens = spending.input_tokens + excluded.input_tokens,
        cached_tokens = spending.cached_tokens + excluded.cached_tokens,
        output_tokens = spending.output_tokens + excluded.output_tokens,
        cost_micros = spending.cost_micros + excluded.cost_micros`;

const SpentRow = z.object({ tokens: z.coerce.number(), micros: z.coerce.number() });

/** Returns what a thread's turns have used so far. `tx` carries the user. */
export async function sumThreadSpending(tx: Queryable, threadId: string): Promise<Spent> {
  const { rows } = await tx.query(
    `select coalesce(sum(input_tokens + output_tokens), 0) as tokens,
            coalesce(sum(cost_micros), 0) as micros
       from spending where thread_id = $1`,
    [threadId],
  );
  return SpentRow.parse(rows[0]);
}
