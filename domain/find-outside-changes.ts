import { z } from "zod";
import type { EntityType } from "../state/entity.ts";
import type { OutsideRow, Queryable, WantedRows } from "../state/store.ts";

/** Rows that a thread knows, and the place in the journal up to which it has looked. */
export interface OutsideQuery {
  readonly threadId: string;
  /** As the last look returned it; null for a thread that has not looked yet. */
  readonly since: string | null;
  readonly rows: readonly WantedRows[];
}

/** The changes since then, each row once, and the place for the next look. */
export interface OutsideLook {
  readonly seen: string;
  readonly changes: readonly OutsideRow[];
}

const RowSchema = z.object({
  table: z.string(),
  key: z.string(),
  isGone: z.boolean(),
  isOther: z.boolean(),
});

/**
 * Finds the rows that something outside a thread has changed: another thread of the person, SQL,
 * another program. A thread that looks for the first time knows nothing that could be out of date.
 *
 * The place is the oldest transaction that is still open: the next look reads again what it and later
 * ones have written, so that a slow writer is not missed. The caller leaves out what it knows.
 */
export async function findOutsideChanges(
  db: Queryable,
  { threadId, since, rows: wanted }: OutsideQuery,
  entityTypes: readonly EntityType[],
): Promise<OutsideLook> {
  const keys = wanted.flatMap(({ type, ids }) => {
    const table = entityTypes.find((candidate) => candidate.type === type)?.table;
    return table === undefined ? [] : ids.map((id) => ({ table, id }));
  });
  const { rows } = await db.query(
    `with place as (select pg_snapshot_xmin(pg_current_snapshot()) as xact),
     -- The journal has quoted names.
     known as (
       select name, row_key, (select string_agg(quote_ident(part), '.') from unnest(string_to_array(name, '.')) part) as table_name
         from unnest($2::text[], $3::text[]) as wanted (name, row_key)),
     changed as (
       select known.name as "table", j.row_key as key,
              (array_agg(j.after is null order by j.seq desc))[1] as "isGone",
              bool_or(e.thread_id is not null) as "isOther"
         from known join journal j using (table_name, row_key)
              left join effects e on e.effect_id = j.effect_id
        where j.xact >= $1::text::xid8 and e.thread_id is distinct from $4
        group by known.name, j.row_key)
     select (select xact from place)::text as seen, changed.* from (select) as always
       left join changed on true`,
    [
      // Nothing was written after the place itself, so a first look finds nothing.
      since ?? LATEST,
      keys.map(({ table }) => table),
      keys.map(({ id }) => id),
      threadId,
    ],
  );
  const changes = rows.flatMap((row): OutsideRow[] => {
    const found = RowSchema.safeParse(row);
    if (!found.success) return [];
    const { table, key, isGone, isOther } = found.data;
    const type = entityTypes.find((candidate) => candidate.table === table);
    if (type === undefined) return [];
    const who = isOther ? "conversation" : "unknown";
    return [{ type: type.type, id: key, action: isGone ? "deleted" : "updated", who }];
  });
  return { seen: String(rows[0]?.["seen"]), changes };
}

/** A transaction that no row is written by. */
const LATEST = "18446744073709551615";
