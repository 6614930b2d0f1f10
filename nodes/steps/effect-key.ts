import { hashJson } from "../../domain/changes/hash-changes.ts";
import type { PendingCall } from "../../state/step.ts";
import type { TurnContext } from "../../state/turn.ts";

/** A turn, and the run that plays it. */
export interface RunTurn {
  readonly run: TurnContext;
  readonly turn: number;
}

interface MintEffectKeyOptions {
  readonly turn: number;
  readonly step: string;
  readonly call: number;
}

/**
 * Mints the key of a decided call: `thread/turn/run/step/call`. The run tells two branches of a
 * thread apart that both have a turn of that number.
 */
export function mintEffectKey(
  { threadId, runId }: Pick<TurnContext, "threadId" | "runId">,
  place: MintEffectKeyOptions,
): string {
  return `${threadId}/${place.turn}/${runId}/${place.step}/${place.call}`;
}

/**
 * The key that a write is applied under: that of its call, and what it does. The same call has the
 * same key however often it is carried out; one that was decided another way in its place, by going
 * back to an earlier state, has another.
 */
export function deriveEffectKey({
  effectKey,
  tool,
  args,
}: Pick<PendingCall, "effectKey" | "tool" | "args">): string {
  const digest = hashJson([tool, args]);
  return `${effectKey}/${digest.slice(0, 16)}`;
}
