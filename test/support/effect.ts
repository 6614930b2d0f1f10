import type { EffectIdentity } from "../../state/store.ts";

/** A write of a test: no lease, no turn. */
export function testEffect(key: string, threadId = "t"): EffectIdentity {
  return { key, threadId, turn: null, runId: null, origin: "tool", tool: "test", lease: null };
}
