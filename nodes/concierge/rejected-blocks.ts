import { diagnoseBatchSignal, parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { readBlocks } from "../../control-blocks/gate.ts";
import { diagnoseIntentHandover } from "../../control-blocks/intent-handover.ts";
import type { Phase } from "../../state/phase.ts";
import type { Notice } from "../../state/turn-summary.ts";

/** The control blocks that a concierge may write in an answer. */
export type AllowedBlock = "HANDOVER" | "WORKFLOW" | "STEP_HELP";

export interface RejectedBlocksOptions {
  readonly typed: readonly string[];
  readonly allowed: readonly AllowedBlock[];
}

/** Returns a notice for each control block that was hidden and not acted on, with the reason. */
export function rejectedBlocks(
  phase: Phase,
  raw: string,
  { typed, allowed }: RejectedBlocksOptions,
): Notice[] {
  const kinds = new Set(readBlocks(raw).blocks.map(({ kind }) => kind));
  const note = (what: string, why: string): Notice => ({
    node: phase,
    code: "signal-ignored",
    text: `A ${what} block was hidden and not acted on: ${why}`,
  });
  const notices: Notice[] = [];
  if (kinds.has("HANDOVER")) {
    const problem = allowed.includes("HANDOVER")
      ? diagnoseIntentHandover(raw, { typed })
      : `not the ${phase}'s to write now`;
    if (problem !== null) notices.push(note("HANDOVER", problem));
  }
  if (kinds.has("BATCH")) {
    const { type } = parseBatchSignal(raw, { typed });
    const problem =
      type === null || allowed.includes(type)
        ? diagnoseBatchSignal(raw, { typed })
        : `not the ${phase}'s to write now`;
    if (problem !== null) notices.push(note(type ?? "BATCH", problem));
  }
  return notices;
}
