import type { EventBody } from "../../state/event.ts";
import type { RunEvent } from "../../state/run.ts";

/** The kept events of a run of the thread `t`, numbered from 1: bodies of its first turn's events, or chunks of the graph. */
export function keptEvents(
  bodies: readonly (EventBody | Omit<RunEvent, "seq">)[],
  { runId = "r" }: { readonly runId?: string } = {},
): RunEvent[] {
  return bodies.map((one, index) => {
    const seq = index + 1;
    if ("mode" in one) return { ...one, seq };
    const data = {
      thread: "t",
      turn: 1,
      run: runId,
      seq,
      time: "2026-01-12T12:00:00.000Z",
      ...one,
    };
    return { seq, mode: "custom", namespace: [], data };
  });
}
