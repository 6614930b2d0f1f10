import type { Queryable } from "../../state/store.ts";
import { errorCode } from "./error-code.ts";

/** The schema of the program's tables. */
export const SCHEMA = "concierge";
/** The schema of the job queue's tables, whose names pg-boss chooses. */
export const JOB_SCHEMA = "concierge_jobs";
/** The role that the program uses: it owns nothing, is no superuser and cannot bypass row-level security. */
export const APP_ROLE = "concierge_app";
/** Search path for unqualified names; `public` is for extensions. */
export const SEARCH_PATH = `${SCHEMA},public`;

/** User and database of a migration, and the role if it exists. */
export interface RoleSituation {
  readonly user: string;
  readonly database: string;
  /** The program's role; null where it does not exist. */
  readonly role: { readonly mayBecome: boolean } | null;
}

/**
 * Creates the program's role, and lets `user` become it.
 *
 * @throws Error with the SQL for an administrator, if the user may not.
 */
export async function ensureRole(
  db: Queryable,
  { role, user, database }: RoleSituation,
): Promise<void> {
  const sql = [
    ...(role === null ? [`create role ${APP_ROLE} nologin`] : []),
    ...(role?.mayBecome === true ? [] : [`grant ${APP_ROLE} to ${quoteName(user)}`]),
  ];
  for (const statement of sql) {
    try {
      await db.query(statement);
    } catch (error) {
      // Roles belong to the server: a migration of another database may have created it meanwhile.
      if (hasCode(error, ["42710", "23505"])) continue;
      if (!hasCode(error, ["42501"])) throw error;
      throw new Error(
        `Cannot set up the database "${database}": the user "${user}" may not create roles; as an administrator run: ${sql.join("; ")}`,
        { cause: error },
      );
    }
  }
}

/**
 * Creates the program's schemas.
 *
 * @throws Error with the SQL for an administrator, if the user may not.
 */
export async function ensureSchemas(
  db: Queryable,
  { user, database }: RoleSituation,
): Promise<void> {
  const { rows } = await db.query(
    "select name from unnest($1::text[]) as name where to_regnamespace(name) is null order by name",
    [[SCHEMA, JOB_SCHEMA]],
  );
  const missing = rows.map((row) => String(row["name"]));
  try {
    for (const name of missing) await db.query(`create schema ${name}`);
  } catch (error) {
    if (!hasCode(error, ["42501"])) throw error;
    const owner = quoteName(user);
    const sql = missing.map((name) => `create schema ${name} authorization ${owner}`);
    throw new Error(
      `Cannot set up the database "${database}": the user "${user}" may not create a schema in it; ` +
        `as an administrator run: ${sql.join("; ")}`,
      { cause: error },
    );
  }
}

/** Lets the program's role use every table of the schemas, but not change the record of migrations. */
export async function grantRights(db: Queryable): Promise<void> {
  await db.query("begin");
  for (const schema of [SCHEMA, JOB_SCHEMA]) {
    await db.query(`grant usage on schema ${schema} to ${APP_ROLE}`);
    await db.query(
      `grant select, insert, update, delete on all tables in schema ${schema} to ${APP_ROLE}`,
    );
    await db.query(`grant usage on all sequences in schema ${schema} to ${APP_ROLE}`);
  }
  const { rows } = await db.query(
    "select tablename from pg_tables where schemaname = $1 and tablename like 'migrations\\_%'",
    [SCHEMA],
  );
  for (const row of rows) {
    const table = `${SCHEMA}.${quoteName(String(row["tablename"]))}`;
    await db.query(`revoke insert, update, delete on ${table} from ${APP_ROLE}`);
  }
  await db.query("commit");
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(errorCode(error));
}
