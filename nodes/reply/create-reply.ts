import { createReplyId } from "../../state/message-ids.ts";
import type { TurnState } from "../../state/turn.ts";
import { requireRun } from "../require-run.ts";

/** Returns the id of the turn's next reply. */
export function nextReplyId(state: TurnState): string {
  return createReplyId(requireRun(state).runId, state.replies.length + 1);
}
