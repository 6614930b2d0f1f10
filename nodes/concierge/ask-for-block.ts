import { buildBlockRequest, type BlockFault } from "../../prompts/explorer.ts";
import { parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import type { BatchSignal } from "../../state/signal.ts";
import type { TurnState } from "../../state/turn.ts";
import { askForText, type Asked } from "../ask/ask-model.ts";
import { asPromptMessage } from "./concierge-thread.ts";
import { collectTypedMessages } from "./instance.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import type { ConciergeReply } from "./speak-as-concierge.ts";

interface AskForBlockAgainOptions {
  readonly phase: "starter" | "explorer";
  readonly reply: ConciergeReply;
  readonly fault: BlockFault;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Asks a concierge once more for a WORKFLOW block that could not be read or is missing. The person sees nothing
 * of it, and the thread does not keep it.
 */
export async function askForBlockAgain(
  state: TurnState,
  facts: AskForBlockAgainOptions,
): Promise<{ readonly signal: BatchSignal | null } & Pick<Asked<string>, "calls" | "notices">> {
  const { phase, reply, fault, services, io } = facts;
  const asked = await askForText(
    {
      node: phase,
      role: "concierge",
      run: requireRun(state),
      turn: state.turn,
      parts: buildBlockRequest(fault),
      required: ["block-request"],
      before: reply.thread.messages.map(asPromptMessage),
      thread: [],
      maxOutputTokens: services.limits.conciergeOutputTokens,
    },
    { onText: null, services, io },
  );
  const { calls, notices } = asked;
  if (asked.kind === "failed") return { signal: null, calls, notices };
  return {
    signal: parseBatchSignal(asked.value, { typed: collectTypedMessages(state) }),
    calls,
    notices,
  };
}
