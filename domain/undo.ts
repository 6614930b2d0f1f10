import type { Change, Verdict } from "../state/change.ts";
import type { EntityType } from "../state/entity.ts";
import type { EffectIdentity, Queryable, UserData } from "../state/store.ts";
import { ToolInputError, ToolOutcomeSchema, type ToolOutcome } from "../state/tool.ts";
import { toWrites } from "./apply-changes.ts";
import { countUndescribed } from "./changes/count-undescribed.ts";
import { foldChanges } from "./changes/fold-changes.ts";
import { hashChanges } from "./changes/hash-changes.ts";
import {
  judgeChanges,
  listBreaches,
  selectWarnings,
  type ChangeRules,
} from "./changes/judge-changes.ts";
import { placeRow } from "./changes/list-owners.ts";
import { foldJournal, type NetRow } from "./changes/net-rows.ts";
import { loadLabels, type RowLabels } from "./changes/load-labels.ts";
import { readJournal } from "./changes/read-journal.ts";
import { keepOrRollBack } from "./keep-or-roll-back.ts";
import { completeOutcome } from "./run-tool.ts";
import { findChangedSince } from "./undo/find-conflicts.ts";
import {
  describeReach,
  explainFinal,
  findEffects,
  markUndone,
  type StoredEffect,
} from "./undo/find-effects.ts";
import { leaveOut } from "./undo/leave-out.ts";
import { runUndoHandlers, type RunHandlers, type UndoTools } from "./undo/run-handlers.ts";
import { restoreRows } from "./undo/restore-rows.ts";
import { loadUndoTables } from "./undo/undo-tables.ts";
import {
  wordConflicts,
  wordPartly,
  wordRefusal,
  type ConflictWords,
} from "./undo/word-conflicts.ts";

