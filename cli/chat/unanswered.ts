import type { TurnEvent } from "../../driver/events.ts";

/** Counts the messages that were left without an answer. */
export interface UnansweredCount {
  hear(event: TurnEvent): void;
  count(): number;
}

/**
 * Makes a count of messages by their runs: one whose turn failed may be answered later. What the
 * person has stopped is not missing.
 */
export function createUnansweredCount(): UnansweredCount {
  const runs = new Set<string>();
  return {
    hear(event) {
      if (isUnanswered(event)) runs.add(event.run);
      else if (event.type === "turn-end") runs.delete(event.run);
    },
    count: () => runs.size,
  };
}

function isUnanswered(event: TurnEvent): boolean {
  if (event.type === "error") return event.code !== "stopped";
  return event.type === "turn-end" && event.record.notices.some(({ code }) => code === "given-up");
}
