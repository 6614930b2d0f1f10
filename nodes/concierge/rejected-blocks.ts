import { diagnoseBatchSignal, parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import { readBlocks } from "../../control-blocks/gate.ts";
import { diagnoseIntentHandover } from "../../control-blocks/intent-handover.ts";
import type { Phase } from "../../state/phase.ts";
import type { Notice } from "../../state/turn-summary.ts";

/** The control block that the concierge of each phase may write. */
const SIGNALS = { starter: "HANDOVER", explorer: "WORKFLOW", executor: "STEP_HELP" } as const;

/** Returns a notice for each control block that was hidden and not acted on, with the reason. */
export function rejectedBlocks(
  phase: Phase,
  raw: string,
  { typed }: { readonly typed: readonly string[] },
): Notice[] {
  const kinds = new Set(readBlocks(raw).blocks.map(({ kind }) => kind));
  const own = SIGNALS[phase];
  const note = (what: string, why: string): Notice => ({
    node: phase,
    code: "signal-ignored",
    text: `A ${what} block was hidden and not acted on: ${why}`,
  });
  const notices: Notice[] = [];
  if (kinds.has("HANDOVER")) {
    const problem =
      own === "HANDOVER" ? diagnoseIntentHandover(raw, { typed }) : `not the ${phase}'s to write`;
    if (problem !== null) notices.push(note("HANDOVER", problem));
  }
  if (kinds.has("BATCH")) {
    const { type } = parseBatchSignal(raw, { typed });
    const problem =
      type === own || type === null
        ? diagnoseBatchSignal(raw, { typed })
        : `not the ${phase}'s to write`;
    if (problem !== null) notices.push(note(type ?? "BATCH", problem));
  }
  return notices;
}
