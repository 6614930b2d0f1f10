import { randomUUID } from "node:crypto";
import { undoEffects, type UndoRequest, type UndoResult } from "../../domain/undo.ts";
import type { ChangeRules } from "../../domain/changes/judge-changes.ts";
import type { UserData } from "../../state/store.ts";
import { testEffect } from "./effect.ts";
import { TODAY } from "./kitchen.ts";
import { createRefBook } from "./ref-book.ts";

/** Effects of a person, in the thread of the person's kitchen. */
export interface UndoneEffects
  extends
    Pick<UndoRequest, "effectIds">,
    Pick<ChangeRules, "entityTypes">,
    Partial<Pick<UndoRequest, "userId" | "tools">>,
    Partial<Pick<ChangeRules, "checks">> {
  readonly confirmedHash?: string;
  readonly threadId?: string;
  /** Key of the undo itself. Default: a new one. */
  readonly key?: string;
}

/** Takes effects back; without more, Ann's in a domain without checks and tools. */
export function undoInKitchen(userData: UserData, undone: UndoneEffects): Promise<UndoResult> {
  const {
    entityTypes,
    effectIds,
    userId = "ann",
    threadId = "kitchen",
    key = randomUUID(),
  } = undone;
  return undoEffects(userData, {
    userId,
    effect: { ...testEffect(key, threadId), origin: "undo" },
    effectIds,
    confirmedHash: undone.confirmedHash ?? null,
    tools: undone.tools ?? [],
    run: {
      userId,
      threadId,
      today: TODAY,
      timeZone: "Europe/Berlin",
      refs: createRefBook(entityTypes),
      signal: null,
      effectKey: null,
    },
    rules: {
      entityTypes,
      checks: undone.checks ?? [],
      facts: { constraints: [], profile: {}, today: TODAY, turn: null },
      onCheckFailure: () => undefined,
    },
    journalDays: 30,
  });
}
