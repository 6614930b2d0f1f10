import { z } from "zod";
import type { Queryable } from "../../state/store.ts";

/** Limits of one clean-up. */
export interface CleanUp {
  /** Days to keep keys of writes, finished messages and leases. */
  readonly days: number;
  /** Most rows of each kind; the next call continues. */
  readonly batch: number;
}

const CleanedUpRow = z.object({
  effects: z.number().int(),
  messages: z.number().int(),
  leases: z.number().int(),
});
/** Numbers of removed rows. */
export type CleanedUp = Readonly<z.infer<typeof CleanedUpRow>>;

/**
 * Removes old rows that only serve to recognise repeated requests: keys of applied writes, finished
 * messages, and leases. `tx` carries the user whose rows are removed.
 *
 * Contract: removes nothing that an unfinished turn or a waiting message needs. An effect is removed
 * only if a turn of its thread was archived after it, so its own turn has ended; effects without a
 * turn (seeding) are kept. Safe beside running processes: locked rows are left for the next call.
 */
export async function cleanUp(tx: Queryable, { days, batch }: CleanUp): Promise<CleanedUp> {
  const { rows } = await tx.query(CLEAN_UP, [days, batch]);
  return CleanedUpRow.parse(rows[0]);
}

/**
 * Removes rows of the journal that are older than so many days: what they tell of can no longer be
 * undone. `tx` carries the user, on a connection of the administrator's. Returns their number.
 */
export async function removeOldJournal(tx: Queryable, { days, batch }: CleanUp): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from journal where seq in
       (select seq from journal where created_at < now() - $1 * interval '1 day'
         order by seq limit $2)`,
    [days, batch],
  );
  return rowCount ?? 0;
}

/**
 * Leases have no user; joining threads restricts them to the user's. The selections are materialized:
 * otherwise a plan may repeat one for each row, and remove more than `batch`.
 */
const CLEAN_UP = `with old_effects as materialized (
    select key from effects as old
     where created_at < now() - $1 * interval '1 day'
       and exists (select from turns
                    where turns.thread_id = old.thread_id and turns.created_at >= old.created_at)
       and not exists (select from inbox
                        where inbox.thread_id = old.thread_id and finished_at is null)
     order by created_at limit $2 for update skip locked),
  old_messages as materialized (
    select thread_id, message_id from inbox
     where finished_at < now() - $1 * interval '1 day'
     order by finished_at limit $2 for update skip locked),
  old_leases as materialized (
    select thread_id from leases join threads using (thread_id)
     where expires_at < now() - $1 * interval '1 day'
       and not exists (select from inbox
                        where inbox.thread_id = threads.thread_id and finished_at is null)
     limit $2 for update of leases skip locked),
  gone_effects as (
    delete from effects where key in (select key from old_effects) returning 1),
  gone_messages as (
    delete from inbox
     where (thread_id, message_id) in (select thread_id, message_id from old_messages) returning 1),
  gone_leases as (
    delete from leases where thread_id in (select thread_id from old_leases) returning 1)
  select (select count(*)::int from gone_effects) as effects,
         (select count(*)::int from gone_messages) as messages,
         (select count(*)::int from gone_leases) as leases`;
