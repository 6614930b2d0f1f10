import type { EffectIdentity, Queryable, UserData } from "../state/store.ts";
import { ToolOutcomeSchema, type RefBook, type ToolOutcome } from "../state/tool.ts";
import { toWrite } from "./apply-changes.ts";
import { judgeChanges, selectWarnings, type ChangeRules } from "./changes/judge-changes.ts";
import { foldChanges } from "./changes/fold-changes.ts";
import { foldJournal } from "./changes/net-rows.ts";
import { readJournal } from "./changes/read-journal.ts";
import { completeOutcome } from "./run-tool.ts";
import { findChangedSince } from "./undo/find-conflicts.ts";
import { explainFinal, findEffects, markUndone } from "./undo/find-effects.ts";
import { restoreRows } from "./undo/restore-rows.ts";
import { loadUndoTables } from "./undo/undo-tables.ts";
import { wordConflicts, wordRefusal } from "./undo/word-conflicts.ts";

/** Effects to take back. */
export interface UndoRequest {
  readonly userId: string;
  /** The undo's own identity: it is an effect like any other, and can be taken back itself. */
  readonly effect: EffectIdentity;
  /** Numbers of effects of the identity's thread; empty for all of its last turn that wrote. */
  readonly effectIds: readonly number[];
  readonly refs: RefBook;
  readonly rules: ChangeRules;
  /** Days for which effects can be taken back. */
  readonly journalDays: number;
}

/** Result of an undo: `refused` has changed nothing. */
export type UndoResult =
  | {
      readonly kind: "undone";
      readonly effectId: number;
      /** Rows that came back (`created`), are gone again (`deleted`), or are as they were (`updated`). */
      readonly outcome: ToolOutcome;
    }
  /** Why not, as a clause that names rows by their labels. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Takes effects back: makes every row that they changed as it was before them, all of it or nothing.
 * A row that has been changed since refuses it, and so does a check of the domain. Runs as the
 * administrator, under row-level security and the thread's lease, once for an effect key.
 *
 * @throws LeaseLostError.
 */
export async function undoEffects(userData: UserData, request: UndoRequest): Promise<UndoResult> {
  try {
    const { effectId, result } = await userData.restore(
      request.userId,
      request.effect,
      (tx, undoId) => undo(tx, undoId, request),
    );
    return { kind: "undone", effectId, outcome: ToolOutcomeSchema.parse(result) };
  } catch (error) {
    if (error instanceof UndoRefused) return { kind: "refused", reason: error.message };
    throw error;
  }
}

/** Rolls the undo back. */
class UndoRefused extends Error {
  override readonly name = "UndoRefused";
}

async function undo(
  tx: Queryable,
  undoId: number,
  { effect, effectIds: wanted, refs, rules, journalDays }: UndoRequest,
): Promise<ToolOutcome> {
  const { entityTypes } = rules;
  const effects = await findEffects(tx, {
    threadId: effect.threadId,
    effectIds: wanted,
    journalDays,
  });
  const final = explainFinal(effects, { effectIds: wanted, journalDays });
  if (final !== null) throw new UndoRefused(final);
  const effectIds = effects.map(({ effectId }) => effectId);
  const tables = await loadUndoTables(tx, effectIds);
  const changed = await findChangedSince(tx, { effectIds, tables });
  if (changed.length > 0) throw new UndoRefused(await wordConflicts(tx, changed, entityTypes));
  const restoring = await restoreRows(tx, { effectIds, tables }, undoId);
  switch (restoring.kind) {
    case "failed":
      throw new UndoRefused(await wordConflicts(tx, restoring.conflicts, entityTypes));
    case "refused":
      throw new UndoRefused(wordRefusal(restoring.table, restoring.error, entityTypes));
    case "restored":
      break;
    default:
      restoring satisfies never;
  }
  const net = foldJournal(await readJournal(tx, [undoId]));
  const changes = await foldChanges(tx, net, { entityTypes, refs, named: new Set() });
  const verdicts = await judgeChanges(tx, changes, { origin: "undo", rules });
  const breaches = verdicts.filter(({ kind }) => kind === "breach");
  if (breaches.length > 0) {
    throw new UndoRefused(breaches.map(({ reason, rule }) => `${reason} (${rule})`).join("; "));
  }
  await markUndone(tx, effects, undoId);
  const versions = new Map(net.map(({ key, after }) => [key, after?.["row_version"]]));
  const writes = changes.map((change) => toWrite(change, { versions, drafts: new Map() }));
  const warnings = selectWarnings(verdicts);
  const outcome = { reads: [], text: null, writes, failures: [], warnings };
  return completeOutcome(tx, outcome, { entityTypes });
}
