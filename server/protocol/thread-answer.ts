import { z } from "@hono/zod-openapi";
import { InterruptSchema, type Interrupt } from "../../graph/interrupts.ts";
import { JsonObjectSchema, type JsonObject } from "../../state/json.ts";
import {
  ThreadStatusSchema,
  type ThreadRecord,
} from "../../storage/conversations/thread-records.ts";

/** A thread as the protocol writes it. Times are ISO 8601 in UTC. */
export const ThreadAnswerSchema = z.object({
  thread_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  state_updated_at: z.string(),
  metadata: JsonObjectSchema,
  status: ThreadStatusSchema,
  config: JsonObjectSchema,
  values: JsonObjectSchema.nullable().describe("Null before the thread's first turn."),
  interrupts: z.record(z.string(), z.array(InterruptSchema)),
});
export type ThreadAnswer = z.infer<typeof ThreadAnswerSchema>;

/** The fields that a client may choose of a thread. */
export const ThreadFieldSchema = ThreadAnswerSchema.keyof();

/** The newest state of a thread, as its user may see it. */
export interface PublicState {
  readonly values: JsonObject;
  readonly interrupts: readonly Interrupt[];
}

/** Returns a thread for its client, with the public part of its newest state. */
export function threadAnswer(thread: ThreadRecord, state: PublicState | null): ThreadAnswer {
  const interrupts = state?.interrupts ?? [];
  return {
    thread_id: thread.threadId,
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    state_updated_at: thread.updatedAt,
    metadata: thread.metadata,
    status: thread.status,
    config: {},
    values: state?.values ?? null,
    interrupts: Object.fromEntries(interrupts.map((one) => [one.id, [one]])),
  };
}
