import { z } from "zod";
import { undoEffects } from "../../domain/undo.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import type { Registry } from "../../state/registry.ts";
import type { PendingCall } from "../../state/step.ts";
import type { TurnContext } from "../../state/turn.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { requireRun } from "../require-run.ts";
import { collectRules } from "./breaches.ts";
import type { CallDone } from "./domain-call.ts";
import { mintEffectKey } from "./effect-key.ts";
import type { Round } from "./round.ts";

const UndoArgsSchema = z.object({ effects: z.array(z.string()) });

/** The undo that the person asks for, decided by code. */
export function decideUndoCall(
  undo: NonNullable<UnderstandAnswer["undo"]>,
  { run, turn }: { readonly run: TurnContext; readonly turn: number },
): PendingCall {
  return {
    step: 0,
    call: 1,
    callId: "undo_1",
    tool: "undo",
    args: undo,
    argsError: null,
    effectKey: mintEffectKey(run, { turn, step: "undo", call: 1 }),
  };
}

/** Takes back the effects that a call names, or those of the last turn that wrote. */
export async function runUndo(
  { args, effectKey }: PendingCall,
  { state, services, io }: Round,
  registry: Registry,
): Promise<CallDone> {
  const { userId, threadId, runId } = requireRun(state);
  const { effects } = UndoArgsSchema.parse(args);
  const result = await undoEffects(services.userData, {
    userId,
    effect: {
      key: effectKey,
      threadId,
      turn: state.turn,
      runId,
      origin: "undo",
      tool: "undo",
      lease: io.lease,
    },
    effectIds: effects.map(readEffectId),
    refs: createRefBook(registry),
    rules: await collectRules(state, services, io),
    journalDays: services.limits.journalDays,
  });
  switch (result.kind) {
    case "undone":
      return { kind: "outcome", outcome: result.outcome, effectId: result.effectId };
    case "refused":
      return { kind: "refused", reason: result.reason, breaches: [] };
    default:
      return result satisfies never;
  }
}

/** A text that is no ref gives the number of no effect: the last change is undone only where none is named. */
function readEffectId(ref: string): number {
  return Number(/^e(\d{1,15})$/u.exec(ref)?.[1] ?? 0);
}
