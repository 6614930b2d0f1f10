import type { RunnableConfig } from "@langchain/core/runnables";
import type { CheckpointListOptions } from "@langchain/langgraph-checkpoint";
import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { readText } from "./checkpoint-statements.ts";

/** Not a setting: it bounds the memory of one reader. */
const PAGE = 20;

const PlaceRow = z.object({
  checkpoint_id: z.string(),
  thread_id: z.string(),
  checkpoint_ns: z.string(),
});

interface Condition {
  /** SQL with `?` for each of `values`. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Finds checkpoints, the newest first: rows of `readText`, at most twenty of them in memory.
 *
 * Checkpoints that are stored meanwhile do not appear; those that are deleted meanwhile may be missing.
 */
export async function* listCheckpointRows(
  db: Queryable,
  { config, options }: { config: RunnableConfig; options: CheckpointListOptions | undefined },
): AsyncGenerator<Record<string, unknown>> {
  const conditions = buildConditions(config, options);
  let left = options?.limit ?? Number.POSITIVE_INFINITY;
  let after: Condition | null = null;
  while (left > 0) {
    const size = Math.min(PAGE, left);
    const page = pageStatement(after === null ? conditions : [...conditions, after], size);
    const { rows } = await db.query(page.text, page.values);
    yield* rows;
    if (rows.length < size) return;
    left -= rows.length;
    after = cursorAfter(rows.at(-1));
  }
}

function buildConditions(config: RunnableConfig, options: CheckpointListOptions | undefined) {
  const { configurable } = config;
  const { filter, before } = options ?? {};
  const threadId: unknown = configurable?.["thread_id"];
  const namespace: unknown = configurable?.["checkpoint_ns"];
  const id: unknown = configurable?.["checkpoint_id"];
  const beforeId: unknown = before?.configurable?.["checkpoint_id"];
  const conditions: (Condition | null)[] = [
    threadId ? { sql: "thread_id = ?", values: [threadId] } : null,
    namespace === undefined || namespace === null
      ? null
      : { sql: "checkpoint_ns = ?", values: [namespace] },
    id ? { sql: "checkpoint_id = ?", values: [id] } : null,
    filter === undefined ? null : { sql: "metadata @> ?::jsonb", values: [JSON.stringify(filter)] },
    beforeId === undefined ? null : { sql: "checkpoint_id < ?", values: [beforeId] },
  ];
  return conditions.filter((condition) => condition !== null);
}

function cursorAfter(row: unknown): Condition {
  const { checkpoint_id, thread_id, checkpoint_ns } = PlaceRow.parse(row);
  return {
    sql: "(checkpoint_id, thread_id, checkpoint_ns) < (?, ?, ?)",
    values: [checkpoint_id, thread_id, checkpoint_ns],
  };
}

function pageStatement(conditions: readonly Condition[], size: number) {
  const values = conditions.flatMap((condition) => condition.values);
  let parameter = 0;
  const where = conditions
    .map(({ sql }) => sql.replaceAll("?", () => `$${(parameter += 1)}`))
    .join(" and ");
  const selection = `${where === "" ? "" : `where ${where}`}
     order by checkpoint_id desc, thread_id desc, checkpoint_ns desc limit ${size}`;
  return { text: readText(selection), values };
}
