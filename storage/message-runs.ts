import { z } from "zod";
import { JsonSchema, type Json } from "../state/json.ts";
import { RunRecordSchema, type RunRecord } from "../state/run.ts";
import type { Queryable } from "../state/store.ts";
import type { MessageIdentity } from "./inbox.ts";
import { lockRun } from "./runs.ts";

/**
 * The newest run of a message, held until the transaction's end; null where it has none, as when it
 * came through the terminal. `tx` carries the user, here and below.
 */
export async function lockNewestRun(
  tx: Queryable,
  message: MessageIdentity,
): Promise<RunRecord | null> {
  const { rows } = await tx.query(
    "select run_id from runs where thread_id = $1 and message_id = $2 order by seq desc limit 1",
    [message.threadId, message.messageId],
  );
  const [row] = z.array(z.object({ run_id: z.string() })).parse(rows);
  return row === undefined ? null : RunRecordSchema.nullable().parse(await lockRun(tx, row.run_id));
}

/** What a run has told so far. */
export interface ToldEvents {
  /** Its turn's own events, in order. */
  readonly turn: readonly Json[];
  /** The number of the last event of any mode; 0 where there is none. */
  readonly last: number;
}

/** Reads what a run has told so far. */
export async function readToldEvents(tx: Queryable, runId: string): Promise<ToldEvents> {
  const { rows } = await tx.query(
    `select coalesce(max(seq), 0) as last,
            coalesce(jsonb_agg(data order by seq) filter (where mode = 'custom'), '[]') as turn
       from run_events where run_id = $1`,
    [runId],
  );
  return ToldRow.parse(rows[0]);
}

const ToldRow = z.object({ last: z.number().int(), turn: z.array(JsonSchema) });
