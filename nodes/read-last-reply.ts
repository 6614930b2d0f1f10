import type { TurnState } from "../state/turn.ts";

/** Returns the words of the assistant's last reply that the thread holds; "" where there is none. Pure. */
export function readLastReply({ messages }: Pick<TurnState, "messages">): string {
  return messages.findLast(({ type }) => type === "ai")?.text ?? "";
}
