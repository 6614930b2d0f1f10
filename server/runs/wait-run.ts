import { withInterrupts } from "../../graph/interrupts.ts";
import type { Json } from "../../state/json.ts";
import type { RunRecord } from "../../state/run.ts";
import type { RouteParts } from "../parts.ts";
import { toProblem } from "../problems.ts";
import { describeFailure } from "../protocol/frames.ts";
import { readPublicState } from "../threads/read-state.ts";
import { awaitRun } from "./stream-run.ts";

/**
 * Waits for a run's end and yields its outcome: the thread's values, or `{ __error__ }`, as
 * LangGraph's clients expect it. Never rejects; yields nothing once the client has left.
 */
export async function* streamOutcome(
  parts: Pick<RouteParts, "feed" | "graph" | "log" | "now">,
  run: RunRecord,
  signal: AbortSignal,
): AsyncGenerator<string> {
  try {
    const ended = await awaitRun(parts, run, signal);
    if (signal.aborted) return;
    yield JSON.stringify(await readOutcome(parts, run, ended));
  } catch (error) {
    const { code, message } = toProblem(error);
    if (code === "internal") parts.log.error(error, `Waiting for run ${run.runId} failed`);
    yield JSON.stringify({ __error__: { error: code, message } });
  }
}

async function readOutcome(
  parts: Pick<RouteParts, "graph" | "now">,
  run: RunRecord,
  ended: RunRecord | null,
): Promise<Json> {
  const failure = describeFailure(ended);
  if (failure !== null) return { __error__: failure };
  const state = await readPublicState(parts, run.threadId);
  return state === null ? {} : withInterrupts(state.values, state.interrupts);
}
