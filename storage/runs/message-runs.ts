import { z } from "zod";
import { JsonSchema, type Json } from "../../state/json.ts";
import { isEnded, RunRecordSchema, type RunRecord } from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import type { MessageIdentity } from "../conversations/inbox.ts";
import { RUN_COLUMNS } from "./runs.ts";

/**
 * Returns the newest run of a message, locked until the transaction ends; null if it has none, such as
 * a message from the terminal. `tx` carries the user, here and below.
 */
export async function lockNewestRun(
  tx: Queryable,
  message: MessageIdentity,
): Promise<RunRecord | null> {
  for (;;) {
    const { rows } = await tx.query(LOCK_NEWEST, [message.threadId, message.messageId]);
    if (rows[0] === undefined) return null;
    const { newestId, ...held } = rows[0];
    const run = held["runId"] === null ? null : RunRecordSchema.parse(held);
    if (run !== null && !isEnded(run.status)) return run;
    // The transaction that held the lock may have added a newer run, or deleted this one.
    if (run !== null && (await findNewestId(tx, message)) === newestId) return run;
  }
}

/** If the run is deleted while the lock is awaited, the row comes without a run. */
const LOCK_NEWEST = `with newest as materialized (
    select run_id as id from runs where thread_id = $1 and message_id = $2 order by seq desc limit 1),
  held as materialized (
    select runs.* from newest join runs on run_id = id for update of runs)
  select id as "newestId", ${RUN_COLUMNS} from newest left join held on true`;

/**
 * Returns the newest run of a waiting message, for a caller that creates one if there is none. Of
 * several callers one creates it, and the others find it.
 */
export async function lockRunOfWaiting(
  tx: Queryable,
  message: MessageIdentity,
): Promise<RunRecord | null> {
  const run = await lockNewestRun(tx, message);
  if (run !== null) return run;
  // There is no row to lock. Not the message's: a cancel locks the run first and then the message.
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, $2))", [
    `${message.threadId} ${message.messageId}`,
    FIRST_RUNS,
  ]);
  return lockNewestRun(tx, message);
}

/** Checks that the message has left the queue or is gone, in its present state. */
export async function isDone(
  tx: Queryable,
  { threadId, messageId }: MessageIdentity,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from inbox where thread_id = $1 and message_id = $2 and finished_at is null",
    [threadId, messageId],
  );
  return rowCount === 0;
}

/** Seed of the advisory lock on a message that gets its first run. */
const FIRST_RUNS = 5_824_906_175;

async function findNewestId(tx: Queryable, message: MessageIdentity): Promise<string | null> {
  const { rows } = await tx.query(
    "select run_id as id from runs where thread_id = $1 and message_id = $2 order by seq desc limit 1",
    [message.threadId, message.messageId],
  );
  return rows[0] === undefined ? null : z.string().parse(rows[0]["id"]);
}

/**
 * Checks that a process without runs, such as the terminal, works on a message of the thread now. A
 * message that only waits, after its turn failed or its process died, does not count.
 */
export async function isWorkedOnWithoutRun(tx: Queryable, threadId: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select ${isHeld("$1")} and ${hasMessageWithoutRun("$1")} as worked`,
    [threadId],
  );
  return rows[0]?.["worked"] === true;
}

/** Returns SQL that is true while a process holds the lease of a thread. */
export function isHeld(threadId: string): string {
  return `exists (select from leases
                   where thread_id = ${threadId} and owner is not null and expires_at > clock_timestamp())`;
}

/** Returns SQL that is true while a message without a run waits or is being answered. */
export function hasMessageWithoutRun(threadId: string): string {
  return `exists (select from inbox
                   where thread_id = ${threadId} and finished_at is null
                     and not exists (select from runs
                                      where runs.thread_id = inbox.thread_id
                                        and runs.message_id = inbox.message_id))`;
}

/**
 * Checks that the message is being processed or is finished, though its run may not show it: a
 * terminal also processes messages sent to a server. No attempt at it begins until the transaction ends.
 */
export async function isTakenUp(
  tx: Queryable,
  { threadId, messageId }: MessageIdentity,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select finished_at is not null or (tried_from is not null and ${isHeld("$1")}) as taken
       from inbox where thread_id = $1 and message_id = $2 for update`,
    [threadId, messageId],
  );
  return rows[0]?.["taken"] === true;
}

/** Events that a run has sent so far. */
export interface SentEvents {
  /** Its turn's own events, in order. */
  readonly turn: readonly Json[];
  /** The number of the last event of any mode; 0 where there is none. */
  readonly last: number;
}

/** Reads the events that a run has sent so far. */
export async function readSentEvents(tx: Queryable, runId: string): Promise<SentEvents> {
  const { rows } = await tx.query(
    `select coalesce(max(seq), 0) as last,
            coalesce(json_agg(data order by seq) filter (where mode = 'custom'), '[]') as turn
       from run_events where run_id = $1`,
    [runId],
  );
  return SentEventsRow.parse(rows[0]);
}

const SentEventsRow = z.object({ last: z.number().int(), turn: z.array(JsonSchema) });

const SupersededRow = z.object({
  runId: z.string(),
  messageId: z.string(),
  outcome: z.enum(["answered", "given-up", "stopped"]),
});
/** A run that has not ended though its message is done with: another process answered it. */
export type SupersededRun = z.infer<typeof SupersededRow>;

/** Finds the thread's runs that no process will work on any more, the oldest first. */
export async function findSupersededRuns(
  tx: Queryable,
  threadId: string,
): Promise<readonly SupersededRun[]> {
  const { rows } = await tx.query(
    `select runs.run_id as "runId", runs.message_id as "messageId", inbox.outcome
       from runs join inbox using (thread_id, message_id)
      where runs.thread_id = $1 and runs.finished_at is null and inbox.finished_at is not null
      order by runs.seq`,
    [threadId],
  );
  return SupersededRow.array().parse(rows);
}
