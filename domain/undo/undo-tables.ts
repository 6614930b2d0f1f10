import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { TABLE_NAME } from "../changes/read-journal.ts";
import { literal } from "../table-tools/sql.ts";

/**
 * The net change of each row by the effects of `$1`, as a table expression, without the rows that
 * `leaveOut` has left out in this transaction. It stays in the database, since JSON as JavaScript
 * reads it would round large numbers.
 */
export const NET = `net as (
  select ${TABLE_NAME} as table_name, row_key, (array_agg(before order by seq))[1] as before,
         (array_agg(after order by seq desc))[1] as after, min(seq) as seq, table_name as relation
    from journal
   where effect_id = any($1::bigint[])
     and not coalesce(nullif(current_setting('concierge.undo_without', true), ''), '[]')::jsonb
               ? (${TABLE_NAME} || e'\\n' || row_key)
   group by journal.table_name, row_key)`;

/** An array, in SQL, of the columns that differ after every change, and so say nothing about it. */
export function printCounted({ counted }: Pick<UndoTable, "counted">): string {
  return `array[${counted.map(literal).join(", ")}]::text[]`;
}

const UndoTableSchema = z.object({
  table: z.string(),
  /** Its key column, quoted for SQL, and the type of it. */
  key: z.string(),
  keyType: z.string(),
  /** The columns that differ after every change. */
  counted: z.array(z.string()),
  /** Columns that may be set, quoted for SQL: those that the journal holds and the database does not compute. */
  columns: z.array(z.string()),
  /** Those of them that only an insert may set: an identity that takes no other value. */
  numbered: z.array(z.string()),
  /** Tables that its foreign keys point at. */
  references: z.array(z.string()),
  /** The statements that make its rows as they were. */
  parts: z.array(z.enum(["insert", "update", "delete"])),
});
/** A table whose rows effects have changed. */
export type UndoTable = z.infer<typeof UndoTableSchema>;

/** Loads the tables that effects have changed, each before those that point at it. */
export async function loadUndoTables(
  tx: Queryable,
  effectIds: readonly number[],
): Promise<readonly UndoTable[]> {
  const { rows } = await tx.query(LOAD, [effectIds]);
  return parentsFirst(UndoTableSchema.array().parse(rows));
}

const LOAD = `with ${NET},
  tables as (
    select table_name, relation::regclass as relation,
           split_part(encode(tgargs, 'escape'), '\\000', 1) as key
      from (select distinct table_name, relation from net) as changed
      join pg_trigger on tgrelid = relation::regclass and tgname = 'concierge_journal_row')
  select table_name as "table", quote_ident(key) as key,
         (select format_type(atttypid, atttypmod) from pg_attribute
           where attrelid = relation and attname = key) as "keyType",
         concierge_counted_columns(relation) as counted,
         array(select quote_ident(attname) from pg_attribute
                where attrelid = relation and attnum > 0 and not attisdropped and attgenerated = ''
                  and exists (select from net where net.table_name = tables.table_name
                                and coalesce(net.before, net.after) ? attname)
                order by attnum) as columns,
         array(select quote_ident(attname) from pg_attribute
                where attrelid = relation and not attisdropped and attidentity = 'a') as numbered,
         array(select distinct array_to_string(parse_ident(confrelid::regclass::text), '.') from pg_constraint
                where conrelid = relation and contype = 'f') as references,
         array(select distinct case when before is null then 'delete' when after is null then 'insert'
                                    else 'update' end
                 from net where net.table_name = tables.table_name
                            and (before is not null or after is not null)) as parts
    from tables order by table_name`;

/** Orders tables so that each follows those that its foreign keys point at; tables in a cycle come last. Pure. */
function parentsFirst(tables: readonly UndoTable[]): readonly UndoTable[] {
  const names = new Set(tables.map(({ table }) => table));
  const isFree = ({ table, references }: UndoTable) =>
    references.every((target) => target === table || !names.has(target));
  const free = tables.filter(isFree);
  if (free.length === 0) return tables;
  return [...free, ...parentsFirst(tables.filter((table) => !free.includes(table)))];
}
