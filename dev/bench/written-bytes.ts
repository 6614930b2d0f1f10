import { Pool } from "pg";
import { z } from "zod";

/** Observes what goes into a database's checkpoint tables. */
export interface WrittenBytes {
  /** Returns the bytes written since the last call; nothing else may be writing. */
  readonly take: () => Promise<number>;
  /** Returns the bytes a thread takes now: its rows as they are stored, compressed where Postgres does so. */
  readonly readStored: (threadId: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Content and keys of a new row as they are sent, before Postgres compresses anything. */
const BYTES = {
  checkpoints: `octet_length(checkpoint::text) + octet_length(metadata::text) + octet_length(checkpoint_id)
    + coalesce(octet_length(parent_checkpoint_id), 0)`,
  checkpoint_blobs: `coalesce(octet_length(blob), 0) + octet_length(channel) + octet_length(version)
    + octet_length(type)`,
  checkpoint_writes: `octet_length(blob) + octet_length(channel) + octet_length(type) + octet_length(task_id)
    + octet_length(checkpoint_id)`,
} as const;

const BytesRow = z.object({ bytes: z.number() });

/**
 * Counts what is written into the checkpoint tables from now on, with a trigger on each: rows that
 * are inserted or replaced, whatever statement does it, also where they are pruned a moment later.
 *
 * @param url of a user who owns the tables.
 */
export async function countWrittenBytes(url: string): Promise<WrittenBytes> {
  const pool = new Pool({ connectionString: url, max: 1 });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  const readBytes = async (sql: string, values: readonly string[] = []): Promise<number> =>
    BytesRow.parse((await pool.query(sql, [...values])).rows[0]).bytes;
  await pool.query("create table public.bench_written (bytes bigint not null)");
  for (const [table, bytes] of Object.entries(BYTES))
    await pool.query(createTriggers(table, bytes));
  const stored = Object.keys(BYTES).map(
    (table) =>
      `(select coalesce(sum(pg_column_size(stored.*)), 0)::int from concierge.${table} as stored where thread_id = $1)`,
  );
  return {
    take: () =>
      readBytes(
        `with gone as (delete from public.bench_written returning bytes)
         select coalesce(sum(bytes), 0)::int as bytes from gone`,
      ),
    readStored: (threadId) => readBytes(`select ${stored.join(" + ")} as bytes`, [threadId]),
    close: () => pool.end(),
  };
}

/** The function is the owner's: the program's role has no right to the table of the counts. */
function createTriggers(table: string, bytes: string): string {
  const trigger = (event: string): string => `
    create trigger bench_note_${event} after ${event} on concierge.${table}
      referencing new table as written for each statement execute function public.bench_note_${table}();`;
  return `create function public.bench_note_${table}() returns trigger language plpgsql security definer as $$
    begin
      insert into public.bench_written select ${bytes} from written;
      return null;
    end $$;
    ${trigger("insert")} ${trigger("update")}`;
}
