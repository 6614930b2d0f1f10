import { z } from "zod";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";

const JournalRowSchema = z.object({
  seq: z.number().int(),
  table: z.string(),
  key: z.string(),
  action: z.enum(["insert", "update", "delete", "touch"]),
  before: JsonObjectSchema.nullable(),
  after: JsonObjectSchema.nullable(),
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
  const { rows } = await tx.query(
    `select seq, ${TABLE_NAME} as "table", row_key as key, action, before, after, follows
       from journal where effect_id = any($1::bigint[]) order by seq`,
    [effectIds],
  );
  return rows.map((row) => JournalRowSchema.parse(row));
}
