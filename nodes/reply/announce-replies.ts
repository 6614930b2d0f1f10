import type { TurnState } from "../../state/turn.ts";
import type { NodeIO } from "../node.ts";

/** Tells the replies of the turn: their step has been checkpointed when another node runs. Told twice, they are heard once. */
export function announceReplies({ replies }: Pick<TurnState, "replies">, io: NodeIO): void {
  for (const { id, text } of replies) io.emit({ type: "reply", reply: id, text });
}
