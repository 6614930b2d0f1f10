import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

/** Most runs that one request cancels. Not a setting: a client with more repeats the request. */
const MOST = 1_000;

/** Selects unfinished runs; null selects any thread or status. */
export interface UnfinishedRunFilter {
  readonly threadId: string | null;
  readonly status: "pending" | "running" | null;
}

/** Returns the ids of unfinished runs of the user whom `tx` carries, the oldest first. */
export async function findUnfinishedRuns(
  tx: Queryable,
  filter: UnfinishedRunFilter,
): Promise<readonly string[]> {
  const { rows } = await tx.query(
    `select run_id as id from runs
      where finished_at is null and ($1::text is null or thread_id = $1)
        and ($2::text is null or status = $2)
      order by seq limit ${MOST}`,
    [filter.threadId, filter.status],
  );
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}
