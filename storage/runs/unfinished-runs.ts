import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

/** Runs that are looked for at most. */
const MOST = 1_000;

/** The ids of the runs that have not ended, the oldest first, of all threads of the user whom `tx` carries. */
export async function findUnfinishedRuns(
  tx: Queryable,
  filter: { readonly threadId: string | null; readonly status: "pending" | "running" | null },
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
