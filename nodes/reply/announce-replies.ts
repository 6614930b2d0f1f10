import { createReplyEvent } from "../../state/event.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeIO } from "../node.ts";

/** Emits the replies of the turn, once the step that made them is checkpointed. Readers ignore a reply that is emitted twice. */
export function emitReplies({ replies }: Pick<TurnState, "replies">, io: NodeIO): void {
  for (const reply of replies) io.emit(createReplyEvent(reply));
}
