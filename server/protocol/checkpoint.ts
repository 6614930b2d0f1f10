import { z } from "@hono/zod-openapi";

/** A state's place in its thread's history, as the protocol writes it. */
export const CheckpointSchema = z.object({
  thread_id: z.string(),
  checkpoint_ns: z.string(),
  checkpoint_id: z.string().nullable(),
  checkpoint_map: z.null(),
});
export type Checkpoint = z.infer<typeof CheckpointSchema>;

/** The id of a checkpoint, kept or not: ids are in order, so one that is removed still says where it was. */
export const CheckpointIdSchema = z.guid("it is no checkpoint's id");

const PlaceSchema = z.object({
  configurable: z.object({
    thread_id: z.string(),
    checkpoint_id: z.string(),
    checkpoint_ns: z.string().nullish(),
  }),
});

/** The place that a LangGraph config names; null where it names none. */
export function toCheckpoint(config: unknown): Checkpoint | null {
  const place = PlaceSchema.safeParse(config);
  if (!place.success) return null;
  const { thread_id, checkpoint_id, checkpoint_ns } = place.data.configurable;
  return { thread_id, checkpoint_id, checkpoint_ns: checkpoint_ns ?? "", checkpoint_map: null };
}
