import { buildMetaResponse } from "../../output-filter/meta-response.ts";
import type { ArchivedBatch } from "../../state/archive.ts";
import type { TurnState } from "../../state/turn.ts";
import { loadBatches } from "../concierge/newest-batch.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";
import type { DirectReply } from "./direct-reply.ts";

/**
 * Answers a question about the assistant from the batch that is meant; null for any other question, and
 * for what it remembers: that the turn summaries tell.
 */
export async function answerMeta(
  state: TurnState,
  services: NodeServices,
): Promise<DirectReply | null> {
  const { understanding, turn, turnExecutionSummaries } = state;
  if (understanding?.route !== "meta" || understanding.meta === "none") return null;
  const batch = await findMetaBatch(state, services);
  const body = buildMetaResponse(understanding.meta, batch, {
    persona: services.domain.persona,
    // Help with a step is asked for after an answer and goes into the next one.
    isEarlier: batch !== null && batch.turn < turn - (batch.batch.purpose === "step-help" ? 2 : 1),
    steps: turnExecutionSummaries.at(-1)?.steps ?? [],
  });
  return body === null ? null : { body, pending: null };
}

/**
 * Finds the batch that a question is about: the one that Understand named; none where the last answer came
 * from the person's data; else the newest of the journey, or of the conversation, from which a concierge has
 * spoken.
 */
async function findMetaBatch(
  state: TurnState,
  { archive }: NodeServices,
): Promise<ArchivedBatch | null> {
  const { understanding, conciergeThread, turn, turnExecutionSummaries } = state;
  const { threadId, userId } = requireRun(state);
  const named = understanding?.metaBatch ?? null;
  if (named !== null) {
    const found = await archive.findBatch({ threadId, userId, batchId: named });
    if (found !== null) return found;
  }
  const last = turnExecutionSummaries.at(-1);
  const isTask = last?.steps.some(({ stepType }) => stepType === "read" || stepType === "write");
  if (isTask === true && conciergeThread.throughTurn < turn - 1) return null;
  const newest = await loadBatches(state, { archive }, 2);
  const isUnspoken = (each: ArchivedBatch): boolean =>
    each.batch.purpose === "step-help" && each.turn >= conciergeThread.throughTurn;
  return newest.find((each) => !isUnspoken(each)) ?? null;
}
