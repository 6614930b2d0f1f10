import { randomUUID } from "node:crypto";
import { undoEffects, type UndoResult } from "../../domain/undo.ts";
import type { EntityType } from "../../state/entity.ts";
import type { UserData } from "../../state/store.ts";
import { testEffect } from "./effect.ts";
import { TODAY } from "./kitchen.ts";
import { createRefBook } from "./ref-book.ts";

/** Effects of Ann, in the thread of her kitchen. */
export interface UndoneEffects {
  readonly entityTypes: readonly EntityType[];
  readonly effectIds: readonly number[];
  readonly confirmedHash?: string;
}

/** Takes effects back in a domain without checks and tools. */
export function undoForAnn(
  userData: UserData,
  { entityTypes, effectIds, confirmedHash }: UndoneEffects,
): Promise<UndoResult> {
  return undoEffects(userData, {
    userId: "ann",
    effect: { ...testEffect(randomUUID(), "kitchen"), origin: "undo" },
    effectIds,
    confirmedHash: confirmedHash ?? null,
    tools: [],
    run: {
      userId: "ann",
      threadId: "kitchen",
      today: TODAY,
      timeZone: "Europe/Berlin",
      refs: createRefBook(entityTypes),
      signal: null,
      effectKey: null,
    },
    rules: {
      entityTypes,
      checks: [],
      facts: { constraints: [], profile: {}, today: TODAY, turn: null },
      onCheckFailure: () => undefined,
    },
    journalDays: 30,
  });
}
