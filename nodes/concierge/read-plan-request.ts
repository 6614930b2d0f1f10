import { diagnoseBatchSignal, parseBatchSignal } from "../../control-blocks/batch-signal.ts";
import type { BatchSignal, RequestedBatch } from "../../state/signal.ts";
import type { TurnState } from "../../state/turn.ts";
import type { BlockFault } from "../../prompts/explorer.ts";
import { boundExecutionHandover } from "../../summaries/bound-handover.ts";
import { readPlan } from "../../summaries/read-plan.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { endsAsQuestion } from "../../text/ends-as-question.ts";
import { renderSentence } from "../../text/sentences.ts";
import { nextReplyId } from "../reply/create-reply.ts";
import { askForBlockAgain } from "./ask-for-block.ts";
import { asksForPlan } from "./concierge-step.ts";
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
  /** True where a plan was promised or asked for, and none could be requested. */
  readonly isBroken: boolean;
}

/**
 * Reads the request for the plan's batch from an answer; asks once more where it cannot be read, or
 * where the person asks for the plan and the answer neither requests it nor asks what is missing for it.
 */
export async function readPlanRequest(
  state: TurnState,
  facts: ReadPlanRequestOptions,
): Promise<PlanRequest> {
  const { phase, allowed, reply, services } = facts;
  const typed = collectTypedMessages(state);
  const notices = rejectedBlocks(phase, reply.raw, { typed, allowed });
  const signal = requestedBatch(parseBatchSignal(reply.raw, { typed }));
  const fault = signal === null ? findBlockFault(state, { reply, typed }) : null;
  if (fault === null) return { signal, isBroken: false, calls: [], notices };
  // A small model has been asked in a call of its own already.
  if (fault === "missing" && services.tier === "small") {
    return { signal: null, isBroken: true, calls: [], notices };
  }
  const again = await askForBlockAgain(state, { ...facts, fault });
  const batch = again.signal === null ? null : requestedBatch(again.signal);
  const repaired = {
    node: phase,
    code: "block-repaired",
    text:
      fault === "missing"
        ? "A WORKFLOW block was missing and was written on request"
        : `A WORKFLOW block could not be read (${fault}) and was written again`,
  };
  return {
    signal: batch,
    isBroken: batch === null,
    calls: [...again.calls],
    notices: [...(batch === null ? notices : [repaired]), ...again.notices],
  };
}

interface FindBlockFaultOptions extends Pick<ReadPlanRequestOptions, "reply"> {
  readonly typed: readonly string[];
}

/** Returns what is wrong with an answer that requests no plan; null where the conversation goes on. */
function findBlockFault(
  { understanding }: TurnState,
  { reply, typed }: FindBlockFaultOptions,
): BlockFault | null {
  const isStepHelp = parseBatchSignal(reply.raw, { typed }).type === "STEP_HELP";
  const problem = isStepHelp ? null : diagnoseBatchSignal(reply.raw, { typed });
  if (problem !== null && problem !== "typed by the user") return problem;
  const asksBack = endsAsQuestion(reply.shown) && !writesPlanOut(reply.shown);
  return asksForPlan(understanding) && !asksBack ? "missing" : null;
}

/** Fewer numbered lines make no plan. */
const LEAST_STEPS = 3;

/** Returns true where an answer numbers steps that no block asks for; numbered questions are none. */
function writesPlanOut(shown: string): boolean {
  const statements = shown.split("\n").filter((line) => !endsAsQuestion(line));
  return readPlan(statements.join("\n")).steps.length >= LEAST_STEPS;
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
