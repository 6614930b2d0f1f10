import type { PoolClient } from "pg";
import type { Queryable } from "../../state/store.ts";
import { sendWithNext, type Lender } from "./connections.ts";
import { asDatabaseError, READ_ONLY_CODE } from "./database-error.ts";
import { errorCode } from "./error-code.ts";
import { quoteLiteral } from "./literal.ts";
import { prepare } from "./prepared.ts";

export interface TransactionOptions {
  /** True makes the database refuse every change inside. Default false. */
  readonly readOnly?: boolean;
  /** Database settings for the transaction, by name. Default none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Condition that must hold when it begins. Default none. */
  readonly condition?: Precondition;
}

/** A query that a transaction begins with; it fails if the transaction must not continue. */
export interface Precondition {
  readonly text: string;
  readonly values?: unknown[];
  /** Maps the query's error to the one that is thrown. */
  readonly explain: (error: unknown) => unknown;
}

/** An open transaction. */
export interface Transaction extends Queryable {
  /**
   * Sends the transaction's end together with its last statements, in one round trip: `send` must send
   * all of them before it awaits anything. Resolves to the result of `send` once all is durable.
   *
   * @throws Error from any later statement; else what `send` throws: if it threw before it awaited
   * anything, or if a statement failed, the transaction is rolled back; otherwise it is durable.
   */
  last<T>(send: () => Promise<T>): Promise<T>;
}

/**
 * Runs `work` in one transaction on a connection of its own: committed when it returns, rolled back when it throws.
 *
 * Statements that `work` sends at once go in one round trip, the first together with the transaction's
 * beginning. So if the condition does not hold, the first has been sent already: it is rolled back,
 * and `work` receives no answer.
 *
 * @throws what the condition throws; DatabaseUnavailableError when the connection fails or the server cannot work; else what `work` threw.
 */
export async function withTransaction<T>(
  pool: Lender,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { readOnly = false, condition } = options;
  // Built before anything is sent: if it threw later, statements would run outside a transaction.
  const text = buildBeginning(options);
  const client = await connect(pool);
  const begun = beginTransaction(client, text, condition);
  // Prevents an unhandled rejection if nothing awaits it.
  begun.catch(() => undefined);
  const statements = createStatements(client, readOnly, begun);
  let ended: Promise<void> | null = null;
  let isOver = false;
  const end = (): Promise<void> => (ended ??= isOver ? refuseEnd() : commit(client));
  const tx: Transaction = {
    async query(text, values) {
      // The connection may belong to another caller by now.
      if (ended === null && !isOver) return statements.query(text, values);
      throw new Error(`Cannot send "${text}": the transaction's end was sent`);
    },
    last: (send) => sendTogether(client, send, end),
  };
  let broken = false;
  try {
    const result = await work(tx);
    await begun;
    await end();
    return result;
  } catch (error) {
    isOver = true;
    broken = !(await rollBack(client));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** By now the connection may belong to another transaction. */
async function refuseEnd(): Promise<never> {
  throw new Error("Cannot end the transaction: it failed meanwhile and was rolled back");
}

/** Sends the end with the last statements, unless `send` fails before it awaits anything: then some statements are missing. */
async function sendTogether<T>(
  client: PoolClient,
  send: () => Promise<T>,
  end: () => Promise<void>,
): Promise<T> {
  const { stream } = client.connection;
  stream.cork();
  const sent = (async () => send())();
  let hasFailed = false;
  sent.catch(() => {
    hasFailed = true;
  });
  await waitForMicrotasks();
  // If a statement fails, its error is the one thrown.
  if (!hasFailed) end().catch(() => undefined);
  stream.uncork();
  const result = await sent;
  await end();
  return result;
}

/** Resolves once the queue of microtasks is empty. */
async function waitForMicrotasks(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  queueMicrotask(() => process.nextTick(resolve));
  return promise;
}

function buildBeginning({ readOnly = false, settings = {} }: TransactionOptions): string {
  return [
    readOnly ? "begin read only" : "begin",
    ...Object.entries(settings).map(
      ([name, value]) => `set local ${name} = ${quoteLiteral(value)}`,
    ),
  ].join("; ");
}

async function beginTransaction(
  client: PoolClient,
  text: string,
  condition: Precondition | undefined,
): Promise<void> {
  // At once: they are sent together.
  const sent = [
    sendWithNext(client, { text }),
    ...(condition === undefined ? [] : [checkCondition(client, condition)]),
  ];
  await Promise.all(sent).catch((error: unknown) => {
    throw asDatabaseError(error);
  });
}

async function checkCondition(client: PoolClient, { text, values, explain }: Precondition) {
  try {
    return await sendWithNext(client, prepare(text, values));
  } catch (error) {
    throw explain(error);
  }
}

/** The client with its errors explained: at their source, where they cannot be taken for another component's. */
function createStatements(client: PoolClient, readOnly: boolean, begun: Promise<void>): Queryable {
  return {
    async query(text, values) {
      try {
        const sent = sendWithNext(client, prepare(text, values));
        // If the beginning fails, its error is the one thrown.
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
  const { command } = await sendWithNext(client, { text: "commit" }).catch((error: unknown) => {
    throw asDatabaseError(error);
  });
  if (command === "COMMIT") return;
  throw new Error(
    "Cannot commit the transaction: a statement in it failed and the error was swallowed; let errors through, or use a savepoint",
  );
}
