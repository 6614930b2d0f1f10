import { z } from "zod";
import { RunEventSchema, RunRecordSchema, type RunEvent, type RunRecord } from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn } from "../postgres/json-column.ts";
import { RUN_COLUMNS } from "./runs.ts";

/** Events of one run. */
export interface RunEventBatch {
  readonly runId: string;
  readonly events: readonly RunEvent[];
}

/**
 * Stores events of a run in one statement. An event whose `seq` is stored already is skipped, so a
 * call whose answer was lost can be repeated. `tx` carries the run's user.
 */
export async function appendRunEvents(
  tx: Queryable,
  { runId, events }: RunEventBatch,
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into run_events (run_id, seq, mode, namespace, data)
     select $1, seq, mode, namespace, data
       from json_to_recordset($2::json)
            as event (seq int, mode text, namespace jsonb, data json)
     on conflict (run_id, seq) do nothing`,
    [runId, toJsonColumn([...events])],
  );
}

/** Range of a run's events. */
interface RunEventQuery {
  readonly runId: string;
  readonly after: number;
  readonly limit: number;
}

/** A run, and its events after a given one. */
export interface RunWithEvents {
  readonly run: RunRecord;
  readonly events: readonly RunEvent[];
}

/**
 * The run and its events after `after`, at most `limit`, in order, as of one moment: where it has
 * ended, no events follow but those `limit` left out. Null where there is no such run.
 */
export async function readRunWithEvents(
  tx: Queryable,
  query: RunEventQuery,
): Promise<RunWithEvents | null> {
  const { rows } = await tx.query(
    `select ${RUN_COLUMNS},
            (select coalesce(json_agg(event order by seq), '[]')
               from (select seq, mode, namespace, data from run_events
                      where run_id = $1 and seq > $2 order by seq limit $3) as event) as events
       from runs where run_id = $1`,
    [query.runId, query.after, query.limit],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    run: RunRecordSchema.parse(row),
    events: RunEventSchema.array().parse(row["events"]),
  };
}

/** The number of the run's last event; 0 where it has none. */
export async function lastEventSeq(tx: Queryable, runId: string): Promise<number> {
  const { rows } = await tx.query(
    "select coalesce(max(seq), 0) as last from run_events where run_id = $1",
    [runId],
  );
  return z.number().int().parse(rows[0]?.["last"]);
}