/** Effects to take back. */
export interface UndoRequest extends UndoTools {
  readonly userId: string;
  /** The undo's own identity: it is an effect like any other, and can be taken back itself. */
  readonly effect: EffectIdentity;
  /** Numbers of effects of the identity's thread; empty for all of its last turn that wrote. */
  readonly effectIds: readonly number[];
  /** True with no numbers: takes back an undo, where that is the newest change. */
  readonly isRedo?: boolean;
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
 * Effects of a tool with an undo handler are left to that. Where a row has been changed since, the
 * rest is tried without it and offered; only what the person has said yes to is kept. A check of the
 * domain refuses it all. Runs as the administrator, under row-level security and the thread's lease,
 * once for an effect key.
 *
 * @throws LeaseLostError.
 */
export async function undoEffects(userData: UserData, request: UndoRequest): Promise<UndoResult> {
  try {
    return await keepOrRollBack<UndoResult>(async (rollBack) => {
      const { userId, effect } = request;
      const { effectId, result } = await userData.restore(userId, effect, async (tx, undoId) => {
        const undone = await undo(tx, await undoId, request);
        return "kind" in undone ? rollBack(undone) : undone;
      });
      return { kind: "undone", effectId, outcome: ToolOutcomeSchema.parse(result) };
    });
  } catch (error) {
    if (error instanceof ToolInputError) return { kind: "refused", reason: error.message };
    throw error;
  }
}

/** Result of an undo whose changes are taken back. */
type NotUndone = Exclude<UndoResult, { readonly kind: "undone" }>;

/** Takes the effects back and returns what changed, or why that is not kept. */
async function undo(
  tx: Queryable,
  undoId: number,
  request: UndoRequest,
): Promise<ToolOutcome | NotUndone> {
  const { effect, effectIds: wanted, isRedo = false, tools, run, rules, journalDays } = request;
  const { entityTypes } = rules;
  const { threadId } = effect;
  const effects = await findEffects(tx, { threadId, effectIds: wanted, isRedo, journalDays });
  const final = explainFinal(effects, { effectIds: wanted, journalDays });
  if (final !== null) return refuseUndo(final);
  const handled = await runUndoHandlers(tx, { effects, tools, run, undoId, entityTypes });
  const words = { entityTypes, timeZone: run.timeZone };
  const conflicts = await leaveOutChanged(tx, handled.effectIds, words);
  const { obstacle, notes } = await restoreLeft(tx, { ...handled, undoId }, words);
  // Where the rest cannot be undone either, the rows that were changed since are the reason.
  if (obstacle !== null) return refuseUndo(conflicts ?? obstacle);
  const undone = await readUndone(tx, undoId, request);
  const breaches = listBreaches(undone.verdicts);
  if (breaches.length > 0) {
    const reasons = breaches.map(({ reason, rule }) => `${reason} (${rule})`);
    return refuseUndo(conflicts ?? reasons.join("; "));
  }
  const rest = await findUnconfirmed(tx, { effects, conflicts, undone }, request);
  if (rest !== null) return rest;
  await markUndone(tx, effects, undoId);
  const outcome = await describeUndone(tx, { effects, undone }, entityTypes);
  const reach = describeReach(effects, { effectIds: wanted, turn: effect.turn });
  return { ...outcome, warnings: [...outcome.warnings, ...notes, ...reach] };
}

function refuseUndo(reason: string): NotUndone {
  return { kind: "refused", reason };
}

interface LeftEffects extends RunHandlers {
  readonly undoId: number;
}

interface RestoredRows {
  /** Null where the rows are back. */
  readonly obstacle: string | null;
  /** Values that the database has set again. */
  readonly notes: readonly string[];
}

/** Makes the rows as they were before the effects that are left to the journal; returns what stands in the way. */
async function restoreLeft(
  tx: Queryable,
  { effectIds, lastSeq, undoId }: LeftEffects,
  words: ConflictWords,
): Promise<RestoredRows> {
  const tables = await loadUndoTables(tx, effectIds);
  const restoring = await restoreRows(tx, { effectIds, tables }, { undoId, after: lastSeq });
  switch (restoring.kind) {
    case "failed":
      return { obstacle: await wordConflicts(tx, restoring.conflicts, words), notes: [] };
    case "refused": {
      const refused = { effectIds, refused: restoring };
      return { obstacle: await wordRefusal(tx, refused, words.entityTypes), notes: [] };
    }
    case "restored":
      return { obstacle: null, notes: wordPartly(restoring.partly, words) };
    default:
      return restoring satisfies never;
  }
}

/** The changes that an undo has made, and what the checks say of them. */
interface UndoneChanges {
  readonly net: readonly NetRow[];
  readonly changes: readonly Change[];
  readonly verdicts: readonly Verdict[];
}

async function readUndone(
  tx: Queryable,
  undoId: number,
  { run, rules }: UndoRequest,
): Promise<UndoneChanges> {
  const { entityTypes } = rules;
  const net = foldJournal(await readJournal(tx, [undoId]));
  const changes = await foldChanges(tx, net, { entityTypes, refs: run.refs, named: new Set() });
  const verdicts = await judgeChanges(tx, changes, { origin: "undo", rules });
  return { net, changes, verdicts };
}

interface AttemptedUndo {
  readonly effects: readonly StoredEffect[];
  readonly conflicts: string | null;
  readonly undone: UndoneChanges;
}

/** Offers the undo of the rest where the person has not said yes to exactly that; null where nothing needs a yes. */
async function findUnconfirmed(
  tx: Queryable,
  { effects, conflicts, undone: { changes } }: AttemptedUndo,
  { confirmedHash, rules: { entityTypes } }: UndoRequest,
): Promise<NotUndone | null> {
  if (conflicts !== null && changes.length === 0) return refuseUndo(conflicts);
  const changesHash = hashChanges(changes, entityTypes);
  const needsYes = conflicts !== null || confirmedHash !== null;
  if (!needsYes || confirmedHash === changesHash) return null;
  const effectIds = effects.map(({ effectId }) => effectId);
  const labels = await loadLabels(tx, changes, entityTypes);
  return { kind: "unconfirmed", rest: { effectIds, conflicts, changes, changesHash, labels } };
}

async function describeUndone(
  tx: Queryable,
  { effects, undone: { net, changes, verdicts } }: Pick<AttemptedUndo, "effects" | "undone">,
  entityTypes: readonly EntityType[],
): Promise<ToolOutcome> {
  const writes = toWrites(changes, { net, drafts: new Map() }, entityTypes);
  const warnings = selectWarnings(verdicts);
  const undescribed = await countUndone(tx, { effects, net, changes }, entityTypes);
  const outcome = { reads: [], text: null, writes, undescribed, failures: [], warnings };
  return completeOutcome(tx, outcome, { entityTypes });
}

interface UndoneRows extends Pick<UndoneChanges, "net" | "changes"> {
  readonly effects: readonly StoredEffect[];
}

/** Counts the rows that are back and that no entity type describes, without those that had only followed. */
async function countUndone(
  tx: Queryable,
  { effects, net, changes }: UndoneRows,
  entityTypes: readonly EntityType[],
): Promise<number> {
  const quiet = effects.filter(({ undescribed }) => undescribed === 0);
  const journal = await readJournal(
    tx,
    quiet.map(({ effectId }) => effectId),
  );
  const followed = new Set(journal.map(placeRow));
  return countUndescribed(
    net.filter((row) => !followed.has(placeRow(row))),
    changes,
    entityTypes,
  );
}

/** Leaves the rows out that have been changed since, and words them; null where there are none. */
async function leaveOutChanged(
  tx: Queryable,
  effectIds: readonly number[],
  words: ConflictWords,
): Promise<string | null> {
  const tables = await loadUndoTables(tx, effectIds);
  const conflicts = await findChangedSince(tx, { effectIds, tables });
  if (conflicts.length === 0) return null;
  const worded = await wordConflicts(tx, conflicts, words);
  await leaveOut(tx, { effectIds, conflicts, entityTypes: words.entityTypes });
  return worded;
}
