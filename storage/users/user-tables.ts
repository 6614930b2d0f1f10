import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { SCHEMA } from "../postgres/app-role.ts";

/** A table whose rows belong to users. */
export const UserTableSchema = z.object({
  name: z.string(),
  /** The columns of its primary key, in order; empty where it has none. */
  key: z.array(z.string()),
  /** The tables that its foreign keys point to. */
  references: z.array(z.string()),
});
export type UserTable = z.infer<typeof UserTableSchema>;

/** Lists every table of the program and its domains with a `user_id`, by name. */
export async function listUserTables(db: Queryable): Promise<readonly UserTable[]> {
  const { rows } = await db.query(
    `select relname as name,
            coalesce((select jsonb_agg(attname order by place)
                        from pg_index, unnest(indkey::int2[]) with ordinality as part (number, place)
                        join pg_attribute on attrelid = pg_class.oid and attnum = number
                       where indrelid = pg_class.oid and indisprimary), '[]') as key,
            coalesce((select jsonb_agg(distinct target.relname)
                        from pg_constraint join pg_class as target on target.oid = confrelid
                       where conrelid = pg_class.oid and contype = 'f'), '[]') as references
       from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition
        and exists (select from pg_attribute
                     where attrelid = pg_class.oid and attname = 'user_id' and not attisdropped)
      order by relname`,
    [SCHEMA],
  );
  return UserTableSchema.array().parse(rows);
}

/** Orders tables so that each precedes those that its foreign keys point to; tables in a cycle come last, in the given order. Pure. */
export function inOrderOfDeletion(tables: readonly UserTable[]): readonly UserTable[] {
  const pointedTo = new Set(
    tables.flatMap(({ name, references }) => references.filter((target) => target !== name)),
  );
  const free = tables.filter(({ name }) => !pointedTo.has(name));
  if (free.length === 0) return tables;
  return [...free, ...inOrderOfDeletion(tables.filter((table) => !free.includes(table)))];
}
