import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { escapeIdentifier, type Pool } from "pg";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { listUserTables, type UserTable } from "./user-tables.ts";
import { asUser } from "./user-data.ts";

export interface ExportParts {
  readonly pool: Pool;
  readonly checkpointer: Pick<BaseCheckpointSaver, "getTuple">;
}

/** Columns left out: they hold nothing about the user and could help an attacker. */
const SECRET: Readonly<Record<string, readonly string[]>> = { api_keys: ["hash"] };

/** Rows read at once. Not a setting: some rows hold a whole state, so a page bounds the memory. */
const PAGE = 100;

/**
 * Exports all data of a user as lines of JSON without line ends: first `{"kind":"user"}`, then a `row`
 * for each row of each table of the program and the domains, the newest `state` of each thread, and
 * last `{"kind":"end"}` with the number of lines before it. Without that line the export is incomplete.
 *
 * No connection is held between lines, however slowly they are read. Rows that change meanwhile may be
 * exported in either form.
 *
 * @throws RangeError for an empty user; DatabaseUnavailableError.
 */
export async function* exportUserData(
  { pool, checkpointer }: ExportParts,
  userId: string,
): AsyncGenerator<string> {
  const read = <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
    asUser(pool, { userId, readOnly: true }, work);
  let lines = 1;
  yield JSON.stringify({ kind: "user", userId });
  for (const table of await read(listUserTables)) {
    const name = JSON.stringify(table.name);
    for await (const row of readRows(read, { table, userId })) {
      lines += 1;
      yield `{"kind":"row","table":${name},"row":${row}}`;
    }
  }
  const { rows } = await read((tx) => tx.query("select thread_id from threads order by thread_id"));
  for (const row of rows) {
    const threadId = String(row["thread_id"]);
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: threadId } });
    if (tuple === undefined) continue;
    lines += 1;
    yield JSON.stringify({ kind: "state", threadId, state: tuple.checkpoint.channel_values });
  }
  yield JSON.stringify({ kind: "end", lines });
}

const PageRow = z.object({ row: z.string() });

/** Yields each row as JSON, a page at a time; the next page begins after the last row. */
async function* readRows(
  read: <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>,
  { table, userId }: { readonly table: UserTable; readonly userId: string },
): AsyncGenerator<string> {
  const text = pageText(table);
  const secret = SECRET[table.name] ?? [];
  for (let place: string | null = null; ;) {
    const values = [userId, place, secret];
    const { rows } = await read((tx) => tx.query(text, values));
    const page = PageRow.array().parse(rows);
    for (const { row } of page) yield row;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || table.key.length === 0) return;
    place = last.row;
  }
}

/** Returns the query of one page; a table without a key is read at once. */
function pageText({ name, key }: UserTable): string {
  const table = escapeIdentifier(name);
  const columns = key.map((column) => `t.${escapeIdentifier(column)}`).join(", ");
  const select = `select (to_jsonb(t.*) - $3::text[])::text as row from ${table} as t where t.user_id = $1`;
  if (key.length === 0) return `${select} and $2::jsonb is null`;
  return `${select}
       and ($2::jsonb is null
            or row(${columns}) > (select ${columns} from jsonb_populate_record(null::${table}, $2::jsonb) as t))
     order by ${columns} limit ${PAGE}`;
}
