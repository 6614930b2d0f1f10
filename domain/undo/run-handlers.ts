import type { Change } from "../../state/change.ts";
import type { Tool, UndoHandler } from "../../state/domain.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import { ToolInputError } from "../../state/tool.ts";
import { findForbidden } from "../changes/check-rights.ts";
import { foldChanges } from "../changes/fold-changes.ts";
import { foldJournal } from "../changes/net-rows.ts";
import { readJournal, type JournalRow } from "../changes/read-journal.ts";
import { openToolRun, type ToolRunParts } from "../tool-run.ts";
import type { StoredEffect } from "./find-effects.ts";

/** Tools whose effects may be taken back, and the context that their undo handlers run in. */
export interface UndoTools {
  readonly tools: readonly Tool[];
  readonly run: Omit<ToolRunParts, "tx" | "entityTypes">;
}

interface HandlerOptions extends UndoTools {
  readonly effects: readonly StoredEffect[];
  readonly undoId: number;
  readonly entityTypes: readonly EntityType[];
}

/** The effects that are left to the journal, and the last row of it that a handler has caused. */
export interface RunHandlers {
  readonly effectIds: readonly number[];
  readonly lastSeq: number;
}

/**
 * Takes those effects back whose tools do so themselves, the newest first.
 *
 * @throws ToolInputError where a handler refuses, leaves a row undone, or changes what its tool may not.
 */
export async function runUndoHandlers(
  tx: Queryable,
  { effects, tools, run, undoId, entityTypes }: HandlerOptions,
): Promise<RunHandlers> {
  const fold = (journal: readonly JournalRow[]): Promise<Change[]> =>
    foldChanges(tx, foldJournal(journal), { entityTypes, refs: run.refs, named: new Set() });
  const effectIds: number[] = [];
  let lastSeq = 0;
  for (const { effectId, tool: name } of effects.toReversed()) {
    const tool = tools.find((candidate) => candidate.name === name);
    const handler = findHandler(tool);
    if (tool === undefined || handler === null) {
      effectIds.unshift(effectId);
      continue;
    }
    const toolRun = openToolRun({ ...run, tx, entityTypes });
    await handler({ changes: await fold(await readJournal(tx, [effectId])) }, toolRun);
    const [failure] = toolRun.failures;
    if (failure !== undefined) throw new ToolInputError(`${failure.label}: ${failure.reason}`);
    const before = lastSeq;
    const own = (await readJournal(tx, [undoId])).filter(({ seq }) => seq > before);
    lastSeq = own.at(-1)?.seq ?? lastSeq;
    const forbidden = findForbidden(await fold(own), { tool, entityTypes, isGenerated: false });
    if (forbidden.length > 0) throw new ToolInputError(forbidden.join("; "));
  }
  return { effectIds, lastSeq };
}

function findHandler(tool: Tool | undefined): UndoHandler | null {
  return typeof tool?.undo === "function" ? tool.undo : null;
}
