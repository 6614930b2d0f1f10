import { escapeIdentifier } from "pg";
import type { Queryable } from "../../state/store.ts";
import { errorCode } from "./error-code.ts";

/** The schema of the program's tables. */
export const SCHEMA = "concierge";
/** The schema of the job queue's tables, whose names pg-boss chooses. */
export const JOB_SCHEMA = "concierge_jobs";
/** The role that the program uses: it owns nothing, is no superuser and cannot bypass row-level security. */
export const APP_ROLE = "concierge_app";
/** The role that seeds and erases, under the same policies, on connections of its own that no tool sees. */
export const ADMIN_ROLE = "concierge_admin";
/** The roles that the database's owner lets the program work as. */
export const ROLES: readonly string[] = [APP_ROLE, ADMIN_ROLE];
/** Search path for unqualified names; `public` is for extensions. */
export const SEARCH_PATH = `${SCHEMA},public`;

/** User and database of a migration, and the program's roles that exist. */
export interface RoleSituation {
  readonly user: string;
  readonly database: string;
  readonly roles: readonly { readonly name: string; readonly mayBecome: boolean }[];
}

/**
 * Creates the program's roles and schemas, and lets `user` become the roles.
 *
 * @throws Error with the SQL for an administrator, if the user may not.
 */
export async function ensureRolesAndSchemas(
  db: Queryable,
  situation: RoleSituation,
): Promise<void> {
  const { roles, user, database } = situation;
  const { rows } = await db.query(
    "select name from unnest($1::text[]) as name where to_regnamespace(name) is null order by name",
    [[SCHEMA, JOB_SCHEMA]],
  );
  const sql = [
    ...ROLES.flatMap((name) => {
      const role = roles.find((one) => one.name === name);
      return [
        ...(role === undefined ? [`create role ${name} nologin`] : []),
        ...(role?.mayBecome === true ? [] : [`grant ${name} to ${escapeIdentifier(user)}`]),
      ];
    }),
    ...rows.map(
      (row) => `create schema ${String(row["name"])} authorization ${escapeIdentifier(user)}`,
    ),
  ];
  const refused: string[] = [];
  const reasons: string[] = [];
  for (const statement of sql) {
    try {
      await db.query(statement);
    } catch (error) {
      // Roles belong to the server: a migration of another database may have created it meanwhile.
      if (hasCode(error, ["42710", "23505"])) continue;
      // A role that was not created cannot be granted either.
      if (!hasCode(error, ["42501", "42704"]) || !(error instanceof Error)) throw error;
      refused.push(statement);
      if (hasCode(error, ["42501"])) reasons.push(error.message);
    }
  }
  if (refused.length > 0) throw explainRefused({ user, database }, reasons, refused);
}

/** Says what an administrator has to run in place of a user who may not. */
function explainRefused(
  { user, database }: Pick<RoleSituation, "user" | "database">,
  reasons: readonly string[],
  sql: readonly string[],
): Error {
  return new Error(
    `Cannot set up the database "${database}" as the user "${user}": ${[...new Set(reasons)].join("; ")}. ` +
      `As an administrator, run in this database: ${sql.join("; ")}`,
  );
}

/**
 * Checks that the program's roles may use the schemas: a grant that the user may not make is no error
 * of the database's.
 *
 * @throws Error with the SQL for an administrator.
 */
export function assertUsable(
  schemas: readonly string[],
  situation: Pick<RoleSituation, "user" | "database"> & { readonly usable: readonly string[] },
): void {
  const missing = schemas.filter((schema) => !situation.usable.includes(schema));
  if (missing.length === 0) return;
  throw explainRefused(
    situation,
    missing.map((schema) => `permission denied to grant usage on schema ${schema}`),
    missing.map(
      (schema) => `grant usage on schema ${escapeIdentifier(schema)} to ${ROLES.join(", ")}`,
    ),
  );
}

/** A right that a role may have on a table. */
export type TableRight = "select" | "insert" | "update" | "delete";

/** Statements that the program may run on one of a domain's tables. */
export interface TableGrant {
  /** `recipes`, or `shop.orders` for a table of another schema. */
  readonly table: string;
  readonly rights: readonly Exclude<TableRight, "select">[];
}

