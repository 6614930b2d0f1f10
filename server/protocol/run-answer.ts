import { z } from "@hono/zod-openapi";
import { JsonObjectSchema } from "../../state/json.ts";
import { MultitaskStrategySchema, RunStatusSchema, type RunRecord } from "../../state/run.ts";
import { ASSISTANT_ID } from "./assistant-id.ts";

/** A run as the protocol writes it. Times are ISO 8601 in UTC. */
export const RunAnswerSchema = z.object({
  run_id: z.string(),
  thread_id: z.string(),
  assistant_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  status: RunStatusSchema,
  metadata: JsonObjectSchema,
  kwargs: JsonObjectSchema,
  multitask_strategy: MultitaskStrategySchema,
  /** The action of the client that cancelled it; null for none. */
  cancel_reason: z.string().nullable(),
  /** The error it failed with; null for none. */
  error: z.object({ error: z.string(), message: z.string() }).nullable(),
});
export type RunAnswer = z.infer<typeof RunAnswerSchema>;

/** The fields that a client may choose of a run. */
export const RunFieldSchema = z.enum(Object.keys(RunAnswerSchema.shape));

/** Returns a run for its client. */
export function runAnswer(run: RunRecord): RunAnswer {
  return {
    run_id: run.runId,
    thread_id: run.threadId,
    assistant_id: ASSISTANT_ID,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    status: run.status,
    metadata: run.metadata,
    kwargs: run.kwargs,
    multitask_strategy: run.multitaskStrategy,
    cancel_reason: run.cancel,
    error: run.error === null ? null : { error: run.error.code, message: run.error.message },
  };
}
