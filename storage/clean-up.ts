import type { Queryable } from "../state/store.ts";

/** What is cleaned up at one go. */
export interface CleanUp {
  /** How long keys of writes, finished messages and leases are kept, in days. */
  readonly days: number;
  /** Rows of each kind at most; the next call goes on. */
  readonly batch: number;
}

/** How many rows went. */
export interface CleanedUp {
  readonly effects: number;
  readonly messages: number;
  readonly leases: number;
}

/**
 * Removes what only repetitions need, once it is so old that none will come: keys of applied
 * writes, finished messages, and leases. `tx` carries the user whose rows are meant.
 *
 * Contract: nothing that an unfinished turn or a waiting message needs. An effect goes only when a
 * turn of its thread was archived after it, so its own turn has ended; those of no turn (seeding)
 * stay. Safe beside running processes: rows that others hold are left for the next call.
 */
export async function cleanUp(tx: Queryable, { days, batch }: CleanUp): Promise<CleanedUp> {
  const effects = await tx.query(
    `delete from effects where key in
       (select key from effects as old
         where created_at < now() - $1 * interval '1 day'
           and exists (select from turns
                        where turns.thread_id = old.thread_id and turns.created_at >= old.created_at)
           and not exists (select from inbox
                            where inbox.thread_id = old.thread_id and finished_at is null)
         order by created_at limit $2 for update skip locked)`,
    [days, batch],
  );
  const messages = await tx.query(
    `delete from inbox where (thread_id, message_id) in
       (select thread_id, message_id from inbox
         where finished_at < now() - $1 * interval '1 day'
         order by finished_at limit $2 for update skip locked)`,
    [days, batch],
  );
  // No user's rows, but the threads are: what is not the user's is not seen here.
  const leases = await tx.query(
    `delete from leases where thread_id in
       (select thread_id from leases join threads using (thread_id)
         where expires_at < now() - $1 * interval '1 day'
           and not exists (select from inbox
                            where inbox.thread_id = threads.thread_id and finished_at is null)
         limit $2 for update of leases skip locked)`,
    [days, batch],
  );
  return {
    effects: effects.rowCount ?? 0,
    messages: messages.rowCount ?? 0,
    leases: leases.rowCount ?? 0,
  };
}
