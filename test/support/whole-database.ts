import type { TestDatabase } from "./database.ts";

/** Returns for every table of the program and its domains the number of rows and a digest of all of them. */
export async function wholeDatabase(
  database: TestDatabase,
): Promise<Readonly<Record<string, string>>> {
  const tables = await database.owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'concierge'::regnamespace and relkind = 'r' order by 1",
  );
  const whole: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await database.owner.query<{ digest: string }>(
      `select count(*) || ' ' || md5(string_agg(t::text, ' ' order by t::text)) as digest from ${name} as t`,
    );
    whole[name] = rows[0]?.digest ?? "";
  }
  return whole;
}
