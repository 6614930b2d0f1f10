import { z } from "zod";
import { RunEventSchema, type RunEvent } from "../state/run.ts";
import type { Queryable } from "../state/store.ts";
import { toJsonColumn } from "./json-column.ts";

/**
 * Stores events of a run in one statement; one whose `seq` is there already is left as it is, so
 * repeating a call whose answer was lost does no harm. `tx` carries the run's user.
 */
export async function appendRunEvents(
  tx: Queryable,
  { runId, events }: { readonly runId: string; readonly events: readonly RunEvent[] },
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into run_events (run_id, seq, mode, namespace, data)
     select $1, seq, mode, namespace, data
       from jsonb_to_recordset($2::jsonb)
            as event (seq int, mode text, namespace jsonb, data jsonb)
     on conflict (run_id, seq) do nothing`,
    [runId, toJsonColumn([...events])],
  );
}

/** The run's events after `after`, at most `limit`, in order. */
export async function readRunEvents(
  tx: Queryable,
  query: { readonly runId: string; readonly after: number; readonly limit: number },
): Promise<readonly RunEvent[]> {
  const { rows } = await tx.query(
    "select seq, mode, namespace, data from run_events where run_id = $1 and seq > $2 order by seq limit $3",
    [query.runId, query.after, query.limit],
  );
  return RunEventSchema.array().parse(rows);
}

/** The number of the run's last event; 0 where it has none. */
export async function lastEventSeq(tx: Queryable, runId: string): Promise<number> {
  const { rows } = await tx.query(
    "select coalesce(max(seq), 0) as last from run_events where run_id = $1",
    [runId],
  );
  return z.number().int().parse(rows[0]?.["last"]);
}
