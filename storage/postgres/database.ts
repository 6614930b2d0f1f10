import { Client, Pool, type ClientConfig, type PoolConfig } from "pg";
import type { UserData } from "../../state/store.ts";
import { ADMIN_ROLE, APP_ROLE, SEARCH_PATH } from "./app-role.ts";
import { columnTypes } from "./column-types.ts";
import { asDatabaseError, DatabaseUnavailableError } from "./database-error.ts";
import { startEmbeddedPostgres } from "../embedded/embedded.ts";
import { DEFAULT_LIMITS, type Limits } from "../../state/limits.ts";
import type { Log } from "../../state/log.ts";
import { migrate, type MigrationFolder } from "./migrate.ts";
import { createUserData } from "../users/user-data.ts";

export interface DatabaseOptions {
  /** An outside PostgreSQL, as `postgresql://…`; null for the embedded one. */
  readonly url: string | null;
  /** Folder of the embedded server's data. */
  readonly dataDir: string;
  /** The domains' migrations. */
  readonly migrations: readonly MigrationFolder[];
  readonly log: Log;
  /** Connections at most. Default 10. */
  readonly poolSize?: number;
  /** For the embedded server; see `EmbeddedOptions`. */
  readonly durable?: boolean;
  /**
   * Loads modules that are needed later: while a server of the program's own starts, and before the
   * first connection, whose time would run out while they are loaded. Called more than once.
   */
  readonly load?: () => Promise<void>;
  /** Default: the defaults of `state/limits.ts`. */
  readonly limits?: ConnectionLimits;
}

/** The limits of every connection. */
type ConnectionLimits = Pick<
  Limits,
  "connectSeconds" | "statementSeconds" | "idleTransactionSeconds"
>;

/** An open database, migrated and ready. */
export interface Database {
  /** Connections with the role `concierge_app`; column values are parsed by `columnTypes`. */
  readonly pool: Pool;
  /** One connection of the same kind, for statements that must not wait while `pool` is exhausted. */
  readonly heartbeats: Pool;
  /** One connection with the role `concierge_admin`, for seeding and erasing. */
  readonly admin: Pool;
  readonly userData: UserData;
  readonly origin: "embedded" | "url";
  /**
   * Opens a connection of the same kind that belongs to the caller, for `listen` statements: it
   * takes none from the pool. Not closed by `close()`.
   *
   * @throws DatabaseUnavailableError when nothing answers.
   */
  listen(): Promise<Client>;
  /**
   * Restarts an embedded server that was ended from outside; does nothing for an outside server.
   *
   * @throws DatabaseUnavailableError, with the reason.
   */
  ensureRunning(): Promise<void>;
  /** Closes the connections once they are released, then leaves the embedded server. Calling it again does nothing. */
  close(): Promise<void>;
}

