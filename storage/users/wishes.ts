import { ConstraintSchema, type Constraint, type WishChange } from "../../state/constraint.ts";
import type { Queryable } from "../../state/store.ts";

/** Reads the wishes that a person has in every conversation, oldest first. `tx` carries the user. */
export async function readWishes(tx: Queryable): Promise<readonly Constraint[]> {
  const { rows } = await tx.query(
    `select text, kind, count, until, turn, 'person' as scope
       from (select distinct on (text) * from wishes order by text, wish_id desc) as newest
      where not is_withdrawn
      order by wish_id`,
  );
  return ConstraintSchema.array().parse(rows);
}

/** The turn that has changed wishes. */
interface WishTurn {
  readonly threadId: string;
  readonly runId: string;
}

/** Keeps the wishes that a turn has noted or withdrawn; a turn that is saved again adds nothing. */
export async function saveWishes(
  tx: Queryable,
  { threadId, runId }: WishTurn,
  changes: readonly WishChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ wish: { text, kind, count, until, turn }, isWithdrawn }) => ({
    text,
    kind,
    count,
    until,
    turn,
    is_withdrawn: isWithdrawn,
  }));
  await tx.query(
    `insert into wishes (thread_id, run_id, text, kind, count, until, turn, is_withdrawn)
     select $1, $2, text, kind, count, until, turn, is_withdrawn
       from jsonb_to_recordset($3::jsonb)
         as row (text text, kind text, count int, until text, turn int, is_withdrawn boolean)
     on conflict (user_id, text, thread_id, run_id) do nothing`,
    [threadId, runId, JSON.stringify(rows)],
  );
}
