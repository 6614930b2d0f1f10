import type { StepResult } from "../../state/step.ts";
import type { NodeIO } from "../node.ts";

/** Announces the steps that have ended between two rounds. */
export function emitEnds(
  before: readonly StepResult[],
  after: readonly StepResult[],
  io: NodeIO,
): void {
  for (const result of after) {
    const was = before[result.step]?.status ?? "open";
    if (was !== "open" || result.status === "open" || result.status === "skipped") continue;
    io.emit({
      type: "step-end",
      index: result.step,
      status: result.status,
      outcome: result.outcome,
      refs: [...result.refs],
      warnings: [...result.warnings],
    });
  }
}
