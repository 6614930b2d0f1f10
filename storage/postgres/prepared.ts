import { createHash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig } from "pg";
import type { Queryable } from "../../state/store.ts";

/** A query as the driver takes it. */
interface PreparedQuery extends QueryConfig {
  /** The driver's types do not know it: the server parses the text as one statement, values or none. */
  readonly queryMode?: "extended";
}

/** Creates a query from a text and its values; a text that is used often gets a name. */
export type Prepare = (text: string, values?: unknown[]) => PreparedQuery;

// Not settings: each connection of the server keeps the plan of every name, so names are bounded.
const MOST_NAMED = 256;
const MOST_SEEN = 1_000;
const USES_BEFORE = 3;

/**
 * Creates a `Prepare` that counts uses: from its fourth use on, a text has a name, and each connection
 * parses and plans it once. At most 256 texts get a name; statements without values never do.
 */
export function createPrepare(): Prepare {
  const named = new Map<string, string>();
  const seen = new Map<string, number>();
  const nameIfUsual = (text: string): string | null => {
    if (named.size >= MOST_NAMED) return null;
    const uses = (seen.get(text) ?? 0) + 1;
    if (uses <= USES_BEFORE) {
      // Texts that differ every time must not pile up.
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.set(text, uses);
      return null;
    }
    const name = createStatementName(text);
    named.set(text, name);
    seen.delete(text);
    return name;
  };
  return (text, values) => {
    if (values === undefined) return { text };
    if (values.length === 0) return { text, values, queryMode: "extended" };
    const name = named.get(text) ?? nameIfUsual(text);
    return name === null ? { text, values } : { name, text, values };
  };
}

/** Returns the same name in every process: a pooler may hand a connection from one to another. */
function createStatementName(text: string): string {
  return `concierge-${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}

/** The program's `Prepare`, shared by all of its pools. */
export const prepare: Prepare = createPrepare();

/** Returns the connections with statements prepared that are used often. */
export function preparing(db: Pool | PoolClient, { query } = { query: prepare }): Queryable {
  return { query: (text, values) => db.query<Record<string, unknown>>(query(text, values)) };
}
