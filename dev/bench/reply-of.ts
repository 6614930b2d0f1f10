import type { TurnEvent } from "../../driver/events.ts";

/** What a turn said, all its replies. */
export function replyOf(events: readonly TurnEvent[]): string {
  return events.flatMap((event) => (event.type === "reply" ? [event.text] : [])).join("\n\n");
}
