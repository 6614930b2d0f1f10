import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "../../state/json.ts";
import { ConfirmationDecisionSchema, type ConfirmationDecision } from "../../state/pending.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn, toTextColumn } from "../postgres/json-column.ts";

/** A message that waits for its turn. */
export const InboxMessageSchema = z.object({
  threadId: z.string(),
  messageId: z.string(),
  userId: z.string(),
  /** Increases from message to message, with gaps. */
  seq: z.number().int(),
  text: z.string(),
  decision: ConfirmationDecisionSchema.nullable().transform((decision) => decision ?? undefined),
  /** Context of the turn, as the caller gave it. */
  run: JsonObjectSchema,
  /** Number of attempts at the turn. */
  attempts: z.number().int(),
  /** ISO 8601 in UTC. */
  receivedAt: z.string(),
});
export type InboxMessage = z.infer<typeof InboxMessageSchema>;

/** Outcome with which a message left the inbox. */
export type InboxOutcome = "answered" | "given-up" | "stopped";

/** Identifies a message. Clients choose ids, so an id is unique within its thread only. */
export interface MessageIdentity {
  readonly threadId: string;
  readonly messageId: string;
}

export interface NewMessage extends MessageIdentity {
  readonly text: string;
  readonly decision?: ConfirmationDecision | undefined;
  readonly run: JsonObject;
}

/**
 * Puts a message at the end of its thread's queue. `tx` carries the user whose thread it is.
 *
 * Contract: idempotent. A message that was enqueued before stays as it is, finished or not, and is
 * reported as `repeated`.
 */
export async function enqueueMessage(
  tx: Queryable,
  message: NewMessage,
): Promise<{ readonly repeated: boolean }> {
  const { threadId, messageId, text, decision, run } = message;
  const { rowCount } = await tx.query(
    `insert into inbox (thread_id, message_id, text, decision, run) values ($1, $2, $3, $4, $5)
     on conflict (thread_id, message_id) do nothing`,
    [
      threadId,
      messageId,
      toTextColumn(text),
      decision === undefined ? null : toJsonColumn(decision),
      toJsonColumn(run),
    ],
  );
  return { repeated: rowCount === 0 };
}

/** Checks for a message of the same id with another text; false if it is not in the inbox any more. */
export async function hasOtherText(
  tx: Queryable,
  message: Pick<NewMessage, "threadId" | "messageId" | "text">,
): Promise<boolean> {
  const { rows } = await tx.query(
    "select text <> $3 as other from inbox where thread_id = $1 and message_id = $2",
    [message.threadId, message.messageId, toTextColumn(message.text)],
  );
  return rows[0]?.["other"] === true;
}

/**
 * Returns the thread's oldest unfinished message; null if there is none. To be called under the
 * thread's lease. `tx` carries the user, here and below: other users' messages do not exist there.
 */
export async function nextMessage(tx: Queryable, threadId: string): Promise<InboxMessage | null> {
  const { rows } = await tx.query(
    `select thread_id as "threadId", message_id as "messageId", user_id as "userId", seq, text, decision, run, attempts,
            to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "receivedAt"
       from inbox
      where thread_id = $1 and finished_at is null
      order by seq
      limit 1`,
    [threadId],
  );
  return rows[0] === undefined ? null : InboxMessageSchema.parse(rows[0]);
}

/** Counts the thread's unfinished messages. */
export async function countWaiting(db: Queryable, threadId: string): Promise<number> {
  const { rows } = await db.query(
    "select count(*)::int as waiting from inbox where thread_id = $1 and finished_at is null",
    [threadId],
  );
  return z.number().int().parse(rows[0]?.["waiting"]);
}

/** An attempt at a message's turn. */
export interface Attempt extends MessageIdentity {
  /** The thread's newest checkpoint when the attempt begins; empty if there is none. */
  readonly from: string;
  /** Number of earlier attempts that do not count. */
  readonly uncounted: number;
}

/**
 * Records another attempt at the message's turn and returns the number of attempts; null if the
 * message has left the queue and must not be tried. An attempt that did not end, because its process
 * died, does not count if the turn got further in it.
 *
 * @throws RangeError when there is no such message.
 */
export async function countAttempt(
  tx: Queryable,
  { from, uncounted, ...message }: Attempt,
): Promise<number | null> {
  const { rows } = await tx.query(
    `update inbox
        set attempts = case when finished_at is not null then attempts
              else 1 + greatest(0, attempts - case when $4 > 0 then $4 when tried_from <> $3 then 1 else 0 end) end,
            tried_from = case when finished_at is not null then tried_from else $3 end
      where thread_id = $1 and message_id = $2
      returning case when finished_at is null then attempts end as attempts`,
    [message.threadId, message.messageId, from, uncounted],
  );
  if (rows[0] !== undefined) return z.number().int().nullable().parse(rows[0]["attempts"]);
  throw new RangeError(
    `Cannot count an attempt at message "${message.messageId}": it is not in the inbox`,
  );
}

/** Removes the last attempt from the count: the turn was not at fault. */
export async function uncountAttempt(tx: Queryable, message: MessageIdentity): Promise<void> {
  await tx.query(
    `update inbox set attempts = greatest(attempts - 1, 0), tried_from = null
      where thread_id = $1 and message_id = $2`,
    [message.threadId, message.messageId],
  );
}

/** Records that the last attempt ended with its turn failing: it counts, however far the turn got. */
export async function recordFailedAttempt(tx: Queryable, message: MessageIdentity): Promise<void> {
  await tx.query("update inbox set tried_from = null where thread_id = $1 and message_id = $2", [
    message.threadId,
    message.messageId,
  ]);
}

/** A message's outcome, and the turn that answered it; null if none did. */
export interface MessageEnd extends MessageIdentity {
  readonly outcome: InboxOutcome;
  readonly turn: number | null;
}

/**
 * Removes a message from the queue and stores its end. The first outcome is kept; a message that is
 * not in the inbox is no error.
 */
export async function finishMessage(tx: Queryable, message: MessageEnd): Promise<void> {
  await tx.query(
    `update inbox set outcome = $3, turn = $4, finished_at = now()
      where thread_id = $1 and message_id = $2 and finished_at is null`,
    [message.threadId, message.messageId, message.outcome, message.turn],
  );
}

const FinishedRow = z.object({
  text: z.string(),
  run: JsonObjectSchema,
  outcome: z.enum(["answered", "given-up", "stopped"]),
  /** Null if no turn answered it. */
  turn: z.number().int().nullable(),
});
/** A message that has left the queue. */
export type FinishedMessage = z.infer<typeof FinishedRow>;

/** Returns the outcome of a message; null while it waits, or if there is none. */
export async function findFinished(
  tx: Queryable,
  message: MessageIdentity,
): Promise<FinishedMessage | null> {
  const { rows } = await tx.query(
    `select text, run, outcome, turn from inbox
      where thread_id = $1 and message_id = $2 and finished_at is not null`,
    [message.threadId, message.messageId],
  );
  return rows[0] === undefined ? null : FinishedRow.parse(rows[0]);
}
