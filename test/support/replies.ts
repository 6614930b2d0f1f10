import type { EventBody } from "../../state/event.ts";
import { createReplyId } from "../../state/message-ids.ts";
import type { Reply } from "../../state/turn.ts";
import type { TurnRow } from "../../storage/conversations/archive-rows.ts";

/** A reply of the run "r", as the state holds it. */
export function storedReply(text: string, number = 1): Reply {
  const at = "2026-01-12T12:00:00.000Z";
  return { id: createReplyId("r", number), text, body: text, receipts: [], at };
}

/** The event of a reply without receipts. */
export function replyEvent(text: string, reply = "reply_r1_1"): EventBody & { type: "reply" } {
  return { type: "reply", reply, text, body: text, receipts: [] };
}

/** A turn's row in the archive, of a run of its own. */
export function turnRow(threadId: string, turn: number, parts: Partial<TurnRow> = {}): TurnRow {
  return {
    threadId,
    runId: `run-${turn}`,
    parentRunId: turn === 1 ? null : `run-${turn - 1}`,
    turn,
    messageId: `message-${turn}`,
    userMessage: "hi",
    replies: [],
    summary: null,
    usage: [],
    manifests: [],
    ...parts,
  };
}
