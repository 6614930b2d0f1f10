import type { Change } from "../state/change.ts";
import type { EntityType } from "../state/entity.ts";
import type { EffectIdentity, Queryable, UserData } from "../state/store.ts";
import { ToolInputError, ToolOutcomeSchema, type ToolOutcome } from "../state/tool.ts";
import { toWrite } from "./apply-changes.ts";
import { foldChanges } from "./changes/fold-changes.ts";
import { hashChanges } from "./changes/hash-changes.ts";
import { judgeChanges, selectWarnings, type ChangeRules } from "./changes/judge-changes.ts";
import { foldJournal } from "./changes/net-rows.ts";
import { loadLabels, type RowLabels } from "./changes/load-labels.ts";
import { readJournal } from "./changes/read-journal.ts";
import { completeOutcome } from "./run-tool.ts";
import { findChangedSince } from "./undo/find-conflicts.ts";
import { explainFinal, findEffects, markUndone } from "./undo/find-effects.ts";
import { leaveOut } from "./undo/leave-out.ts";
import { runUndoHandlers, type UndoTools } from "./undo/run-handlers.ts";
import { restoreRows } from "./undo/restore-rows.ts";
import { loadUndoTables } from "./undo/undo-tables.ts";
import { wordConflicts, wordRefusal } from "./undo/word-conflicts.ts";

/** Effects to take back. */
export interface UndoRequest extends UndoTools {
  readonly userId: string;
  /** The undo's own identity: it is an effect like any other, and can be taken back itself. */
  readonly effect: EffectIdentity;
  /** Numbers of effects of the identity's thread; empty for all of its last turn that wrote. */
  readonly effectIds: readonly number[];
  /** The changes that the person has said yes to, as `hashChanges` has them; null where nobody was asked. */
  readonly confirmedHash: string | null;
  readonly rules: ChangeRules;
  /** Days for which effects can be taken back. */
  readonly journalDays: number;
}

/** Rows have been changed since; the rest can be taken back without them, once the person says yes. */
export interface PartialUndo {
  readonly effectIds: readonly number[];
  /** The rows that would stay, as a clause that names them by their labels; null where there are none by now. */
  readonly conflicts: string | null;
  /** The changes that the undo of the rest would make, and the hash of them. */
  readonly changes: readonly Change[];
  readonly changesHash: string;
  /** Labels of the rows that the changed ones point at. */
  readonly labels: RowLabels;
}

/** Result of an undo: only `undone` has changed anything. */
export type UndoResult =
  | {
      readonly kind: "undone";
      readonly effectId: number;
      /** Rows that came back (`created`), are gone again (`deleted`), or are as they were (`updated`). */
      readonly outcome: ToolOutcome;
    }
  | { readonly kind: "unconfirmed"; readonly rest: PartialUndo }
  /** Why not, as a clause that names rows by their labels. */
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Takes effects back: makes every row that they changed as it was before them, all of it or nothing.
 * Effects of a tool with an undo handler are left to that.
 * Where a row has been changed since, the rest is tried without it and offered; only what the person
 * has said yes to is kept. A check of the domain refuses it all. Runs as the administrator, under row-level security and the thread's lease, once for an effect key.
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
    if (error instanceof NotUndone) return error.result;
    if (error instanceof ToolInputError) return { kind: "refused", reason: error.message };
    throw error;
  }
}

/** Rolls the undo back. */
class NotUndone extends Error {
  override readonly name = "NotUndone";
  readonly result: UndoResult;

  constructor(result: UndoResult) {
    super(`The undo was not kept: ${result.kind}`);
    this.result = result;
  }
}

async function undo(
  tx: Queryable,
  undoId: number,
  { effect, effectIds: wanted, confirmedHash, tools, run, rules, journalDays }: UndoRequest,
): Promise<ToolOutcome> {
  const { entityTypes } = rules;
  const effects = await findEffects(tx, {
    threadId: effect.threadId,
    effectIds: wanted,
    journalDays,
  });
  const final = explainFinal(effects, { effectIds: wanted, journalDays });
  if (final !== null) throw refuseUndo(final);
  const { effectIds, lastSeq } = await runUndoHandlers(tx, {
    effects,
    tools,
    run,
    undoId,
    entityTypes,
  });
  const conflicts = await leaveOutChanged(tx, effectIds, entityTypes);
  // Where the rest cannot be undone either, the rows that were changed since are the reason.
  const refuse = (reason: string) => refuseUndo(conflicts ?? reason);
  const tables = await loadUndoTables(tx, effectIds);
  const restoring = await restoreRows(tx, { effectIds, tables }, { undoId, after: lastSeq });
  switch (restoring.kind) {
    case "failed":
      throw refuse(await wordConflicts(tx, restoring.conflicts, entityTypes));
    case "refused":
      throw refuse(wordRefusal(restoring.table, restoring.error, entityTypes));
    case "restored":
      break;
    default:
      restoring satisfies never;
  }
  const net = foldJournal(await readJournal(tx, [undoId]));
  const changes = await foldChanges(tx, net, { entityTypes, refs: run.refs, named: new Set() });
  const verdicts = await judgeChanges(tx, changes, { origin: "undo", rules });
  const breaches = verdicts.filter(({ kind }) => kind === "breach");
  if (breaches.length > 0) {
    throw refuse(breaches.map(({ reason, rule }) => `${reason} (${rule})`).join("; "));
  }
  if (conflicts !== null && changes.length === 0) throw refuseUndo(conflicts);
  const changesHash = hashChanges(changes, entityTypes);
  if ((conflicts !== null || confirmedHash !== null) && confirmedHash !== changesHash) {
    const ids = effects.map(({ effectId }) => effectId);
    const labels = await loadLabels(tx, changes, entityTypes);
    const rest = { effectIds: ids, conflicts, changes, changesHash, labels };
    throw new NotUndone({ kind: "unconfirmed", rest });
  }
  await markUndone(tx, effects, undoId);
  const versions = new Map(net.map(({ key, after }) => [key, after?.["row_version"]]));
  const writes = changes.map((change) => toWrite(change, { versions, drafts: new Map() }));
  const warnings = selectWarnings(verdicts);
  const outcome = { reads: [], text: null, writes, failures: [], warnings };
  return completeOutcome(tx, outcome, { entityTypes });
}

function refuseUndo(reason: string): NotUndone {
  return new NotUndone({ kind: "refused", reason });
}

/** Leaves the rows out that have been changed since, and words them; null where there are none. */
async function leaveOutChanged(
  tx: Queryable,
  effectIds: readonly number[],
  entityTypes: readonly EntityType[],
): Promise<string | null> {
  const tables = await loadUndoTables(tx, effectIds);
  const conflicts = await findChangedSince(tx, { effectIds, tables });
  if (conflicts.length === 0) return null;
  const worded = await wordConflicts(tx, conflicts, entityTypes);
  await leaveOut(tx, { effectIds, conflicts, entityTypes });
  return worded;
}
