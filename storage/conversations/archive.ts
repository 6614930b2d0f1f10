import { z } from "zod";
import { JsonObjectSchema, JsonSchema, type Json, type JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { toJsonColumn, toTextColumn } from "../postgres/json-column.ts";

/** One turn as the archive keeps it. The JSON parts are what the graph's state holds; readers parse them. */
export const TurnRowSchema = z.object({
  threadId: z.string(),
  turn: z.number().int().positive(),
  userMessage: z.string(),
  /** Replies of the turn, in order. */
  replies: JsonSchema,
  /** The turn's record; null where none was built. */
  record: JsonObjectSchema.nullable(),
  /** Tokens of the turn's model calls. */
  usage: JsonSchema,
  /** The last prompt's manifest of each node. */
  manifests: JsonSchema,
});
export type TurnRow = z.infer<typeof TurnRowSchema>;

/** A stored turn, with the time it was first stored (ISO 8601). */
export const ArchivedTurnSchema = TurnRowSchema.extend({ createdAt: z.string() });
export type ArchivedTurn = z.infer<typeof ArchivedTurnSchema>;

const COLUMNS = `thread_id as "threadId", turn, user_message as "userMessage", replies, record, usage, manifests, created_at as "createdAt"`;

/** Stores a turn, or what has become of it. `tx` carries the user it belongs to. */
export async function saveTurn(tx: Queryable, row: TurnRow): Promise<void> {
  await tx.query(
    `insert into turns (thread_id, turn, user_message, replies, record, usage, manifests, words)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (thread_id, turn) do update
       set user_message = excluded.user_message, replies = excluded.replies, record = excluded.record,
           usage = excluded.usage, manifests = excluded.manifests, words = excluded.words`,
    [
      row.threadId,
      row.turn,
      toTextColumn(row.userMessage),
      toJsonColumn(row.replies),
      toNullableColumn(row.record),
      toJsonColumn(row.usage),
      toJsonColumn(row.manifests),
      toTextColumn([row.userMessage, ...textsIn([row.replies, row.record])].join("\n")),
    ],
  );
}

/** Every text inside a JSON value, in order; keys are not texts. Pure. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  const parts: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return parts.flatMap(textsIn);
}

/** The thread's newest `limit` turns, of those from `from` to `to` (both counted), oldest first. */
export async function readTurns(
  tx: Queryable,
  wanted: { threadId: string; from?: number; to?: number; limit: number },
): Promise<readonly ArchivedTurn[]> {
  const { rows } = await tx.query(
    `select ${COLUMNS} from turns
      where thread_id = $1 and ($2::int is null or turn >= $2) and ($3::int is null or turn <= $3)
      order by turn desc
      limit $4`,
    [wanted.threadId, wanted.from ?? null, wanted.to ?? null, wanted.limit],
  );
  return ArchivedTurnSchema.array().parse(rows).toReversed();
}

/** Counts the stored turns of the thread. */
export async function countTurns(tx: Queryable, threadId: string): Promise<number> {
  const { rows } = await tx.query("select count(*) as turns from turns where thread_id = $1", [
    threadId,
  ]);
  return z.number().parse(rows[0]?.["turns"]);
}

export interface TurnSearch {
  readonly threadId: string;
  /** Words to find in message, replies and record; null for any. */
  readonly query: string | null;
  /** A ref that the turn must name; null for any. */
  readonly ref: string | null;
  readonly limit: number;
}

/** Turns found, and the number of all matches. */
export interface FoundTurns {
  readonly turns: readonly ArchivedTurn[];
  readonly total: number;
}

const SEARCHED_WORDS = 16;

/**
 * Looks earlier turns up: those that name the ref and hold at least one of the words; most words
 * first, words in the user's message counted twice, then newest first. Case does not matter; parts
 * of words count.
 */
export async function findTurns(tx: Queryable, search: TurnSearch): Promise<FoundTurns> {
  const patterns = search.query === null ? [] : searchPatterns(search.query);
  const { rows } = await tx.query(
    `select *, count(*) over () as total
       from (select ${COLUMNS},
                    (select count(*) filter (where words ilike pattern)
                          + count(*) filter (where user_message ilike pattern)
                       from unnest($2::text[]) as pattern) as hits
               from turns
              where thread_id = $1 and ($3::text is null or words ~ $3)) as named
      where hits > 0 or cardinality($2::text[]) = 0
      order by hits desc, turn desc
      limit $4`,
    [search.threadId, patterns, search.ref === null ? null : refPattern(search.ref), search.limit],
  );
  const total = z.number().parse(rows[0]?.["total"] ?? 0);
  return { turns: ArchivedTurnSchema.array().parse(rows), total };
}

/** One `ilike` pattern for each word of two letters or more; the whole text where it has none. Pure. */
export function searchPatterns(query: string): readonly string[] {
  const words = query.split(/[^\p{L}\p{N}\p{M}_]+/u).filter((word) => word.length > 1);
  const trimmed = query.trim();
  const sought = words.length > 0 || trimmed === "" ? words : [trimmed];
  return [...new Set(sought.map((word) => word.toLowerCase()))]
    .slice(0, SEARCHED_WORDS)
    .map((word) => `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`);
}

/** The ref as a whole word: `recipe_3` is neither in `recipe_31` nor in `gen_recipe_3`. */
function refPattern(ref: string): string {
  return String.raw`\m${ref.replace(/\W/g, String.raw`\$&`)}\M`;
}

/** A ref that left the registry, with its entry as it was. */
export const StoredRefSchema = z.object({ ref: z.string(), entry: JsonObjectSchema });
export type StoredRef = z.infer<typeof StoredRefSchema>;

/** Keeps entries that leave a thread's registry; a ref that was kept before is replaced. */
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

/** The kept entries of these refs, in the order of the question, then those of these database ids; what is not kept is left out. */
export async function findRefs(
  tx: Queryable,
  wanted: { threadId: string; refs: readonly string[]; ids?: readonly string[] },
): Promise<readonly StoredRef[]> {
  const { rows } = await tx.query(
    `select ref, entry
       from registry_refs
      where thread_id = $1 and (ref = any($2) or entry ->> 'id' = any($3))
      order by array_position($2, ref), ref`,
    [wanted.threadId, wanted.refs, wanted.ids ?? []],
  );
  return StoredRefSchema.array().parse(rows);
}

/** One batch of experts as the archive keeps it. The JSON parts are what the graph's state holds. */
export const BatchRowSchema = z.object({
  threadId: z.string(),
  batchId: z.string(),
  turn: z.number().int().positive(),
  purpose: z.string(),
  /** Prompt of the experts. */
  prompt: z.string(),
  batch: JsonObjectSchema,
  /** One object an expert. */
  answers: z.array(JsonObjectSchema),
  /** Null where fewer than two experts answered; so is the analysis. */
  map: JsonObjectSchema.nullable(),
  analysis: JsonObjectSchema.nullable(),
});
export type BatchRow = z.infer<typeof BatchRowSchema>;

/** Stores a batch, or what has become of it: its place in the order of batches stays. */
export async function saveBatch(tx: Queryable, row: BatchRow): Promise<void> {
  await tx.query(
    `insert into batches (thread_id, batch_id, turn, purpose, prompt, batch, answers, map, analysis)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (thread_id, batch_id) do update
       set turn = excluded.turn, purpose = excluded.purpose, prompt = excluded.prompt,
           batch = excluded.batch, answers = excluded.answers, map = excluded.map,
           analysis = excluded.analysis`,
    [
      row.threadId,
      row.batchId,
      row.turn,
      row.purpose,
      toTextColumn(row.prompt),
      toJsonColumn(row.batch),
      toJsonColumn(row.answers),
      toNullableColumn(row.map),
      toNullableColumn(row.analysis),
    ],
  );
}

/** The thread's batch that was stored last; null where there is none. */
export async function findLatestBatch(tx: Queryable, threadId: string): Promise<BatchRow | null> {
  const { rows } = await tx.query(
    `select thread_id as "threadId", batch_id as "batchId", turn, purpose, prompt, batch, answers, map, analysis
       from batches
      where thread_id = $1
      order by seq desc
      limit 1`,
    [threadId],
  );
  return rows.length === 0 ? null : BatchRowSchema.parse(rows[0]);
}

/** A journey that was put aside. The JSON parts are what the graph's state held. */
export interface JourneyRow {
  readonly threadId: string;
  /** The turn in which it was put aside. */
  readonly turn: number;
  /** Null where it never was opened by a question. */
  readonly opening: JsonObject | null;
  readonly concierge: JsonObject;
}

/** Stores a journey; one that was stored for the same turn is replaced. */
export async function saveJourney(tx: Queryable, row: JourneyRow): Promise<void> {
  await tx.query(
    `insert into journeys (thread_id, turn, opening, concierge)
     values ($1, $2, $3, $4)
     on conflict (thread_id, turn) do update
       set opening = excluded.opening, concierge = excluded.concierge`,
    [row.threadId, row.turn, toNullableColumn(row.opening), toJsonColumn(row.concierge)],
  );
}

function toNullableColumn(value: JsonObject | null): string | null {
  return value === null ? null : toJsonColumn(value);
}
