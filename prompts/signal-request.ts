import type { EnvelopePart } from "../state/envelope.ts";
import { BATCH_PROMPT_GUIDE } from "./concierge-sections.ts";
import { instancePart } from "./part.ts";

/** The decisions of a concierge that have consequences: to hand over, to begin the plan, to ask for help with a step. */
export type SignalKind = "handover" | "workflow" | "step-help";

const REQUESTS = {
  handover:
    "They have your answer. For the one who takes over, write down your reading of them: what was meant more than what was said. It is meant unless they have told nothing yet.",
  workflow: [
    "They have your answer. Does the plan begin now? Only where they asked for it or committed to it. If so, hand over what is known, and write the prompt for the experts.",
    BATCH_PROMPT_GUIDE,
  ].join("\n\n"),
  "step-help": [
    "They have your answer. Are the experts to be asked about a step? After a new plan about Step 1; later only for a blocker that truly needs several perspectives. If so, write the prompt for them.",
    BATCH_PROMPT_GUIDE,
  ].join("\n\n"),
} as const satisfies Readonly<Record<SignalKind, string>>;

/**
 * Asks a small model, after its answer, for what others write as a control block at its end. Pinned
 * by `test/golden/signal-*.md`.
 */
export function buildSignalRequest(kind: SignalKind): EnvelopePart[] {
  return [instancePart("signal-request", `prompt:signal-${kind}`, REQUESTS[kind])];
}
