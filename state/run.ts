import { z } from "zod";
import { JsonObjectSchema, ParsedJsonSchema } from "./json.ts";

/** How far a run is. All but the first two are ends. The names are the Agent Protocol's. */
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
 * What becomes of a message to a thread in which another runs: it waits (`enqueue`), is refused
 * (`reject`), or takes the other's place, whose work is kept (`interrupt`) or taken back (`rollback`).
 */
export const MultitaskStrategySchema = z.enum(["enqueue", "reject", "interrupt", "rollback"]);
export type MultitaskStrategy = z.infer<typeof MultitaskStrategySchema>;

/** What a client wants to become of a run: stopped with what it has done, or as if it had not been. */
export const CancelActionSchema = z.enum(["interrupt", "rollback"]);
export type CancelAction = z.infer<typeof CancelActionSchema>;

/** What the graph itself can stream, besides the turn's events (`custom`). */
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
  /** What a client has asked for and may not have come about yet. */
  cancel: CancelActionSchema.nullable(),
  streamModes: z.array(GraphModeSchema),
  /** Whether prompts are among its events. */
  trace: z.boolean(),
  metadata: JsonObjectSchema,
  /** What the client asked for, to show it again; never a secret. */
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

/** Whether a run has ended. */
export function isEnded(status: RunStatus): boolean {
  return status !== "pending" && status !== "running";
}
