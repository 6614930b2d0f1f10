import type { Queryable } from "../state/store.ts";

/**
 * Thrown for a statement by which a handler would leave its transaction. Its code is that of
 * PostgreSQL, so that the log gives the sentence.
 */
class StatementRefusedError extends Error {
  override readonly name = "StatementRefusedError";
  readonly code = "2D000";

  constructor(words: string) {
    super(
      `Cannot send "${words}" from a tool: its transaction is kept or taken back by the program, once its changes were checked; throw, or use tool.refuse, to take them back`,
    );
  }
}

/** First words of statements that begin or end a transaction, or that change what it or the connection may do. */
const LEAVING =
  /^(?:begin|start|commit|end|abort|prepare transaction|rollback(?! (?:(?:work|transaction) )?to\b)|set (?!local |constraints )|set local (?:role|session\w*|transaction\w*|concierge)|reset|discard)\b/u;

/**
 * Lets a handler's own SQL through, a single statement each time, that does not leave its transaction:
 * after a "commit" nothing could be taken back. Savepoints are the handler's own.
 */
export function guardStatements(tx: Queryable): Queryable {
  return {
    async query(text, values = []) {
      const words = readFirstWords(text);
      if (LEAVING.test(words)) throw new StatementRefusedError(words);
      // With values, even none, PostgreSQL takes one statement: nothing can follow the first.
      return tx.query(text, values);
    },
  };
}

/** The words that say what a statement does. */
const WORDS = 4;

/** Reads the first words of a statement, lowercase and with single spaces, as PostgreSQL does: past comments, quotes and empty statements. */
export function readFirstWords(sql: string): string {
  const words: string[] = [];
  let rest = skipBlank(sql);
  while (words.length < WORDS) {
    const [word] = /^(?:[a-z_]+|"[^"]*")/iu.exec(rest) ?? [];
    if (word === undefined) break;
    words.push(word.replaceAll('"', "").toLowerCase());
    rest = skipBlank(rest.slice(word.length));
  }
  return words.join(" ");
}

/** Skips spaces, empty statements and comments, which may hold comments. */
function skipBlank(sql: string): string {
  let rest = sql;
  for (;;) {
    const [blank = ""] = /^(?:[\s;]|--[^\n\r]*)+/u.exec(rest) ?? [];
    rest = rest.slice(blank.length);
    if (!rest.startsWith("/*")) return rest;
    rest = skipComment(rest);
  }
}

function skipComment(sql: string): string {
  let depth = 0;
  for (const { 0: mark, index } of sql.matchAll(/\/\*|\*\//gu)) {
    depth += mark === "/*" ? 1 : -1;
    if (depth === 0) return sql.slice(index + 2);
  }
  return "";
}
