import { z } from "zod";
import type { JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn, toTextColumn } from "../postgres/json-column.ts";

/** One conversation of a user. Times are ISO 8601. */
export const ThreadSchema = z.object({
  threadId: z.string(),
  userId: z.string(),
  title: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Thread = z.infer<typeof ThreadSchema>;

const COLUMNS = `thread_id as "threadId", user_id as "userId", title, created_at as "createdAt", updated_at as "updatedAt"`;

/** Outcome of a claim: the thread is new, was this user's already, or is another's. */
export type ThreadClaim = "created" | "owned" | "foreign";

/**
 * Claims the thread for the user if it is free, and records its use. `tx` carries the user.
 *
 * `title` is stored if the thread has none, `metadata` if the thread is new. A `foreign` thread is
 * left as it is.
 */
export async function claimThread(
  tx: Queryable,
  claim: { threadId: string; title?: string; metadata?: JsonObject },
): Promise<ThreadClaim> {
  const { threadId, title, metadata = {} } = claim;
  const values = [threadId, title === undefined ? null : toTextColumn(title)];
  // Not `do update`: that fails if the existing row belongs to another user.
  const make = async (): Promise<boolean> => {
    const { rowCount } = await tx.query(
      `insert into threads (thread_id, title, metadata) values ($1, $2, $3)
       on conflict (thread_id) do nothing`,
      [...values, toJsonColumn(metadata)],
    );
    return rowCount === 1;
  };
  if (await make()) return "created";
  const used = await tx.query(
    "update threads set updated_at = now(), title = coalesce(title, $2) where thread_id = $1",
    values,
  );
  if (used.rowCount === 1) return "owned";
  // It may have been the user's own thread, deleted while the insert waited.
  return (await make()) ? "created" : "foreign";
}

/**
 * Returns the outcome a claim of the thread would have, without changing anything. `tx` must be able
 * to write: only an attempt distinguishes a free thread from another user's.
 */
export async function tryClaim(tx: Queryable, threadId: string): Promise<ThreadClaim> {
  await tx.query("savepoint try_claim");
  const claim = await claimThread(tx, { threadId });
  await tx.query("rollback to savepoint try_claim");
  return claim;
}

/** Returns the threads of the user whom `tx` carries, the most recently used first. */
export async function listThreads(tx: Queryable): Promise<readonly Thread[]> {
  const { rows } = await tx.query(
    `select ${COLUMNS} from threads order by updated_at desc, thread_id`,
  );
  return ThreadSchema.array().parse(rows);
}
