import type { RunEvent } from "../../state/run.ts";
import type { LeaseClaim } from "../../state/store.ts";
import { notifyWithoutTransaction } from "../postgres/notifications.ts";
import { onConnection, type Lender } from "../postgres/connections.ts";
import { asDatabaseError } from "../postgres/database-error.ts";
import { toJsonColumn } from "../postgres/json-column.ts";
import { LeaseLostError } from "../conversations/leases.ts";

/** Events to store, with their user and the lease that allows it. */
export interface RecordedEvents {
  readonly userId: string;
  readonly threadId: string;
  readonly lease: LeaseClaim;
  readonly runId: string;
  readonly events: readonly RunEvent[];
}

/**
 * Stores events of a run in one statement that is its own transaction and carries its user, then
 * sends the notification `run`. An event whose `seq` is stored already is skipped.
 *
 * @throws LeaseLostError if another process has taken the lease over: nothing was stored;
 * DatabaseUnavailableError: it may be repeated.
 */
export async function recordRunEvents(pool: Lender, recorded: RecordedEvents): Promise<void> {
  const { userId, threadId, lease, runId, events } = recorded;
  const values = [userId, threadId, lease.owner, lease.fence, runId, toJsonColumn([...events])];
  // Two transactions, one after the other. A needless notification only causes a check.
  const recording = onConnection(pool, (db) =>
    Promise.all([db.query(RECORD, values), notifyWithoutTransaction(db, "run", runId)]),
  );
  const [{ rowCount }] = await recording.catch((error: unknown) => {
    throw asDatabaseError(error);
  });
  if (rowCount === 0) throw new LeaseLostError(threadId);
}

/** Sets the user in the query that yields the rows, so before row-level security checks the first of them. */
const RECORD = `with caller as materialized (
    select set_config('concierge.user_id', $1, true) as user_id),
  lease as materialized (
    select from leases
     where thread_id = $2 and owner = $3 and fence = $4
       for key share),
  recorded as (
    insert into run_events (run_id, seq, user_id, mode, namespace, data)
    select $5, event.seq, caller.user_id, event.mode, event.namespace, event.data
      from lease, caller,
           json_to_recordset($6::json) as event (seq int, mode text, namespace jsonb, data json)
        on conflict (run_id, seq) do nothing)
  select from lease`;
