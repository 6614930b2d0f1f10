import { z } from "@hono/zod-openapi";

/** A state's place in its thread's history, as the protocol writes it. */
export const CheckpointSchema = z.object({
  thread_id: z.string(),
  checkpoint_ns: z.string(),
  checkpoint_id: z.string().nullable(),
  checkpoint_map: z.null(),
});
export type Checkpoint = z.infer<typeof CheckpointSchema>;

/** The id of a checkpoint, stored or removed: ids are ordered, so a removed one still marks a position. */
export const CheckpointIdSchema = z.guid("it is not a checkpoint id");

const PlaceSchema = z.object({
  configurable: z.object({
    thread_id: z.string(),
    checkpoint_id: z.string(),
    checkpoint_ns: z.string().nullish(),
  }),
});

/** Returns the checkpoint that a LangGraph config names; null if it names none. */
export function toCheckpoint(config: unknown): Checkpoint | null {
  const place = PlaceSchema.safeParse(config);
  if (!place.success) return null;
  const { thread_id, checkpoint_id, checkpoint_ns } = place.data.configurable;
  return { thread_id, checkpoint_id, checkpoint_ns: checkpoint_ns ?? "", checkpoint_map: null };
}
