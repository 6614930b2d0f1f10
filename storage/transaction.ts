import type { PoolClient, QueryResult } from "pg";
import { randomBytes } from "node:crypto";
import type { Queryable } from "../state/store.ts";
import { asDatabaseError, DatabaseUnavailableError, READ_ONLY_CODE } from "./database-error.ts";
import { errorCode } from "./error-code.ts";
import { literal } from "./literal.ts";
import { prepare, sendWithNext, type Lender } from "./prepared.ts";

export interface TransactionOptions {
  /** Whether the database refuses every change inside. Default false. */
  readonly readOnly?: boolean;
  /** Settings of the database that hold until its end, by name. Default none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What has to be true as it begins. Default nothing. */
  readonly condition?: Condition;
}

/** A query that a transaction begins with, and what has to be true of what it finds. */
export interface Condition {
  /** Without parameters. */
  readonly text: string;
  /** Called with the number of its rows. @throws where the transaction is not to go on. */
  readonly check: (rows: number) => void;
}

/**
 * Runs `work` in one transaction on a connection of its own: committed when it returns, rolled back when it throws.
 *
 * Statements that `work` sends at once, and the first with the transaction's beginning, reach the
 * server in one way there and back. So the first has been sent where the condition turns out not to
 * hold; it is rolled back, and `work` gets to know no answer.
 *
 * @throws what the condition throws; DatabaseUnavailableError when the connection fails or the server cannot work; else what `work` threw.
 */
export async function withTransaction<T>(
  pool: Lender,
  work: (tx: Queryable) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { readOnly = false, condition } = options;
  // Before anything is sent: without a beginning, what comes after it would stand for itself.
  const text = beginning(options);
  const client = await connect(pool);
  const begun = begin(client, { text, condition });
  // Whoever waits for it hears of it; nobody may.
  begun.catch(() => undefined);
  let broken = false;
  try {
    const result = await work(explaining(client, { readOnly, begun }));
    await begun;
    await commit(client);
    return result;
  } catch (error) {
    broken = !(await rollBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** One text, so that a transaction begins with one way there and back. */
function beginning({ readOnly = false, settings = {}, condition }: TransactionOptions): string {
  return [
    readOnly ? "begin read only" : "begin",
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${literal(value)}`),
    ...(condition === undefined ? [] : [condition.text]),
  ].join("; ");
}

async function begin(
  client: PoolClient,
  { text, condition }: { readonly text: string; readonly condition: Condition | undefined },
): Promise<void> {
  const results: QueryResult | readonly QueryResult[] = await sendWithNext(client, {
    text,
  }).catch((error: unknown) => {
    throw asDatabaseError(error);
  });
  // The last statement's is the condition's.
  condition?.check([results].flat().at(-1)?.rows.length ?? 0);
}

/** The client with its errors explained: at their source, where they cannot be taken for another component's. */
function explaining(
  client: PoolClient,
  { readOnly, begun }: { readonly readOnly: boolean; readonly begun: Promise<void> },
): Queryable {
  return {
    async query(text, values) {
      try {
        const sent = sendWithNext(client, prepare(text, values));
        // Where the beginning fails, it is what is told.
        sent.catch(() => undefined);
        await begun;
        return await sent;
      } catch (error) {
        // A change in what was to read is the caller's mistake, not the server's state.
        throw readOnly && errorCode(error) === READ_ONLY_CODE ? error : asDatabaseError(error);
      }
    },
  };
}

async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}

async function connect(pool: Lender): Promise<PoolClient> {
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
