import { escapeIdentifier, type Pool } from "pg";
import { deleteThreadRows } from "../conversations/delete-thread.ts";
import { holdIdle } from "../conversations/idle-threads.ts";
import { deleteUserJobs } from "../runs/job-tables.ts";
import { inOrderOfDeletion, listUserTables } from "./user-tables.ts";
import { asUser } from "./user-data.ts";
import { lockOutOthers } from "./user-entry.ts";

/** Outcome of erasing: `busy` while a run of one of the user's threads is under way, with nothing erased. */
export type Erasure = "erased" | "busy";

/**
 * Erases all data of a user in one transaction: rows of the program and the domains, the state of every
 * thread, keys and jobs. It waits for threads that are being created, and erases them as well; later
 * requests with a key of the user are refused.
 *
 * @param pool connections of the administrator's role.
 *
 * @throws RangeError for an empty user; the database's error if a domain's table without a `user_id`
 *   refers to a row.
 */
export async function eraseUserData(pool: Pool, userId: string): Promise<Erasure> {
  return asUser(pool, { userId }, async (tx) => {
    // No time limit: a partial erasure is useless.
    await tx.query("set local statement_timeout = 0");
    await lockOutOthers(tx);
    const { rows } = await tx.query("select thread_id from threads");
    const threads = rows.map((row) => String(row["thread_id"]));
    if (!(await holdIdle(tx, threads))) return "busy";
    await deleteThreadRows(tx, threads);
    const tables = inOrderOfDeletion(await listUserTables(tx));
    // The journal records what is deleted from the others.
    const last = tables.filter(({ name }) => name === "journal");
    for (const { name } of [...tables.filter((table) => !last.includes(table)), ...last]) {
      await tx.query(`delete from ${escapeIdentifier(name)} where user_id = $1`, [userId]);
    }
    await deleteUserJobs(tx, userId);
    return "erased";
  });
}
