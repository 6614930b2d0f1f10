import { z } from "zod";
import { CallFiguresSchema, ModelRoleSchema, UsageSchema } from "./model.ts";

/** The role and usage of one answer of a model; its figures where the model measures them. */
export const CallRecordSchema = z.object({
  node: ModelRoleSchema,
  usage: UsageSchema,
  ...CallFiguresSchema.omit({ mended: true, learned: true }).partial().shape,
  /** Number of mendings of a loose answer. */
  mended: z.number().int().nonnegative().optional(),
});
export type CallRecord = z.infer<typeof CallRecordSchema>;
