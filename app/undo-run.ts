import { undoEffects } from "../domain/undo.ts";
import { createRefBook } from "../registry/ref-book.ts";
import { EMPTY_REGISTRY } from "../registry/entries.ts";
import type { UndoEffectsOfRun } from "../worker/rollback.ts";
import type { Domain } from "../state/domain.ts";
import type { Limits } from "../state/limits.ts";
import type { UserData } from "../state/store.ts";

interface UndoParts {
  readonly domain: Pick<Domain, "entityTypes" | "tools">;
  readonly storage: { readonly database: { readonly userData: UserData } };
  readonly limits: Pick<Limits, "journalDays">;
}

/**
 * Makes what undoes the effects of a run that is rolled back. No check of the domain is asked: what
 * was there before the run is there again.
 */
export function createUndoOfRun({ domain, storage, limits }: UndoParts): UndoEffectsOfRun {
  return async ({ userId, threadId, lease, runId, effectIds }) => {
    const { kind } = await undoEffects(storage.database.userData, {
      userId,
      effect: {
        key: `${threadId}/rollback/${runId}`,
        threadId,
        turn: null,
        runId: null,
        origin: "undo",
        tool: "rollback",
        lease,
      },
      effectIds,
      confirmedHash: null,
      tools: domain.tools,
      run: {
        userId,
        threadId,
        today: new Date().toISOString().slice(0, 10),
        timeZone: "UTC",
        refs: createRefBook(EMPTY_REGISTRY),
        signal: null,
        effectKey: null,
      },
      rules: {
        entityTypes: domain.entityTypes,
        checks: [],
        facts: { constraints: [], profile: {}, today: "", turn: null },
        onCheckFailure: () => undefined,
      },
      journalDays: limits.journalDays,
    });
    return kind === "undone";
  };
}
