import { z } from "zod";

const ObjectSchema = z.record(z.string(), z.unknown());

/** The part of a run's body that says where the run begins. */
const BodySchema = z.looseObject({
  checkpoint: z.unknown().optional(),
  checkpoint_id: z.unknown().optional(),
  config: z.looseObject({ configurable: ObjectSchema.nullish() }).nullish(),
});

/**
 * Lets a run that names no checkpoint start at the thread's newest. Takes and returns the body of the
 * request; a body that cannot be read is left as it is. Pure.
 *
 * The dev server keeps the configuration of a run for later runs, the checkpoint of a fork included, so
 * that each of them would replace the turn before. An empty checkpoint id prevents that.
 */
export function fromNewest(text: string): string {
  const body = readBody(text);
  if (body === null || (body.checkpoint ?? body.checkpoint_id) != null) return text;
  const { config } = body;
  const configurable = { checkpoint_id: "", ...config?.configurable };
  return JSON.stringify({ ...body, config: { ...config, configurable } });
}

function readBody(text: string): z.infer<typeof BodySchema> | null {
  try {
    return BodySchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
