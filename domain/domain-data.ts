import type { Tool } from "../state/domain.ts";
import type { EntityType } from "../state/entity.ts";
import type { RowStore, UserData } from "../state/store.ts";
import type { ToolOutcome, ToolRead } from "../state/tool.ts";
import { applyChanges, type ChangeRequest, type ChangeResult } from "./apply-changes.ts";
import type { DraftContent } from "./changes/draft-changes.ts";
import { checkDrafts, type DraftCheck, type DraftVerdicts } from "./check-drafts.ts";
import { findOutsideChanges, type OutsideLook, type OutsideQuery } from "./find-outside-changes.ts";
import { completeOutcome, runReadTool } from "./run-tool.ts";
import { fetchRows } from "./table-tools/rows.ts";
import type { ToolRunParts } from "./tool-run.ts";
import { undoEffects, type UndoRequest, type UndoResult } from "./undo.ts";

/** A call of a tool that changes nothing. */
export interface ReadRequest {
  readonly tool: Tool;
  /** As the model gave them. */
  readonly args: unknown;
  readonly run: Omit<ToolRunParts, "tx" | "entityTypes">;
}

/** A person's rows as nodes reach them: read, changed, taken back and checked, never by SQL of their own. */
export interface DomainData extends RowStore {
  /** @throws ToolInputError, UnknownRefError for what the model can put right. */
  read(request: ReadRequest): Promise<ToolOutcome>;
  /** @throws ToolInputError, UnknownRefError for what the model can put right; LeaseLostError. */
  apply(request: ChangeRequest): Promise<ChangeResult>;
  /** @throws LeaseLostError. */
  undo(request: UndoRequest): Promise<UndoResult>;
  /** Finds which of the rows that a thread knows something else has changed. */
  findOutsideChanges(userId: string, query: OutsideQuery): Promise<OutsideLook>;
  /** Checks drafts as the creations that saving them would be. */
  judgeDrafts(
    userId: string,
    drafts: readonly DraftContent[],
    check: DraftCheck,
  ): Promise<DraftVerdicts>;
}

/** Makes the data of the domain over the tables of its entity types. */
export function createDomainData(
  userData: UserData,
  entityTypes: readonly EntityType[],
): DomainData {
  return {
    read: ({ tool, args, run }) =>
      userData.read(run.userId, (tx) => runReadTool(tool, args, { ...run, tx, entityTypes })),
    apply: (request) => applyChanges(userData, request),
    undo: (request) => undoEffects(userData, request),
    findOutsideChanges: (userId, query) =>
      findOutsideChanges(userData.reader(userId), query, entityTypes),
    judgeDrafts: (userId, drafts, check) => checkDrafts(userData.reader(userId), drafts, check),
    fetchRows: (userId, wanted, detail) =>
      userData.read(userId, async (tx) => {
        const reads: ToolRead[] = [];
        for (const { type, ids } of wanted) {
          const entityType = entityTypes.find((candidate) => candidate.type === type);
          if (entityType === undefined) continue;
          const rows = await fetchRows(tx, entityType, { ids, detail });
          const found = rows.map(({ id }) => id);
          reads.push({ type, ids: found, rows, detail, total: found.length, suppressed: false });
        }
        const outcome = { reads, text: null, writes: [], failures: [] };
        return completeOutcome(tx, outcome, { entityTypes });
      }),
  };
}
