import type { Json } from "../../state/json.ts";
import type { RunEvent } from "../../state/run.ts";
import type { NewRun } from "../../storage/runs/runs.ts";

/** A run that asks for nothing special. */
export function newRun(
  named: Pick<NewRun, "runId" | "threadId" | "messageId"> & Partial<NewRun>,
): NewRun {
  return {
    multitaskStrategy: "enqueue",
    streamModes: [],
    trace: false,
    metadata: {},
    kwargs: {},
    ...named,
  };
}

/** One of the turn's own events. */
export function runEvent(data: Json, seq = 1): RunEvent {
  return { seq, mode: "custom", namespace: [], data };
}
