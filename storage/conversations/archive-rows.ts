import { z } from "zod";
import type { SavedView } from "../../state/archive.ts";
import type { RowIdentity } from "../../state/entity.ts";
import { JsonObjectSchema, JsonSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { ReplySchema } from "../../state/turn.ts";
import { toJsonColumn, toTextColumn } from "../postgres/json-column.ts";

/** One archived turn. The JSON parts are those of the graph's state; readers parse them. */
export const TurnRowSchema = z.object({
  threadId: z.string(),
  runId: z.string(),
  /** Run of the previous turn of its branch; null for the first. */
  parentRunId: z.string().nullable(),
  turn: z.number().int().positive(),
  messageId: z.string(),
  userMessage: z.string(),
  /** Replies of the turn, in order. */
  replies: ReplySchema.array(),
  /** The turn's summary; null if none was built. */
  summary: JsonObjectSchema.nullable(),
  /** Tokens of the turn's model calls. */
  usage: JsonSchema,
  /** The last prompt's manifest of each node. */
  manifests: JsonSchema,
});
export type TurnRow = z.infer<typeof TurnRowSchema>;

/** A turn's row as it is written. */
export interface NewTurnRow extends TurnRow {
  readonly decisionUntil?: string | null;
}

/** A stored turn. */
export const StoredTurnSchema = TurnRowSchema.extend({
  /** The turn as its reader saw it (`TurnView`); null until its run has ended, and where it had none. */
  view: JsonObjectSchema.nullable(),
  /** The time it was first stored (ISO 8601). */
  createdAt: z.string(),
});
export type StoredTurn = z.infer<typeof StoredTurnSchema>;

/** A turn's columns by the names of its row. */
export const TURN_COLUMNS = `thread_id as "threadId", run_id as "runId", parent_run_id as "parentRunId", turn,
  message_id as "messageId", user_message as "userMessage", replies, summary, usage, manifests,
  view, created_at as "createdAt"`;

/**
 * Stores a turn, or updates it, and makes its branch the current one: the turn and all before it.
 * `tx` carries the user it belongs to.
 */
export async function saveTurn(tx: Queryable, row: NewTurnRow): Promise<void> {
  await tx.query(SAVE_TURN, [
    row.threadId,
    row.runId,
    row.parentRunId,
    row.turn,
    row.messageId,
    toTextColumn(row.userMessage),
    toJsonColumn(row.replies),
    toNullableColumn(row.summary),
    toJsonColumn(row.usage),
    toJsonColumn(row.manifests),
    toTextColumn(collectWords(row).join("\n")),
    row.decisionUntil ?? null,
  ]);
}

/**
 * One statement, so that it can go with the transaction's end. Almost every turn continues the
 * current branch, and only its own row is written. Where the turn before it is no longer stored, all
 * earlier current turns stay.
 */
const SAVE_TURN = `with recursive fork as materialized (
    select from turns
     where thread_id = $1 and run_id <> $2
       and (is_current and turn >= $4 or not is_current and run_id = $3)
     limit 1),
  branch as (
    select run_id, parent_run_id from turns, fork where thread_id = $1 and run_id = $3
    union all
    select turns.run_id, turns.parent_run_id from turns
      join branch on turns.run_id = branch.parent_run_id where turns.thread_id = $1),
  marked as (
    update turns set is_current = not is_current from fork
     where thread_id = $1 and run_id <> $2
       and is_current <> (run_id in (select run_id from branch)
                          or is_current and turn < $4 and not exists (select from branch)))
  insert into turns (thread_id, run_id, parent_run_id, turn, message_id, user_message, replies,
                     summary, usage, manifests, words, decision_until, is_current)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, true)
  on conflict (thread_id, run_id) do update
    set user_message = excluded.user_message, replies = excluded.replies,
        summary = excluded.summary, usage = excluded.usage, manifests = excluded.manifests,
        words = excluded.words, decision_until = excluded.decision_until, is_current = true`;

/** Records that the confirmation that waited after a thread's newest turn was dropped. */
export async function dropDecision(tx: Queryable, threadId: string): Promise<void> {
  await tx.query(
    "update turns set decision_until = null where thread_id = $1 and decision_until is not null",
    [threadId],
  );
}

/** SQL for true where the newest turn of a thread has left a confirmation waiting that has not expired. */
export function awaitsDecision(threadId: string): string {
  return `coalesce((select decision_until > now() from turns
                     where turns.thread_id = ${threadId} and is_current
                     order by turn desc limit 1), false)`;
}

/** Keeps the view of a turn's events with the turn, which is stored before its run ends. */
export async function saveTurnView(
  tx: Queryable,
  { threadId, runId, view }: SavedView & { readonly threadId: string },
): Promise<void> {
  await tx.query("update turns set view = $3 where thread_id = $1 and run_id = $2", [
    threadId,
    runId,
    toJsonColumn(view),
  ]);
}

function collectWords({ userMessage, replies, summary }: TurnRow): readonly string[] {
  return [userMessage, ...replies.map(({ text }) => text), ...textsIn(summary)];
}

/** Makes the branch of the newest turn the current one. */
export async function markNewestBranch(tx: Queryable, threadId: string): Promise<void> {
  await tx.query(
    `with recursive branch as (
       (select run_id, parent_run_id from turns
         where thread_id = $1 order by created_at desc, turn desc limit 1)
       union all
       select turns.run_id, turns.parent_run_id from turns
         join branch on turns.run_id = branch.parent_run_id where turns.thread_id = $1)
     update turns set is_current = not is_current
      where thread_id = $1 and is_current <> (run_id in (select run_id from branch))`,
    [threadId],
  );
}

/** Returns every text inside a JSON value, in order, without keys. Pure. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  const parts: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return parts.flatMap(textsIn);
}

/** Returns the newest `limit` current turns of a thread, oldest first; with `turn` those of that number. */
export async function readTurns(
  tx: Queryable,
  wanted: { threadId: string; turn?: number; limit: number },
): Promise<readonly StoredTurn[]> {
  const { rows } = await tx.query(
    `select ${TURN_COLUMNS} from turns
      where thread_id = $1 and is_current and ($2::int is null or turn = $2)
      order by turn desc
      limit $3`,
    [wanted.threadId, wanted.turn ?? null, wanted.limit],
  );
  return StoredTurnSchema.array().parse(rows).toReversed();
}

/** A ref that left the registry, with its entry as it was. */
export const StoredRefSchema = z.object({ ref: z.string(), entry: JsonObjectSchema });
export type StoredRef = z.infer<typeof StoredRefSchema>;

/** Stores entries that leave a thread's registry; a ref that was stored before is replaced. */
export async function storeRefs(
  tx: Queryable,
  refs: { threadId: string; entries: readonly StoredRef[] },
): Promise<void> {
  // The last of several with one ref: a statement may not touch a row twice.
  const entries: JsonObject = Object.fromEntries(
    refs.entries.map(({ ref, entry }) => [ref, entry]),
  );
  await tx.query(
    `insert into registry_refs (thread_id, ref, entry)
     select $1, key, value from jsonb_each($2::jsonb)
     on conflict (thread_id, ref) do update set entry = excluded.entry`,
    [refs.threadId, toJsonColumn(entries)],
  );
}

/** Refs, or rows whose ref is not known. */
interface WantedRefs {
  readonly threadId: string;
  readonly refs: readonly string[];
  /** Default: none. */
  readonly rows?: readonly RowIdentity[];
}

/** Returns the stored entries of these refs, in the given order, then those of these rows; missing ones are left out. */
export async function findRefs(
  tx: Queryable,
  { threadId, refs, rows: named = [] }: WantedRefs,
): Promise<readonly StoredRef[]> {
  const { rows } = await tx.query(
    `select ref, entry
       from registry_refs
      where thread_id = $1
        and (ref = any($2)
             or (entry ->> 'type', entry ->> 'id') in (select * from unnest($3::text[], $4::text[])))
      order by array_position($2, ref), ref`,
    [threadId, refs, named.map(({ type }) => type), named.map(({ id }) => id)],
  );
  return StoredRefSchema.array().parse(rows);
}

/** One archived batch of experts. The JSON parts are those of the graph's state. */
export const BatchRowSchema = z.object({
  threadId: z.string(),
  runId: z.string(),
  batchId: z.string(),
  turn: z.number().int().positive(),
  /** Journey for which they were asked; null where it is not known. */
  journeyId: z.string().nullable(),
  purpose: z.string(),
  /** Prompt of the experts. */
  prompt: z.string(),
  batch: JsonObjectSchema,
  /** One object per expert. */
  answers: z.array(JsonObjectSchema),
  /** Null where fewer than two experts answered; so is the analysis. */
  map: JsonObjectSchema.nullable(),
  analysis: JsonObjectSchema.nullable(),
});
export type BatchRow = z.infer<typeof BatchRowSchema>;

/** Stores a batch, or updates it without changing its place in the order of batches. */
export async function saveBatch(tx: Queryable, row: BatchRow): Promise<void> {
  await tx.query(
    `insert into batches (thread_id, run_id, batch_id, turn, purpose, prompt, batch, answers, map, analysis,
                          journey_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (thread_id, run_id, batch_id) do update
       set turn = excluded.turn, purpose = excluded.purpose, prompt = excluded.prompt,
           batch = excluded.batch, answers = excluded.answers, map = excluded.map,
           analysis = excluded.analysis, journey_id = excluded.journey_id`,
    [
      row.threadId,
      row.runId,
      row.batchId,
      row.turn,
      row.purpose,
      toTextColumn(row.prompt),
      toJsonColumn(row.batch),
      toJsonColumn(row.answers),
      toNullableColumn(row.map),
      toNullableColumn(row.analysis),
      row.journeyId,
    ],
  );
}

/** The batches to read: those of a journey, or the one of an id. */
export interface BatchRowQuery {
  readonly threadId: string;
  /** Default: the batches of every journey. */
  readonly journeyId?: string;
  /** Default: every batch. */
  readonly batchId?: string;
  readonly limit: number;
}

/** Returns the batches of the running turn and of current ones, the newest first. */
export async function listBatches(
  tx: Queryable,
  { threadId, journeyId, batchId, limit }: BatchRowQuery,
): Promise<BatchRow[]> {
  const { rows } = await tx.query(
    `select thread_id as "threadId", run_id as "runId", batch_id as "batchId", turn,
            journey_id as "journeyId", purpose, prompt, batch, answers, map, analysis
       from batches
      where thread_id = $1 and ($3::text is null or journey_id = $3)
        and ($4::text is null or batch_id = $4) and ${isOnCurrentBranch("batches")}
      order by seq desc
      limit $2`,
    [threadId, limit, journeyId ?? null, batchId ?? null],
  );
  return rows.map((row) => BatchRowSchema.parse(row));
}

/** Returns SQL that holds for rows of the running turn and of current ones. */
export function isOnCurrentBranch(table: "batches" | "journeys"): string {
  return `not exists (select from turns
                       where turns.thread_id = ${table}.thread_id
                         and turns.run_id = ${table}.run_id and not turns.is_current)`;
}

function toNullableColumn(value: JsonObject | null): string | null {
  return value === null ? null : toJsonColumn(value);
}
