import { z } from "zod";
import { ThreadStatusSchema } from "../../storage/conversations/thread-records.ts";
import { PathIdSchema, ThreadIdSchema } from "./ids.ts";
import { MetadataSchema } from "./metadata.ts";
import { ThreadFieldSchema } from "./thread-answer.ts";

const unsupported = z.unknown().optional().describe("Not supported: leave it out.");

/** The body of a request for a new thread. */
export const ThreadCreateSchema = z.looseObject({
  thread_id: ThreadIdSchema.nullish().describe("Default: a new id."),
  metadata: MetadataSchema.nullish(),
  if_exists: z
    .enum(["raise", "do_nothing"])
    .nullish()
    .describe(
      "For an id that you have used: do_nothing returns that thread, raise fails. Default: raise.",
    ),
  supersteps: unsupported,
  ttl: unsupported,
});

/** The body of a change to a thread's metadata. */
export const ThreadPatchSchema = z.looseObject({
  metadata: MetadataSchema.nullish().describe("A merge patch (RFC 7396)."),
  ttl: unsupported,
});

/** Selects threads. */
export const ThreadFilterSchema = z.looseObject({
  metadata: MetadataSchema.nullish().describe("Values that their metadata contains, at any depth."),
  ids: z.array(PathIdSchema).max(1_000).nullish(),
  status: ThreadStatusSchema.nullish(),
  values: unsupported,
});

/** Selects threads, their order and their fields. */
export const ThreadSearchSchema = ThreadFilterSchema.extend({
  limit: z.number().int().min(1).max(1_000).nullish().describe("Default: 10."),
  offset: z.number().int().min(0).nullish(),
  sort_by: z
    .enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"])
    .nullish()
    .describe("Default: created_at."),
  sort_order: z.enum(["asc", "desc"]).nullish().describe("Default: desc."),
  select: z.array(ThreadFieldSchema.or(z.enum(["context", "error", "extracted"]))).nullish(),
  extract: unsupported,
});
export type ThreadSearchBody = z.infer<typeof ThreadSearchSchema>;
