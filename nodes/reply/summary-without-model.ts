import type { TurnState } from "../../state/turn.ts";
import { decidesSomething } from "../../registry/curation.ts";
import { directReply, type ReplyContext } from "./direct-reply.ts";

/**
 * Returns true where code alone can summarize the turn: code wrote the reply, or all that was done
 * is finding and storing rows, which the turn summary names.
 *
 * Judgements, drafts and plain talk can only be read from the reply, and the steps of a plan that the
 * person has done only from the message.
 */
export function canSummarizeWithoutModel(
  state: TurnState,
  context: Omit<ReplyContext, "expiresAt">,
): boolean {
  if (state.concierge.activeWorkflow !== null || state.batchSteps.length > 0) return false;
  return (
    directReply(state, { ...context, expiresAt: () => "" }) !== null || onlyFoundOrStored(state)
  );
}

function onlyFoundOrStored({ plan, stepResults, understanding }: TurnState): boolean {
  if (plan === null || stepResults.length === 0) return false;
  const curation = understanding?.curation;
  if (curation !== undefined && decidesSomething(curation)) return false;
  return stepResults.every(({ step, status }) => {
    const stepType = plan.steps[step]?.stepType;
    return status === "done" && (stepType === "read" || stepType === "write");
  });
}
