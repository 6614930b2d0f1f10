import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { ADMIN_ROLE, APP_ROLE, JOB_SCHEMA, ROLES, SCHEMA } from "./app-role.ts";

const RightSchema = z.enum(["select", "insert", "update", "delete"]);

const RoleSchema = z.object({
  name: z.string(),
  /** The role by which it sees past row-level security: itself, or one that it is a member of; null where it does not. */
  past: z.string().nullable(),
});

const SituationSchema = z.object({
  user: z.string(),
  database: z.string(),
  version: z.number(),
  encoding: z.string(),
  /** Those of the program's roles that exist. */
  roles: z.array(RoleSchema.extend({ mayBecome: z.boolean() })),
  /** Names of the folders that have been migrated before. */
  started: z.array(z.string()),
  /** The schemas that exist and that both roles may use. */
  usable: z.array(z.string()),
  /** The rights of the roles on every table and view. */
  tables: z.array(
    z.object({
      table: z.string(),
      isPartition: z.boolean(),
      app: z.array(RightSchema),
      admin: z.array(RightSchema),
    }),
  ),
});
/** Facts about a database that a start checks before using it. */
export type Situation = z.infer<typeof SituationSchema>;

/** Folders and schemas that a start expects in a database. */
export interface Inspection {
  /** Names of the folders whose migrations it should have. */
  readonly folders: readonly string[];
  /** Schemas beside the program's own in which domains have tables. */
  readonly schemas: readonly string[];
}

/** The program's roles, each with the role by which it sees past row-level security. */
const ROLES_SQL = `select oid, rolname as name,
    (select quote_ident(other.rolname) from pg_roles as other
      where (other.rolsuper or other.rolbypassrls) and pg_has_role(own.oid, other.oid, 'member')
      order by other.oid <> own.oid, other.rolname limit 1) as past
  from pg_roles as own where rolname = any($1)`;

/** Inspects a database in one query. */
export async function inspectDatabase(
  db: Queryable,
  { folders, schemas }: Inspection,
): Promise<Situation> {
  const { rows } = await db.query(
    `with role as (${ROLES_SQL}),
          own as (select oid, nspname from pg_namespace where nspname = any($2)),
          kind as (select unnest(array['select', 'insert', 'update', 'delete']) as name)
     select current_user as "user",
            current_database() as "database",
            current_setting('server_version_num')::int as version,
            current_setting('server_encoding') as encoding,
            (select coalesce(json_agg(json_build_object('name', name, 'past', past, 'mayBecome',
                      pg_has_role(current_user, oid,
                        case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end))), '[]')
               from role) as roles,
            array(select name from unnest($3::text[]) as name
                   where to_regclass(format('%I.%I', $4::text, 'migrations_' || name)) is not null) as started,
            array(select nspname::text from own
                   where (select count(*) = 2 and bool_and(has_schema_privilege(role.oid, own.oid, 'usage')) from role)) as usable,
            (select coalesce(json_agg(json_build_object(
                      'table', own.nspname || '.' || relname,
                      'isPartition', relispartition,
                      'app', array(select kind.name from kind, role where role.name = $5 and has_table_privilege(role.oid, pg_class.oid, kind.name)),
                      'admin', array(select kind.name from kind, role where role.name = $6 and has_table_privilege(role.oid, pg_class.oid, kind.name)))
                      order by own.nspname, relname), '[]')
               from pg_class join own on own.oid = relnamespace
              where relkind in ('r', 'p', 'v', 'm')) as tables`,
    [ROLES, [SCHEMA, JOB_SCHEMA, ...schemas], folders, SCHEMA, APP_ROLE, ADMIN_ROLE],
  );
  return SituationSchema.parse(rows[0]);
}

/**
 * Refuses a database that the program cannot work on.
 *
 * @throws Error in a sentence that says what to do.
 */
export function assertSuitable({ database, version, encoding, roles }: Situation): void {
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
  for (const { name, past } of roles) {
    if (past === null) continue;
    throw new Error(
      `${start}${describePast(name, past)}; as an administrator run: ${past === name ? `alter role ${name} nosuperuser nobypassrls` : `revoke ${past} from ${name}`}`,
    );
  }
}

function describePast(name: string, past: string): string {
  return `the role ${name} may see every user's rows${past === name ? "" : ` as a member of ${past}`}`;
}

/**
 * Refuses what a migration has done in a transaction that is still open: to the program's roles.
 *
 * @throws Error in a sentence that says what to do.
 */
export async function assertRolesKept(db: Queryable): Promise<void> {
  const { rows } = await db.query(`select name, past from (${ROLES_SQL}) as role`, [ROLES]);
  for (const { name, past } of RoleSchema.array().parse(rows)) {
    if (past === null) continue;
    throw new Error(`${describePast(name, past)} after it; leave out what lets it`);
  }
}
