import { z } from "zod";
import type { Queryable } from "../../state/store.ts";
import { renderSentence } from "../../text/sentences.ts";

const StoredEffectSchema = z.object({
  effectId: z.number().int(),
  tool: z.string(),
  turn: z.number().int().nullable(),
  final: z.string().nullable(),
  undoes: z.array(z.coerce.number().int()),
  isUndone: z.boolean(),
  /** Its rows as they were before are gone, or about to go. */
  isOld: z.boolean(),
  hasChanges: z.boolean(),
  /** Number of rows of it that no entity type describes, without those that only followed. */
  undescribed: z.number().int(),
});
/** An effect of a thread, as far as taking it back is concerned. */
export type StoredEffect = z.infer<typeof StoredEffectSchema>;

/** The effects that are meant: those of a thread, by their numbers, or those of its last turn that wrote. */
export interface WantedEffects {
  readonly threadId: string;
  /** Empty for the last turn that wrote. */
  readonly effectIds: readonly number[];
  /** With no numbers: the newest change, where that is an undo. */
  readonly isRedo?: boolean;
  readonly journalDays: number;
}

const COLUMNS = `effect_id as "effectId", tool, turn, final, undoes, undone_by is not null as "isUndone",
  created_at < now() - $2 * interval '1 day' as "isOld",
  undoes <> '{}' or exists (
    select from journal where journal.effect_id = effects.effect_id and action <> 'touch') as "hasChanges",
  coalesce((result ->> 'undescribed')::int, 0) as undescribed`;

/** Locks the wanted effects of the user and returns them in their order; those of other threads do not exist. */
export async function findEffects(
  tx: Queryable,
  { threadId, effectIds, isRedo = false, journalDays }: WantedEffects,
): Promise<readonly StoredEffect[]> {
  if (isRedo) return findNewestUndo(tx, { threadId, journalDays });
  const { rows } =
    effectIds.length > 0
      ? await tx.query(
          `select ${COLUMNS} from effects
            where thread_id = $1 and effect_id = any($3::bigint[]) order by effect_id for update`,
          [threadId, journalDays, effectIds],
        )
      : await tx.query(
          `with in_force as (
             select ${COLUMNS},
                    -- A service that refused, or of which nobody knows, has nothing to take back.
                    (origin <> 'call' or result -> 'failures' = '[]') as "hasHappened"
               from effects
              where thread_id = $1 and turn is not null and undone_by is null
                and origin not in ('undo', 'seed')),
           wrote as (select * from in_force where "hasChanges" or "isOld" or (final is not null and "hasHappened"))
           select ${COLUMNS} from effects
            where effect_id in (select "effectId" from wrote
                                 where turn = (select max(turn) from wrote))
            order by effect_id for update`,
          [threadId, journalDays],
        );
  return StoredEffectSchema.array().parse(rows);
}

/** Finds the undo that is the newest change of a thread; none where something was changed since. */
async function findNewestUndo(
  tx: Queryable,
  { threadId, journalDays }: Pick<WantedEffects, "threadId" | "journalDays">,
): Promise<readonly StoredEffect[]> {
  const { rows } = await tx.query(
    `with changed as (
       select ${COLUMNS}, origin from effects where thread_id = $1 and turn is not null and undone_by is null)
     select ${COLUMNS} from effects
      where origin = 'undo' and undone_by is null
        and effect_id = (select max("effectId") from changed where "hasChanges" or final is not null)
        for update`,
    [threadId, journalDays],
  );
  return StoredEffectSchema.array().parse(rows);
}

/** Returns why effects cannot be taken back; null where they can. Pure. */
export function explainFinal(
  effects: readonly StoredEffect[],
  { effectIds, journalDays }: Pick<WantedEffects, "effectIds" | "journalDays">,
): string | null {
  if (effects.length === 0 && effectIds.length === 0) return renderSentence("nothingToUndo");
  if (effects.length < new Set(effectIds).size) return renderSentence("effectUnknown");
  if (effects.some(({ isUndone }) => isUndone)) return renderSentence("undoneAlready");
  if (effects.some(({ isOld }) => isOld)) {
    return renderSentence("olderThanDays", { days: journalDays });
  }
  const reasons = effects.flatMap(({ final }) => final ?? []);
  if (reasons.length > 0) return [...new Set(reasons)].join("; ");
  return effects.some(({ hasChanges }) => hasChanges) ? null : renderSentence("nothingToUndo");
}

/**
 * Says of an undo that names no effects how many messages back it reached; empty where that is the
 * message before. Pure.
 */
export function describeReach(
  effects: readonly Pick<StoredEffect, "turn">[],
  { effectIds, turn }: { readonly effectIds: readonly number[]; readonly turn: number | null },
): readonly string[] {
  const changed = effects[0]?.turn ?? null;
  if (effectIds.length > 0 || turn === null || changed === null || turn - changed < 2) return [];
  return [renderSentence("undoneEarlier", { count: turn - changed })];
}

/**
 * Notes that the effect `undoId` has taken others back. What they themselves had taken back is in
 * force again.
 */
export async function markUndone(
  tx: Queryable,
  effects: readonly Pick<StoredEffect, "effectId" | "undoes">[],
  undoId: number,
): Promise<void> {
  const ids = effects.map(({ effectId }) => effectId);
  await tx.query("update effects set undoes = $2 where effect_id = $1", [undoId, ids]);
  for (const { effectId, undoes } of effects) await setUndone(tx, { effectId, undoes }, undoId);
}

async function setUndone(
  tx: Queryable,
  { effectId, undoes }: Pick<StoredEffect, "effectId" | "undoes">,
  undoneBy: number | null,
): Promise<void> {
  await tx.query("update effects set undone_by = $2 where effect_id = $1", [effectId, undoneBy]);
  // An undo that is taken back releases what it took back; one that is in force again holds it.
  const { rows } = await tx.query(
    "select effect_id, undoes from effects where effect_id = any($1::bigint[])",
    [undoes],
  );
  for (const row of rows) {
    const { effect_id: id, undoes: inner } = UndoLinkSchema.parse(row);
    await setUndone(tx, { effectId: id, undoes: inner }, undoneBy === null ? effectId : null);
  }
}

const UndoLinkSchema = z.object({
  effect_id: z.number().int(),
  undoes: z.array(z.coerce.number().int()),
});
