import { expect, test } from "vitest";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();

test("a connection of the pool works as a plain role, and nothing leads out of it", async () => {
  const client = await database.pool.connect();
  try {
    for (const escape of ["select 1", "reset role", "discard all"]) {
      await client.query(escape);
      const { rows } = await client.query(
        `select rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
                exists (select from pg_class where relowner = pg_roles.oid) as owns
           from pg_roles where rolname = current_user`,
      );
      expect(rows).toEqual([
        {
          rolname: "concierge_app",
          rolsuper: false,
          rolbypassrls: false,
          rolcanlogin: false,
          rolcreaterole: false,
          rolcreatedb: false,
          owns: false,
        },
      ]);
    }
  } finally {
    client.release();
  }
});
