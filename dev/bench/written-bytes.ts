import { Pool } from "pg";
import { z } from "zod";
import { SCHEMA } from "../../storage/postgres/app-role.ts";
import { STOCK_SCHEMA } from "./savers.ts";

/** What went into the checkpoint tables, by table and channel. */
export interface WrittenPart {
  readonly table: "checkpoints" | "checkpoint_blobs" | "checkpoint_writes";
  /** Null for whole checkpoints: their channels stand in the other tables. */
  readonly channel: string | null;
  readonly bytes: number;
}

/** Sees what goes into a database's checkpoint tables, whoever writes it. */
export interface WrittenBytes {
  /** What was written since the last call; nothing else may be writing. */
  readonly take: () => Promise<readonly WrittenPart[]>;
  /** What a thread takes now: its rows as they are stored, compressed where Postgres does so. */
  readonly storedBytes: (schema: "concierge" | "stock", threadId: string) => Promise<number>;
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

const TABLES = ["checkpoints", "checkpoint_blobs", "checkpoint_writes"] as const;

/**
 * Counts what is written into the checkpoint tables from now on, with a trigger on each: rows that
 * are inserted or replaced, whatever statement does it, also where they are pruned a moment later.
 * Rows that stand there already and are left as they are cost nothing.
 *
 * @param url of a user who owns the tables.
 */
export async function countWrittenBytes(url: string): Promise<WrittenBytes> {
  const pool = new Pool({ connectionString: url, max: 1 });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  await pool.query(
    "create table public.bench_written (part text not null, channel text, bytes bigint not null)",
  );
  for (const schema of [SCHEMA, STOCK_SCHEMA]) {
    for (const table of TABLES) await pool.query(triggersOf(schema, table));
  }
  return {
    take: async () => {
      const { rows } = await pool.query(
        `with gone as (delete from public.bench_written returning *)
         select part as table, channel, sum(bytes)::int as bytes from gone group by 1, 2`,
      );
      return WrittenRow.array().parse(rows);
    },
    storedBytes: async (schema, threadId) => {
      const sums = TABLES.map(
        (table) =>
          `(select coalesce(sum(pg_column_size(stored.*)), 0)::int from ${schema}.${table} as stored where thread_id = $1)`,
      );
      const { rows } = await pool.query(`select ${sums.join(" + ")} as bytes`, [threadId]);
      return StoredRow.parse(rows[0]).bytes;
    },
    close: () => pool.end(),
  };
}

const WrittenRow = z.object({
  table: z.enum(TABLES),
  channel: z.string().nullable(),
  bytes: z.number(),
});
const StoredRow = z.object({ bytes: z.number() });

/** The function is the owner's: the program's role has no right to the table of the counts. */
function triggersOf(schema: string, table: (typeof TABLES)[number]): string {
  const name = `public.bench_note_${schema}_${table}`;
  const channel = table === "checkpoints" ? "null" : "channel";
  const trigger = (event: string): string => `
    create trigger bench_note_${event} after ${event} on ${schema}.${table}
      referencing new table as written for each statement execute function ${name}();`;
  return `create function ${name}() returns trigger language plpgsql security definer as $$
    begin
      insert into public.bench_written select '${table}', ${channel}, ${BYTES[table]} from written;
      return null;
    end $$;
    ${trigger("insert")} ${trigger("update")}`;
}

/** All bytes of some parts. */
export function sumBytes(parts: readonly WrittenPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}
