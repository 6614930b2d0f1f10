import type { Queryable } from "../../state/store.ts";
import { holdIdle } from "./idle-threads.ts";
import { lockThread } from "./thread-records.ts";
import { claimThread } from "./threads.ts";

/** Outcome of copying: `busy` while a run is under way, `absent` if the user has no such thread, `taken` if the new id is in use. */
export type ThreadCopy = "copied" | "busy" | "absent" | "taken";

/** Tables of a thread's archive, copied so that the new thread can recall its past. */
const ARCHIVE = ["turns", "registry_refs", "batches", "journeys"];

/** The ids of the thread to copy and of the new one. */
export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

/**
 * Creates a thread from another's newest state, archive and metadata. Messages, runs,
 * effects and older checkpoints stay with the first. The two are independent from then on.
 */
export async function copyThread(tx: Queryable, { from, to }: CopyRequest): Promise<ThreadCopy> {
  if (!(await lockThread(tx, from))) return "absent";
  if (!(await holdIdle(tx, [from]))) return "busy";
  if ((await claimThread(tx, { threadId: to })) !== "created") return "taken";
  await tx.query(
    `update threads set title = source.title, metadata = source.metadata
       from threads as source where threads.thread_id = $2 and source.thread_id = $1`,
    [from, to],
  );
  for (const table of ARCHIVE) await copyRows(tx, table, { from, to });
  await tx.query(
    "update turns set view = jsonb_set(view, '{key,thread}', to_jsonb($1::text)) where thread_id = $1",
    [to],
  );
  await copyState(tx, { from, to });
  return "copied";
}

/** Copies rows in the order in which they were stored: `batches` numbers its rows. */
async function copyRows(tx: Queryable, table: string, { from, to }: CopyRequest): Promise<void> {
  const order = table === "batches" ? "order by source.seq" : "";
  await tx.query(
    `insert into ${table} overriding user value
     select copy.* from ${table} as source, ${renameRow("source")} as copy
      where source.thread_id = $1 ${order}`,
    [from, to],
  );
}

/** Copies the graph's newest checkpoint, and the checkpoints of its subgraphs since: see `pruneCheckpoints`. */
async function copyState(tx: Queryable, { from, to }: CopyRequest): Promise<void> {
  await tx.query(
    `with newest as (
       select checkpoint_id as id from checkpoints
        where thread_id = $1 and checkpoint_ns = '' order by checkpoint_id desc limit 1),
     kept as materialized (
       select checkpoints.* from checkpoints, newest
        where thread_id = $1 and checkpoint_id >= newest.id),
     stored as (
       insert into checkpoints
       select copy.thread_id, copy.checkpoint_ns, copy.checkpoint_id,
              (select parent.checkpoint_id from kept as parent
                where parent.checkpoint_ns = copy.checkpoint_ns
                  and parent.checkpoint_id = copy.parent_checkpoint_id),
              copy.type, copy.checkpoint, copy.metadata
         from kept, ${renameRow("kept::checkpoints")} as copy),
     stored_values as (
       insert into checkpoint_blobs
       select copy.* from checkpoint_blobs as source, ${renameRow("source")} as copy
        where source.thread_id = $1
          and exists (select from kept
                       where kept.checkpoint_ns = source.checkpoint_ns
                         and kept.checkpoint -> 'channel_versions' ->> source.channel = source.version))
     insert into checkpoint_writes
     select copy.* from checkpoint_writes as source
       join kept using (thread_id, checkpoint_ns, checkpoint_id), ${renameRow("source")} as copy`,
    [from, to],
  );
}

/** Returns SQL for a row with the new thread id. */
function renameRow(row: string): string {
  return `jsonb_populate_record(${row}, jsonb_build_object('thread_id', $2::text))`;
}
