import { z } from "zod";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { TABLE_NAME } from "../changes/read-journal.ts";
import { tableName } from "../table-tools/sql.ts";
import { NET, printCounted, type UndoTable } from "./undo-tables.ts";

const ConflictSchema = z.object({
  /**
   * `since`: something else changed it after the effects. `tied`: it would change with the undo. `kept`: the
   * database leaves it so. `partly`: the database has set some of its values again.
   */
  cause: z.enum(["since", "tied", "kept", "partly"]),
  table: z.string(),
  key: z.string(),
  /** The row as it is; null where it does not exist. */
  present: JsonObjectSchema.nullable(),
  /** The row as it should be; null where it should not exist. */
  expected: JsonObjectSchema.nullable(),
});
/** A row that is not as it should be, its version and time aside. */
export type Conflict = z.infer<typeof ConflictSchema>;

/** The effects to take back, and the tables that they have changed. */
export interface UndoneRows {
  readonly effectIds: readonly number[];
  readonly tables: readonly UndoTable[];
}

/** Locks the rows that the effects have changed, in one order, and finds those that have been changed since. */
export async function findChangedSince(
  tx: Queryable,
  { effectIds, tables }: UndoneRows,
): Promise<readonly Conflict[]> {
  for (const { table, key, keyType } of tables.toSorted(byName)) {
    await tx.query(
      `with ${NET} select from ${tableName(table)} t
        where t.${key} in (select row_key::${keyType} from net where table_name = $2)
        order by t.${key} for update`,
      [effectIds, table],
    );
  }
  const changed = await findDifferent(tx, { effectIds, tables }, "after");
  const interrupted = await findInterrupted(tx, effectIds);
  const isNew = ({ table, key }: Conflict) =>
    !changed.some((conflict) => conflict.table === table && conflict.key === key);
  return [...changed, ...interrupted.filter(isNew)];
}

function byName(one: UndoTable, other: UndoTable): number {
  return one.table < other.table ? -1 : 1;
}

/** Finds the rows that are not as the effects found them: `kept` where nothing is, else `partly`. */
export async function findNotRestored(
  tx: Queryable,
  rows: UndoneRows,
): Promise<readonly Conflict[]> {
  return findDifferent(tx, rows, "before");
}

/** The row `t` as a side of its change has it: columns that were added since are as they should be. */
function populate(side: "before" | "after"): string {
  return `to_jsonb(jsonb_populate_record(t.*, net.${side}))`;
}

/** Of the values that the effects changed, one is still as they left it, and none as it was before. */
function isKept(counted: string): string {
  return `net.after is not null and (
  select bool_or(present.value = ${populate("after")} -> key) and not bool_or(present.value = was.value)
    from jsonb_each(${populate("before")} - ${counted}) was join jsonb_each(to_jsonb(t.*)) present using (key)
   where was.value <> ${populate("after")} -> key)`;
}

const CAUSES = {
  before: (isMissing: string, counted: string) =>
    `case when ${isMissing} or ${isKept(counted)} then 'kept' else 'partly' end`,
  after: () => "'since'",
} as const;

async function findDifferent(
  tx: Queryable,
  { effectIds, tables }: UndoneRows,
  side: "before" | "after",
): Promise<readonly Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const undoTable of tables) {
    const { table, key, keyType } = undoTable;
    const counted = printCounted(undoTable);
    const { rows } = await tx.query(
      `with ${NET}
       select ${CAUSES[side](`net.before is null or t.${key} is null`, counted)} as cause, $2 as "table", net.row_key as key, to_jsonb(t.*) as present, net.${side} as expected
         from net left join ${tableName(table)} t on t.${key} = net.row_key::${keyType}
        where net.table_name = $2
          and case when net.${side} is null then t.${key} is not null
                   else t.${key} is null
                        or to_jsonb(t.*) - ${counted} <> ${populate(side)} - ${counted} end
        order by net.seq`,
      [effectIds, table],
    );
    conflicts.push(...ConflictSchema.array().parse(rows));
  }
  return conflicts;
}

/** The counted columns of a row of the journal, in SQL. */
const COUNTED = "concierge_counted_columns(relation::regclass)";

/** Finds rows that something else has changed between two of the effects. */
async function findInterrupted(
  tx: Queryable,
  effectIds: readonly number[],
): Promise<readonly Conflict[]> {
  const { rows } = await tx.query(
    `select 'since' as cause, ${TABLE_NAME} as "table", row_key as key, present, expected
       from (select table_name, table_name as relation, row_key, before as present, lag(after) over in_order as expected, seq,
                    row_number() over in_order as number
               from journal where effect_id = any($1::bigint[])
             window in_order as (partition by table_name, row_key order by seq)) as changes
      where number > 1 and (present - ${COUNTED}) is distinct from (expected - ${COUNTED})
      order by seq`,
    [effectIds],
  );
  return ConflictSchema.array().parse(rows);
}

/** The rows of the journal that an undo causes itself: those after the last one of its handlers. */
export interface JournalPart {
  readonly undoId: number;
  readonly after: number;
}

/** Finds rows that an undo has changed or deleted, although the effects have not touched them. */
export async function findDragged(
  tx: Queryable,
  effectIds: readonly number[],
  { undoId, after }: JournalPart,
): Promise<readonly Conflict[]> {
  const { rows } = await tx.query(
    `with ${NET},
     own as (
       select ${TABLE_NAME} as table_name, table_name as relation, row_key, (array_agg(before order by seq))[1] as before,
              (array_agg(after order by seq desc))[1] as after
         from journal where effect_id = $2 and seq > $3 group by journal.table_name, row_key)
     select 'tied' as cause, table_name as "table", row_key as key, own.after as present, own.before as expected
       from own left join net using (table_name, relation, row_key)
      where net.row_key is null and own.before is not null
        and (own.before - ${COUNTED}) is distinct from (own.after - ${COUNTED})
      order by table_name, row_key`,
    [effectIds, undoId, after],
  );
  return ConflictSchema.array().parse(rows);
}
