import { createHash } from "node:crypto";
import type { Json } from "../../state/json.ts";
import type { PendingCall } from "../../state/step.ts";
import type { TurnContext } from "../../state/turn.ts";

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
  const digest = createHash("sha256")
    .update(inKeyOrder([tool, args]))
    .digest("hex");
  return `${effectKey}/${digest.slice(0, 16)}`;
}

/** As JSON, whatever order a database has put the keys in. */
function inKeyOrder(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
