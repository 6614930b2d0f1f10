import { z } from "zod";
import { JsonObjectSchema, ParsedJsonSchema } from "./json.ts";

/** The status of a run. All but the first two are final. The names are the Agent Protocol's. */
export const RunStatusSchema = z.enum([
  "pending",
  "running",
  "success",
  "error",
  "timeout",
  "interrupted",
]);
export type RunStatus = z.infer<typeof RunStatusSchema>;

/**
 * The handling of a message to a thread with an active run: it waits (`enqueue`), is rejected
 * (`reject`), or replaces that run, whose work is kept (`interrupt`) or undone (`rollback`).
 */
export const MultitaskStrategySchema = z.enum(["enqueue", "reject", "interrupt", "rollback"]);
export type MultitaskStrategy = z.infer<typeof MultitaskStrategySchema>;

/** The way to cancel a run: keep the work done so far, or undo it. */
export const CancelActionSchema = z.enum(["interrupt", "rollback"]);
export type CancelAction = z.infer<typeof CancelActionSchema>;

/** The graph's own stream modes, besides the turn's events (`custom`). */
export const GraphModeSchema = z.enum([
  "values",
  "updates",
  "tasks",
  "checkpoints",
  "debug",
  "events",
]);
export type GraphMode = z.infer<typeof GraphModeSchema>;

/** One thing that a run streamed, as it is kept. */
export const RunEventSchema = z.object({
  /** Counts the events of a run from 1, without gaps: the id of the stream's events. */
  seq: z.number().int().positive(),
  mode: z.enum(["custom", ...GraphModeSchema.options]),
  /** The subgraphs it comes from; empty for the graph itself. */
  namespace: z.array(z.string()),
  /** A `TurnEvent` where the mode is `custom`, else LangGraph's chunk. */
  data: ParsedJsonSchema,
});
export type RunEvent = z.infer<typeof RunEventSchema>;

/** Why a run failed: a stable code and a sentence. */
export const RunErrorSchema = z.object({ code: z.string(), message: z.string() });
export type RunError = z.infer<typeof RunErrorSchema>;

/** One run of the graph for one message, as it is kept. Times are ISO 8601 in UTC. */
export const RunRecordSchema = z.object({
  runId: z.string(),
  threadId: z.string(),
  messageId: z.string(),
  userId: z.string(),
  status: RunStatusSchema,
  multitaskStrategy: MultitaskStrategySchema,
  /** A requested cancellation, which may not have taken effect yet. */
  cancel: CancelActionSchema.nullable(),
  streamModes: z.array(GraphModeSchema),
  /** True when its events include prompts. */
  trace: z.boolean(),
  metadata: JsonObjectSchema,
  /** The client's request, kept to return it later; never contains a secret. */
  kwargs: JsonObjectSchema,
  error: RunErrorSchema.nullable(),
  /** The newest checkpoint before it; null before the thread's first. */
  baseCheckpointId: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type RunRecord = z.infer<typeof RunRecordSchema>;

/** Returns true when a run has ended. */
export function isEnded(status: RunStatus): boolean {
  return status !== "pending" && status !== "running";
}
