import { createReplyEvent, createReplyParts, type TurnEvent } from "../state/event.ts";
import { TurnContextSchema } from "../state/turn.ts";
import { readTurnEnd } from "../state/turn-summary.ts";
import type { ConversationStore, UserMessage } from "../state/conversation-store.ts";
import { renderSentence, type SentenceId } from "../text/sentences.ts";
import { createEventSequence } from "./events.ts";

interface ReplayOptions {
  readonly store: Pick<ConversationStore, "findAnswer">;
  readonly now: () => Date;
  readonly onEvent: (event: TurnEvent) => void;
}

/**
 * Replays the replies and summary of a processed message as a turn's events, without the steps in
 * between. Returns false if nothing is stored for it.
 */
export async function replayTurn(message: UserMessage, options: ReplayOptions): Promise<boolean> {
  const { store, now, onEvent } = options;
  const answer = await store.findAnswer(message);
  if (answer === null || (answer.turn === null && answer.outcome === "answered")) return false;
  const { turn, outcome, text } = answer;
  const { runId: run } = TurnContextSchema.parse(answer.run);
  const number = turn?.number ?? 0;
  const sequence = createEventSequence({
    thread: message.threadId,
    turn: number,
    run,
    now,
    resumed: false,
  });
  sequence
    .next({ type: "turn-start", messageId: message.messageId, message: text })
    .forEach(onEvent);
  for (const reply of turn?.replies ?? []) {
    createReplyParts(reply)
      .flatMap((body) => sequence.next(body))
      .forEach(onEvent);
    sequence.next(createReplyEvent(reply)).forEach(onEvent);
  }
  if (turn !== null) {
    const { summary } = turn;
    sequence.end({ type: "turn-end", ...readTurnEnd(summary), summary }).forEach(onEvent);
  } else if (outcome !== "answered") {
    const message = renderSentence(WITHOUT_TURN[outcome]);
    sequence.end({ type: "error", code: outcome, message }).forEach(onEvent);
  }
  return true;
}

const WITHOUT_TURN = {
  "given-up": "givenUpWithoutTurn",
  stopped: "stoppedBeforeTurn",
} as const satisfies Record<string, SentenceId>;
