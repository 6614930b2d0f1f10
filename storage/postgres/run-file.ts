import { escapeLiteral } from "pg";
import type { Queryable } from "../../state/store.ts";

/**
 * Runs the statements of a migration file in the transaction that is open. PostgreSQL itself refuses
 * those that begin or end a transaction, before anything is kept: it runs the text as a function does.
 *
 * @throws Error with the position of such a statement; else what the database says.
 */
export async function runFile(db: Queryable, sql: string): Promise<void> {
  await db.query("savepoint before_file");
  try {
    await execute(db, sql);
  } catch (error) {
    await db.query("rollback to before_file");
    // In the language of the server.
    const refused = await tryExecute(db, "commit");
    if (readMessage(error) !== refused) throw error;
    const position = await findRefused(db, { sql, refused });
    throw Object.assign(
      new Error("A statement begins or ends a transaction or a savepoint", { cause: error }),
      { position: String(position), hint: "All files run in one transaction: leave it out" },
    );
  }
  await db.query("release before_file");
}

async function execute(db: Queryable, sql: string): Promise<void> {
  // A text whose last statement is "select … into" would be refused as such.
  const block = `begin execute ${escapeLiteral(`${sql}\n;select`)}; end`;
  await db.query(`do ${escapeLiteral(block)}`);
}

/** Runs the statements once more, one after the other, up to the refused one. Only the parser of the server knows which semicolons end one. */
async function findRefused(
  db: Queryable,
  { sql, refused }: { sql: string; refused: string },
): Promise<number> {
  let start = 0;
  for (let end = sql.indexOf(";"); end >= 0; end = sql.indexOf(";", end + 1)) {
    const message = await tryExecute(db, sql.slice(start, end + 1));
    if (message === refused) return end;
    if (message === "") start = end + 1;
  }
  return sql.trimEnd().length;
}

/** Runs statements and returns why they failed, and then what they did is taken back; empty where they did not. */
async function tryExecute(db: Queryable, sql: string): Promise<string> {
  await db.query("savepoint before_try");
  try {
    await execute(db, sql);
    return "";
  } catch (error) {
    await db.query("rollback to before_try");
    return readMessage(error);
  } finally {
    await db.query("release before_try");
  }
}

function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
