import { escapeLiteral, type Pool, type PoolClient } from "pg";
import { randomBytes } from "node:crypto";
import type { Queryable } from "../state/store.ts";
import { asDatabaseError, DatabaseUnavailableError, READ_ONLY_CODE } from "./database-error.ts";
import { errorCode } from "./error-code.ts";
import { prepare } from "./prepared.ts";

export interface TransactionOptions {
  /** Whether the database refuses every change inside. Default false. */
  readonly readOnly?: boolean;
  /** Settings of the database that hold until its end, by name. Default none. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Runs `work` in one transaction on a connection of its own: committed when it returns, rolled back when it throws.
 *
 * @throws DatabaseUnavailableError when the connection fails or the server cannot work; else what `work` threw.
 */
export async function withTransaction<T>(
  pool: Pool,
  work: (tx: Queryable) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { readOnly = false, settings = {} } = options;
  const client = await connect(pool);
  const tx = explaining(client, { readOnly });
  let broken = false;
  try {
    await tx.query(beginning({ readOnly, settings }));
    const result = await work(tx);
    await commit(client);
    return result;
  } catch (error) {
    broken = !(await rollBack(tx));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** One text, so that a transaction begins with one way there and back. */
function beginning({ readOnly, settings }: Required<TransactionOptions>): string {
  const set = Object.entries(settings).map(
    ([name, value]) => `; set local ${name} = ${escapeLiteral(value)}`,
  );
  return `${readOnly ? "begin read only" : "begin"}${set.join("")}`;
}

/** The client with its errors explained: at their source, where they cannot be taken for another component's. */
function explaining(
  client: PoolClient,
  { readOnly }: Pick<Required<TransactionOptions>, "readOnly">,
): Queryable {
  return {
    async query(text, values) {
      try {
        return await client.query<Record<string, unknown>>(prepare(text, values));
      } catch (error) {
        // A change in what was to read is the caller's mistake, not the server's state.
        throw readOnly && errorCode(error) === READ_ONLY_CODE ? error : asDatabaseError(error);
      }
    },
  };
}

async function rollBack(tx: Queryable): Promise<boolean> {
  try {
    await tx.query("rollback");
    return true;
  } catch {
    return false;
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** A commit of a transaction in which a statement failed rolls back and is no error: made one here. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("commit").catch((error: unknown) => {
    throw asDatabaseError(error);
  });
  if (command === "COMMIT") return;
  throw new Error(
    "Cannot commit the transaction: a statement in it failed and the error was swallowed; let errors through, or use a savepoint",
  );
}

/**
 * Runs `work` in a savepoint of the transaction `tx`: when it throws, what it did is undone, the
 * error comes through, and the transaction goes on.
 */
export async function withSavepoint<T>(
  tx: Queryable,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const name = `s${randomBytes(6).toString("hex")}`;
  await tx.query(`savepoint ${name}`);
  try {
    const result = await work(tx);
    await tx.query(`release savepoint ${name}`);
    return result;
  } catch (error) {
    await undo(tx, { name, error });
    throw error;
  }
}

async function undo(tx: Queryable, failed: { name: string; error: unknown }): Promise<void> {
  try {
    await tx.query(`rollback to savepoint ${failed.name}`);
    await tx.query(`release savepoint ${failed.name}`);
  } catch (error) {
    // The connection is gone: the first error tells more than this one.
    if (!(error instanceof DatabaseUnavailableError)) throw error;
  }
}