/**
 * Opens the database: an outside server or the embedded one, brought up to date.
 *
 * Contract: every connection of `pool` works as `concierge_app` from its first statement on;
 * neither `reset role` nor `discard all` leads out of it.
 *
 * @throws Error in a sentence that says what to do; DatabaseUnavailableError when nothing answers.
 *
 * @example
 * const folders = [{ name: mealsDomain.name, path: mealsDomain.migrations }];
 * const opened = await openDatabase({ url, dataDir, migrations: folders, log: silentLog });
 * opened.origin; // "url"
 * await opened.close();
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { load = async () => undefined } = options;
  const embedded =
    options.url === null
      ? await startEmbeddedPostgres({ ...options, whileWaiting: () => void load() })
      : null;
  const connection = embedded?.connection ?? readUrl(options.url ?? "");
  const { limits = DEFAULT_LIMITS } = options;
  const role = asPlainRole(connection, { role: APP_ROLE, limits });
  const onLost = createLossLog(options.log);
  const pool = createPool(role, options.poolSize ?? 10, onLost);
  const heartbeats = createPool(role, 1, onLost);
  const admin = createPool(asPlainRole(connection, { role: ADMIN_ROLE, limits }), 1, onLost);
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= Promise.all([pool.end(), heartbeats.end(), admin.end()]).then(() =>
      embedded?.stop(),
    );
    return closing;
  };
  try {
    const connectionTimeoutMillis = limits.connectSeconds * 1_000;
    await load();
    await migrate(
      { ...connection, connectionTimeoutMillis },
      { folders: options.migrations, log: options.log },
    );
    await assertPlainRole(pool);
  } catch (error) {
    await close();
    throw error;
  }
  const origin = embedded === null ? "url" : "embedded";
  return {
    pool,
    heartbeats,
    admin,
    userData: createUserData(pool, admin),
    origin,
    listen: () => connectListener(role, limits.connectSeconds * 1_000),
    ensureRunning: async () => embedded?.ensureRunning().catch(throwUnavailable),
    close,
  };
}

function throwUnavailable(error: unknown): never {
  const reason = error instanceof Error ? error.message : "Cannot start the database";
  throw new DatabaseUnavailableError(reason, { cause: error });
}

/** Separates the `options` of a URL: the driver would let them replace the program's, so the two are joined. */
function readUrl(url: string): ClientConfig {
  // The driver accepts addresses without a host (`user@/database?host=/socket`), the URL class does not.
  const readable = URL.canParse(url.replace("@/", "@localhost/"));
  if (!readable || !/^postgres(ql)?:\/\//.test(url)) throw urlError();
  const [base = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  const own = parameters.get("options");
  parameters.delete("options");
  return {
    connectionString: parameters.size === 0 ? base : `${base}?${parameters.toString()}`,
    ...(own === null ? {} : { options: own }),
  };
}

/** Has no cause: it would quote the URL with its password. */
function urlError(): Error {
  return new Error(
    "Cannot read DATABASE_URL: it is not the address of a PostgreSQL database; write postgresql://user:password@host:5432/database",
  );
}

/** Called for each idle connection that was lost. */
type OnLost = (error: Error) => void;

/** Not a setting: a stopping server closes all its connections within it, and the log warns once. */
const SAME_LOSS_MS = 5_000;

function createLossLog(log: Log): OnLost {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return ({ message }) => {
    const line = `An idle database connection was lost: ${message}`;
    const now = performance.now();
    if (now - warnedAt < SAME_LOSS_MS) log.debug(line);
    else log.warn(line);
    warnedAt = now;
  };
}

interface PlainRole {
  readonly role: string;
  readonly limits: ConnectionLimits;
}

/** Connection settings of one of the program's roles, whatever the connection's own options are. */
function asPlainRole(connection: ClientConfig, { role, limits }: PlainRole): ClientConfig {
  const settings = [
    `role=${role}`,
    `search_path=${SEARCH_PATH}`,
    "timezone=UTC",
    "datestyle=ISO",
    `statement_timeout=${limits.statementSeconds}s`,
    `idle_in_transaction_session_timeout=${limits.idleTransactionSeconds}s`,
  ];
  const own = connection.options === undefined ? [] : [connection.options];
  return {
    ...connection,
    options: [...own, ...settings.map((setting) => `-c ${setting}`)].join(" "),
    application_name: "concierge-graph",
    connectionTimeoutMillis: limits.connectSeconds * 1_000,
    keepAlive: true,
    types: columnTypes,
  };
}

function createPool(connection: PoolConfig, max: number, onLost: OnLost): Pool {
  const pool = new Pool({ ...connection, max, pipeline: true });
  // The connection string holds the password, and a pool may end up in a log.
  Object.defineProperty(pool.options, "connectionString", { enumerable: false });
  // Without a listener, a connection cut while a caller holds it would end the process; its next statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", (error) => {
    // A pool that is closing loses its connections as it should.
    if (!pool.ending) onLost(error);
  });
  return pool;
}

async function connectListener(connection: ClientConfig, queryMs: number): Promise<Client> {
  const client = new Client({ ...connection, query_timeout: queryMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw asDatabaseError(error);
  }
}

async function assertPlainRole(pool: Pool): Promise<void> {
  try {
    const { rows } = await pool.query<{ role: string }>("select current_user as role");
    if (rows[0]?.role === APP_ROLE) return;
  } catch (error) {
    throw asDatabaseError(error);
  }
  throw new Error(
    `Cannot work as the role ${APP_ROLE}: the server, or a pooler before it, drops the "options" of a connection; connect to the server itself`,
  );
}
