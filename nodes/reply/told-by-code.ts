import type { Domain } from "../../state/domain.ts";
import type { Registry } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import { decidesSomething } from "../../registry/curation.ts";
import { directReply } from "./reply-text.ts";

/**
 * Whether the record of a turn tells by itself what the turn came to: code wrote the reply, or all
 * that was done is rows that were found and rows that were stored, which the record names.
 *
 * What was judged, made or only said has to be read off the reply, and what the person has done of
 * a plan off the message.
 */
export function isToldByCode(
  state: TurnState,
  context: { readonly registry: Registry; readonly domain: Domain },
): boolean {
  if (state.concierge.activeWorkflow !== null || state.batchSteps.length > 0) return false;
  return directReply(state, context) !== null || onlyFoundOrStored(state);
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
