import { RunSchema } from "../state/turn.ts";
import type { ConversationStore, UserMessage } from "../state/conversation-store.ts";
import { createEventSequence, type TurnEvent } from "./events.ts";

interface ReplayOptions {
  readonly store: Pick<ConversationStore, "findAnswer">;
  readonly now: () => Date;
  readonly onEvent: (event: TurnEvent) => void;
}

/**
 * Replays the replies and record of a processed message as a turn's events, without the steps in
 * between. Returns false if nothing is stored for it.
 */
export async function replayTurn(message: UserMessage, options: ReplayOptions): Promise<boolean> {
  const { store, now, onEvent } = options;
  const answer = await store.findAnswer(message);
  if (answer === null || (answer.turn === null && answer.outcome === "answered")) return false;
  const { turn, outcome, text } = answer;
  const { runId: run } = RunSchema.parse(answer.run);
  const number = turn?.number ?? 0;
  const sequence = createEventSequence({
    thread: message.threadId,
    turn: number,
    run,
    now,
    resumed: false,
  });
  sequence.next({ type: "turn-start", message: text }).forEach(onEvent);
  for (const [index, reply] of (turn?.replies ?? []).entries()) {
    const id = `t${number}-a${index + 1}`;
    sequence.next({ type: "text-delta", reply: id, text: reply }).forEach(onEvent);
    sequence.next({ type: "reply", reply: id, text: reply }).forEach(onEvent);
  }
  if (turn !== null) sequence.end({ type: "turn-end", record: turn.record }).forEach(onEvent);
  else if (outcome !== "answered") {
    sequence.end({ type: "error", code: outcome, message: WITHOUT_TURN[outcome] }).forEach(onEvent);
  }
  return true;
}

const WITHOUT_TURN = {
  "given-up":
    "Cannot answer: the message failed again and again and was given up; send it again, or put it another way",
  stopped: "Stopped before the turn had begun; nothing was done",
} as const;
