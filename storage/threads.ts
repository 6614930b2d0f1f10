import { z } from "zod";
import type { Queryable } from "../state/store.ts";
import { toTextColumn } from "./json-column.ts";

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

/** What came of a claim: the thread is new, was this user's already, or is another's. */
export type Claim = "created" | "owned" | "foreign";

/**
 * Makes the thread the user's where it is nobody's yet, and notes that it was used.
 *
 * A `title` is kept only while the thread has none. A `foreign` thread is left as it is.
 */
export async function claimThread(
  db: Queryable,
  claim: { threadId: string; userId: string; title?: string },
): Promise<Claim> {
  const { rows } = await db.query(
    `insert into threads (thread_id, user_id, title) values ($1, $2, $3)
     on conflict (thread_id) do update
       set updated_at = now(), title = coalesce(threads.title, excluded.title)
       where threads.user_id = excluded.user_id
     returning xmax = 0 as created`,
    [claim.threadId, claim.userId, claim.title === undefined ? null : toTextColumn(claim.title)],
  );
  if (rows[0] === undefined) return "foreign";
  return rows[0]["created"] === true ? "created" : "owned";
}

/** The user a thread belongs to; null where there is no such thread. */
export async function threadOwner(db: Queryable, threadId: string): Promise<string | null> {
  const { rows } = await db.query("select user_id from threads where thread_id = $1", [threadId]);
  return rows[0] === undefined ? null : z.string().parse(rows[0]["user_id"]);
}

/** A user's threads, the one used last first. */
export async function listThreads(db: Queryable, userId: string): Promise<readonly Thread[]> {
  const { rows } = await db.query(
    `select ${COLUMNS} from threads where user_id = $1 order by updated_at desc, thread_id`,
    [userId],
  );
  return ThreadSchema.array().parse(rows);
}
