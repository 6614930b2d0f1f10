import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { APP_ROLE, JOB_SCHEMA, SCHEMA } from "./app-role.ts";

const SituationSchema = z.object({
  user: z.string(),
  database: z.string(),
  version: z.number(),
  encoding: z.string(),
  /** Null where the role does not exist. */
  role: z.object({ privileged: z.boolean(), mayBecome: z.boolean() }).nullable(),
  /** Names of the folders that have been migrated before. */
  started: z.array(z.string()),
  /** True if a schema is missing, or the role lacks a right on it or a table in it. */
  lacksGrants: z.boolean(),
});
/** Facts about a database that a start checks before using it. */
export type Situation = z.infer<typeof SituationSchema>;

/** Inspects a database in one query; `folders` are the names of the folders whose migrations it should have. */
export async function inspectDatabase(
  db: Queryable,
  folders: readonly string[],
): Promise<Situation> {
  const { rows } = await db.query(
    `with role as (select oid, rolsuper or rolbypassrls as privileged from pg_roles where rolname = $1),
          own as (select oid from pg_namespace where nspname in ($2, $4))
     select current_user as "user",
            current_database() as "database",
            current_setting('server_version_num')::int as version,
            current_setting('server_encoding') as encoding,
            (select json_build_object('privileged', privileged, 'mayBecome', pg_has_role(current_user, oid,
                      case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end))
               from role) as role,
            array(select name from unnest($3::text[]) as name
                   where to_regclass(format('%I.%I', $2::text, 'migrations_' || name)) is not null) as started,
            (select count(*) < 2 or not bool_and(
                      has_schema_privilege(role.oid, own.oid, 'usage')
                      and not exists (
                        select from pg_class
                         where relnamespace = own.oid and relkind in ('r', 'p') and relname not like 'migrations\\_%'
                           and not has_table_privilege(role.oid, pg_class.oid, 'delete')))
               from role, own) as "lacksGrants"`,
    [APP_ROLE, SCHEMA, folders, JOB_SCHEMA],
  );
  return SituationSchema.parse(rows[0]);
}

/**
 * Refuses a database that the program cannot work on.
 *
 * @throws Error in a sentence that says what to do.
 */
export function assertSuitable({ database, version, encoding, role }: Situation): void {
  const start = `Cannot use the database "${database}": `;
  if (version < 150_000) {
    const major = Math.floor(version / 10_000);
    throw new Error(`${start}it is PostgreSQL ${major}; version 15 or newer is needed`);
  }
  if (encoding !== "UTF8") {
    throw new Error(
      `${start}its encoding is ${encoding}; create one with: create database ${database}_utf8 encoding 'UTF8' template template0`,
    );
  }
  if (role?.privileged === true) {
    throw new Error(
      `${start}the role ${APP_ROLE} may see every user's rows; as an administrator run: alter role ${APP_ROLE} nosuperuser nobypassrls`,
    );
  }
}
