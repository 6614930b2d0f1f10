import { z } from "zod";
import { ParsedJsonSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";

/** The columns of a row, as the driver has parsed them. */
const RowSchema = z.record(z.string(), ParsedJsonSchema).nullable();
const JournalRowSchema = z.object({
  seq: z.number().int(),
  table: z.string(),
  key: z.string(),
  action: z.enum(["insert", "update", "delete", "touch"]),
  before: RowSchema,
  after: RowSchema,
  /** True where a foreign key or a trigger caused it. */
  follows: z.boolean(),
});
/** One change of one row, as the journal's triggers wrote it. */
export type JournalRow = z.infer<typeof JournalRowSchema>;

/** A table as descriptions name it, in SQL: the journal has quoted names, as `regclass` writes them. */
export const TABLE_NAME = "array_to_string(parse_ident(table_name), '.')";

/** Reads what effects changed, in the order in which it happened. */
export async function readJournal(
  tx: Queryable,
  effectIds: readonly number[],
): Promise<readonly JournalRow[]> {
  return selectRows(tx, "any($1::bigint[])", effectIds);
}

/** Reads what the effect of a key has changed so far; to be sent also before its number is known. */
export async function readJournalByKey(
  tx: Queryable,
  effectKey: string,
): Promise<readonly JournalRow[]> {
  return selectRows(tx, "(select effect_id from effects where key = $1)", effectKey);
}

async function selectRows(
  tx: Queryable,
  effects: string,
  value: unknown,
): Promise<readonly JournalRow[]> {
  const { rows } = await tx.query(
    `select seq, ${TABLE_NAME} as "table", row_key as key, action, before, after, follows
       from journal where effect_id = ${effects} order by seq`,
    [value],
  );
  return rows.map((row) => JournalRowSchema.parse(row));
}
