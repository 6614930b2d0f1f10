import { createRefBook } from "../../registry/ref-book.ts";
import type { Registry } from "../../state/registry.ts";
import { requireRun } from "../require-run.ts";
import type { Round } from "./round.ts";

/** Builds what a tool is given of the turn that it runs in. */
export function buildToolContext(
  { state, io }: Round,
  registry: Registry,
  effectKey: string | null = null,
) {
  const { userId, threadId, today, timeZone } = requireRun(state);
  const refs = createRefBook(registry);
  return { userId, threadId, today, timeZone, refs, signal: io.signal, effectKey };
}

/** Returns an effect with the turn that has it, as it is stored. */
export function placeEffect<T extends object>({ state, io }: Round, effect: T) {
  const { threadId, runId } = requireRun(state);
  return { ...effect, threadId, turn: state.turn, runId, lease: io.lease };
}
