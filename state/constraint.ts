import { z } from "zod";

/** A wish or a rule that holds beyond the turn it was said in. */
export const ConstraintSchema = z.object({
  /** In the person's words, short. */
  text: z.string(),
  /** `hard`: must never be broken (an allergy). `soft`: a wish. */
  kind: z.enum(["hard", "soft"]),
  /** The number, when one was named ("8 meals"). */
  count: z.number().int().nullable(),
  /** Last day it holds, `YYYY-MM-DD`; null while nothing ends it. */
  until: z.string().nullable(),
  /** The turn it was said in. */
  turn: z.number().int().positive(),
});
export type Constraint = z.infer<typeof ConstraintSchema>;
