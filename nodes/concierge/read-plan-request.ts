import { diagnoseBatchSignal, parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import type { BatchSignal, RequestedBatch } from "../../state/signal.ts";
import type { TurnState } from "../../state/turn.ts";
import { boundExecutionHandover } from "../../summaries/bound-handover.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { renderSentence } from "../../text/sentences.ts";
import { nextReplyId } from "../reply/create-reply.ts";
import { askForBlockAgain } from "./ask-for-block.ts";
import { collectTypedMessages } from "./instance.ts";
import { rejectedBlocks, type RejectedBlocksOptions } from "./rejected-blocks.ts";
import type { ConciergeReply } from "./speak-as-concierge.ts";

interface ReadPlanRequestOptions extends Pick<RejectedBlocksOptions, "allowed"> {
  readonly phase: "starter" | "explorer";
  readonly reply: ConciergeReply;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** The request for the plan's batch that an answer holds. */
interface PlanRequest extends Pick<TurnState, "calls" | "notices"> {
  readonly signal: RequestedBatch | null;
  /** True where the answer asked for a plan in a form that could not be read. */
  readonly isBroken: boolean;
}

/** Reads the request for the plan's batch from an answer; asks once more where it cannot be read. */
export async function readPlanRequest(
  state: TurnState,
  facts: ReadPlanRequestOptions,
): Promise<PlanRequest> {
  const { phase, allowed } = facts;
  const { raw } = facts.reply;
  const nothing = { signal: null, isBroken: false, calls: [] };
  const typed = collectTypedMessages(state);
  const notices = rejectedBlocks(phase, raw, { typed, allowed });
  const signal = parseBatchSignal(raw, { typed });
  if (signal.type === "STEP_HELP") return { ...nothing, notices };
  const problem = diagnoseBatchSignal(raw, { typed });
  if (problem === null) return { ...nothing, signal: requestedBatch(signal), notices };
  if (problem === "typed by the user") return { ...nothing, notices };
  const again = await askForBlockAgain(state, { ...facts, problem });
  const batch = again.signal === null ? null : requestedBatch(again.signal);
  const repaired = {
    node: phase,
    code: "block-repaired",
    text: `A WORKFLOW block could not be read (${problem}) and was written again`,
  };
  return {
    signal: batch,
    isBroken: batch === null,
    calls: [...again.calls],
    notices: [...(batch === null ? notices : [repaired]), ...again.notices],
  };
}

/** Returns the batch that a readable block asks for. */
export function requestedBatch(signal: BatchSignal): RequestedBatch | null {
  const { type, batchPrompt, handover } = signal;
  if (type !== "WORKFLOW" || batchPrompt === null || handover === null) return null;
  return { type, prompt: batchPrompt, handover: boundExecutionHandover(handover), step: null };
}

interface WithdrawOptions {
  readonly requested: Pick<PlanRequest, "isBroken">;
  readonly io: NodeIO;
}

/** Takes back the promise of a plan that could not be requested: returns what is added to the answer, and shows it. */
export function withdrawPromise(state: TurnState, { requested, io }: WithdrawOptions): string {
  if (!requested.isBroken) return "";
  const text = `\n\n${renderSentence("planNotBegun")}`;
  io.emit({ type: "text-delta", reply: nextReplyId(state), text });
  return text;
}
