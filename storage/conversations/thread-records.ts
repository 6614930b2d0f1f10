import { z } from "zod";
import { JsonObjectSchema, type JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn } from "../postgres/json-column.ts";
import { mergePatch } from "../postgres/merge-patch.ts";
import { hasMessageWithoutRun, isHeld } from "../runs/message-runs.ts";
import { awaitsDecision } from "./archive-rows.ts";
import { ThreadSchema } from "./threads.ts";

/** State of a thread: busy with a run or with a terminal's message, or the outcome of its newest run; interrupted also where a confirmation waits. */
export const ThreadStatusSchema = z.enum(["idle", "busy", "interrupted", "error"]);
export type ThreadStatus = z.infer<typeof ThreadStatusSchema>;

/** A thread as clients see it, with their metadata and its status. */
export const ThreadRecordSchema = ThreadSchema.extend({
  metadata: JsonObjectSchema,
  status: ThreadStatusSchema,
});
export type ThreadRecord = z.infer<typeof ThreadRecordSchema>;

/** An unfinished run takes precedence: the newest run may have ended before an older one. */
const STATUS = `case when exists (select from runs
                             where runs.thread_id = threads.thread_id and runs.finished_at is null)
                  or (${isHeld("threads.thread_id")} and ${hasMessageWithoutRun("threads.thread_id")})
                then 'busy'
                else coalesce((select case status when 'success' then null when 'timeout' then 'error' else status end
                                 from runs where runs.thread_id = threads.thread_id
                                order by seq desc limit 1),
                              case when ${awaitsDecision("threads.thread_id")} then 'interrupted' else 'idle' end)
           end`;

const RECORDS = `select thread_id as "threadId", user_id as "userId", title, metadata,
       created_at as "createdAt", updated_at as "updatedAt", ${STATUS} as status
  from threads`;

/** Returns a thread of the user whom `tx` carries; null if the user has none with that id, here and below. */
export async function findThread(tx: Queryable, threadId: string): Promise<ThreadRecord | null> {
  const { rows } = await tx.query(`${RECORDS} where thread_id = $1`, [threadId]);
  return rows[0] === undefined ? null : ThreadRecordSchema.parse(rows[0]);
}

/** Locks the thread until the transaction ends, against others that lock it too, such as creating or cancelling a run. False if there is none. */
export async function lockThread(tx: Queryable, threadId: string): Promise<boolean> {
  const { rows } = await tx.query("select from threads where thread_id = $1 for update", [
    threadId,
  ]);
  return rows.length === 1;
}

/** A change of a thread's metadata. */
export interface ThreadPatch {
  readonly threadId: string;
  /** A merge patch (RFC 7396). */
  readonly metadata: JsonObject;
}

/** Changes a thread's metadata; concurrent changes are applied one after the other. */
export async function patchThread(
  tx: Queryable,
  { threadId, metadata }: ThreadPatch,
): Promise<ThreadRecord | null> {
  const { rows } = await tx.query("select metadata from threads where thread_id = $1 for update", [
    threadId,
  ]);
  if (rows[0] === undefined) return null;
  const merged = mergePatch(JsonObjectSchema.parse(rows[0]["metadata"]), metadata);
  await tx.query("update threads set metadata = $2, updated_at = now() where thread_id = $1", [
    threadId,
    toJsonColumn(merged),
  ]);
  return findThread(tx, threadId);
}

/** Filter for a user's threads; a thread must match every given field. */
export interface ThreadFilter {
  readonly ids?: readonly string[];
  /** Values that their metadata contain, at any depth. */
  readonly metadata?: JsonObject;
  readonly status?: ThreadStatus;
}

export interface ThreadSearch extends ThreadFilter {
  /** Default `createdAt`. */
  readonly sortBy?: ThreadOrder;
  /** Default `desc`. */
  readonly sortOrder?: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

export type ThreadOrder = "threadId" | "status" | "createdAt" | "updatedAt";

/** Returns the matching threads, sorted; equal ones by their ids. */
export async function searchThreads(
  tx: Queryable,
  search: ThreadSearch,
): Promise<readonly ThreadRecord[]> {
  const direction = search.sortOrder === "asc" ? "asc" : "desc";
  const { rows } = await tx.query(
    `select * from (${RECORDS}) as thread where ${FITS}
      order by "${search.sortBy ?? "createdAt"}" ${direction}, "threadId"
      limit $4 offset $5`,
    [...filterValues(search), search.limit, search.offset],
  );
  return ThreadRecordSchema.array().parse(rows);
}

/** Counts the threads that match. */
export async function countThreads(tx: Queryable, filter: ThreadFilter = {}): Promise<number> {
  const { rows } = await tx.query(
    `select count(*) as count from (${RECORDS}) as thread where ${FITS}`,
    filterValues(filter),
  );
  return z.number().int().parse(rows[0]?.["count"]);
}

const FITS = `($1::text[] is null or "threadId" = any($1))
        and ($2::jsonb is null or metadata @> $2::jsonb)
        and ($3::text is null or status = $3)`;

function filterValues({ ids, metadata, status }: ThreadFilter): unknown[] {
  return [ids ?? null, metadata === undefined ? null : toJsonColumn(metadata), status ?? null];
}
