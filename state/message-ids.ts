import type { BaseMessage } from "@langchain/core/messages";
import { z } from "zod";

/** Prefix of the ids of replies; a client's message must not have it. */
export const REPLY_PREFIX = "reply_";

/**
 * Returns the id of a run's reply, counted from 1. It names the run, not the turn: two branches of a
 * thread have a turn of the same number.
 *
 * @example
 * createReplyId("1f0c", 2); // "reply_1f0c_2"
 */
export function createReplyId(runId: string, number: number): string {
  return `${REPLY_PREFIX}${runId}_${number}`;
}

const StampSchema = z.object({ turn: z.number().int().positive() });

/** Returns the turn that stored a message; null for one that no turn has taken in yet. */
export function readTurnStamp(message: Pick<BaseMessage, "additional_kwargs">): number | null {
  return StampSchema.safeParse(message.additional_kwargs).data?.turn ?? null;
}
