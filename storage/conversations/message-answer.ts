import type { MessageAnswer } from "../../state/conversation-store.ts";
import type { Queryable } from "../../state/store.ts";
import { readTurns } from "./archive-rows.ts";
import { findFinished, type MessageIdentity } from "./inbox.ts";
import { toArchivedTurn } from "./turn-archive.ts";

/**
 * Returns the answer to a message, from inbox and archive; null while it waits, or if there is none.
 * `tx` carries its user.
 */
export async function findAnswer(
  tx: Queryable,
  { threadId, messageId }: MessageIdentity,
): Promise<MessageAnswer | null> {
  const finished = await findFinished(tx, { threadId, messageId });
  if (finished === null) return null;
  return { ...finished, turn: await findTurn(tx, threadId, finished.turn) };
}

async function findTurn(
  tx: Queryable,
  threadId: string,
  turn: number | null,
): Promise<MessageAnswer["turn"]> {
  if (turn === null) return null;
  const [row] = await readTurns(tx, { threadId, turn, limit: 1 });
  if (row === undefined) return null;
  const { replies, summary } = toArchivedTurn(row);
  return summary === null ? null : { number: turn, replies, summary };
}
