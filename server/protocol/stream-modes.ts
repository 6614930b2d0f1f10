import { z } from "zod";
import { GraphModeSchema, type GraphMode, type RunRecord } from "../../state/run.ts";

/** The modes of a stream, by the Agent Protocol's names. */
export const StreamModeSchema = z.enum([
  "values",
  "updates",
  "messages",
  "messages-tuple",
  "custom",
  "events",
  "tasks",
  "checkpoints",
  "debug",
]);
export type StreamMode = z.infer<typeof StreamModeSchema>;

/** The modes for a client that names none. */
export const DEFAULT_STREAM_MODES: readonly StreamMode[] = ["values"];

/** One mode or several, as clients send them; an empty list counts as left out. */
export const StreamModesSchema = z
  .union([StreamModeSchema, z.array(StreamModeSchema)])
  .nullish()
  .transform((modes): readonly StreamMode[] => {
    if (modes === null || modes === undefined) return DEFAULT_STREAM_MODES;
    const named = Array.isArray(modes) ? [...new Set(modes)] : [modes];
    return named.length === 0 ? DEFAULT_STREAM_MODES : named;
  });

/**
 * Returns the modes of the graph that a run must store for these modes. The turn's events are always
 * stored: `messages`, `messages-tuple` and `custom` are derived from them.
 */
export function selectGraphModes(modes: readonly StreamMode[]): GraphMode[] {
  return GraphModeSchema.options.filter((mode) => modes.includes(mode));
}

/** Returns the modes that a run was requested with. */
export function modesOfRun({ kwargs }: Pick<RunRecord, "kwargs">): readonly StreamMode[] {
  const modes = StreamModesSchema.safeParse(kwargs["stream_mode"]);
  return modes.success ? modes.data : DEFAULT_STREAM_MODES;
}
