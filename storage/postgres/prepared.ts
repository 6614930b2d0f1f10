import { createHash } from "node:crypto";
import type { Pool, PoolClient, QueryConfig } from "pg";
import type { Queryable } from "../../state/store.ts";

/** Makes a query of a text and its values: under a name where the text comes again and again. */
export type Prepare = (text: string, values?: unknown[]) => QueryConfig;

/** Plans are kept by each connection of the server for as long as it lasts. */
const MOST_NAMED = 256;
const MOST_SEEN = 1_000;
const USES_BEFORE = 3;

/**
 * Makes one that remembers what it has seen: from its fourth use on a text has a name, and each
 * connection parses and plans it once. At most 256 texts get one, the first that come so often;
 * statements without values never do.
 */
export function createPrepare(): Prepare {
  const named = new Map<string, string>();
  const seen = new Map<string, number>();
  const nameIfUsual = (text: string): string | null => {
    if (named.size >= MOST_NAMED) return null;
    const uses = (seen.get(text) ?? 0) + 1;
    if (uses <= USES_BEFORE) {
      // Texts that differ each time do not pile up.
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
    if (values === undefined || values.length === 0) return { text };
    const name = named.get(text) ?? nameIfUsual(text);
    return name === null ? { text, values } : { name, text, values };
  };
}

/** The same in every process, so that connections that a pooler shares out agree on it. */
function createStatementName(text: string): string {
  return `concierge-${createHash("sha256").update(text).digest("hex").slice(0, 24)}`;
}

/** The program's own: names are the same for all of its pools. */
export const prepare: Prepare = createPrepare();

/** The same connections, on which statements that come again and again are prepared. */
export function preparing(db: Pool | PoolClient, { query } = { query: prepare }): Queryable {
  return { query: (text, values) => db.query<Record<string, unknown>>(query(text, values)) };
}