/** The rights of the program's roles on one table. */
export interface GrantedRights {
  /** The name with its schema, without quotes. */
  readonly table: string;
  readonly isPartition: boolean;
  readonly app: readonly TableRight[];
  readonly admin: readonly TableRight[];
}

const ALL: readonly TableRight[] = ["select", "insert", "update", "delete"];

/** The program's own tables, which it fills itself; those that are not here belong to the domains. */
const OWN_TABLES: ReadonlySet<string> = new Set([
  "api_keys",
  "batches",
  "checkpoint_blobs",
  "checkpoint_migrations",
  "checkpoint_writes",
  "checkpoints",
  "effects",
  "inbox",
  "journeys",
  "leases",
  "model_profiles",
  "registry_refs",
  "run_events",
  "runs",
  "sentences",
  "spending",
  "threads",
  "turns",
  "wishes",
]);

/** Returns true for a name that a table of the program has, so that no domain's can. */
export function isOwnTable(name: string): boolean {
  return OWN_TABLES.has(name) || name === "journal" || name.startsWith("migrations_");
}

/**
 * Lists the rights that the program's roles should have on the tables: all on its own tables, what
 * the domains' descriptions need on theirs, and nothing but reading on the journal. A domain's table
 * that no grant names keeps the rights it has: a command that knows no domain takes none away, and one
 * of another program's schema gets none. Nor does a partition, whose rows its table's policies do not
 * protect: they are read and written through the table. Pure.
 */
export function planRights(
  tables: readonly GrantedRights[],
  grants: readonly TableGrant[],
): readonly GrantedRights[] {
  const own = [`${SCHEMA}.`, `${JOB_SCHEMA}.`];
  return tables.map((rights) => {
    const { table, isPartition, app } = rights;
    const isForeign = !own.some((schema) => table.startsWith(schema));
    if (isForeign && !grants.some((grant) => grant.table === table)) return rights;
    // The queue of jobs works on its partitions itself.
    if (isPartition && !table.startsWith(`${JOB_SCHEMA}.`))
      return { table, isPartition, app: [], admin: [] };
    return { table, isPartition, app: planAppRights(table, app, grants), admin: ALL };
  });
}

function planAppRights(
  table: string,
  granted: readonly TableRight[],
  grants: readonly TableGrant[],
): readonly TableRight[] {
  if (table.startsWith(`${JOB_SCHEMA}.`)) return ALL;
  const name = table.startsWith(`${SCHEMA}.`) ? table.slice(SCHEMA.length + 1) : table;
  if (OWN_TABLES.has(name)) return ALL;
  if (name.startsWith("migrations_")) return ["select"];
  const own = grants.filter((grant) => grant.table === name);
  const known = name === "journal" || own.length > 0;
  const planned = new Set<TableRight>(["select", ...(known ? [] : granted)]);
  for (const grant of own) for (const right of grant.rights) planned.add(right);
  return ALL.filter((right) => planned.has(right));
}

/** Grants the program's roles the planned rights, and the use of the schemas and of the user's sequences in them, in one transaction. */
export async function grantRights(
  db: Queryable,
  planned: readonly GrantedRights[],
  schemas: readonly string[],
): Promise<void> {
  const both = ROLES.join(", ");
  await db.query("begin");
  for (const schema of schemas) {
    await db.query(`grant usage on schema ${escapeIdentifier(schema)} to ${both}`);
  }
  const { rows } = await db.query(
    `select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'S' and nspname = any($1) and pg_has_role(relowner, 'usage')`,
    [schemas],
  );
  for (const { name } of rows) await db.query(`grant usage on sequence ${String(name)} to ${both}`);
  for (const { table: name, app, admin } of planned) {
    const table = name.split(".").map(escapeIdentifier).join(".");
    await db.query(`revoke all on ${table} from ${both}`);
    for (const [role, rights] of [
      [APP_ROLE, app],
      [ADMIN_ROLE, admin],
    ] as const) {
      if (rights.length > 0) await db.query(`grant ${rights.join(", ")} on ${table} to ${role}`);
    }
  }
  await db.query("commit");
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(errorCode(error));
}
