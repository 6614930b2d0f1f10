import { z } from "zod";

/** The reach of a wish: its conversation, or every one of the person. */
export const WishScopeSchema = z.enum(["conversation", "person"]);

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
  scope: WishScopeSchema,
  /** The turn it was said in. */
  turn: z.number().int().positive(),
});
export type Constraint = z.infer<typeof ConstraintSchema>;

/** A change of the wishes that a person has in every conversation. */
export const WishChangeSchema = z.object({
  wish: ConstraintSchema,
  /** True for one that no longer holds. */
  isWithdrawn: z.boolean(),
});
export type WishChange = z.infer<typeof WishChangeSchema>;

/** The wishes that a turn has changed: the lines as they were, and as they are. */
export const WishDifferenceSchema = z.object({
  before: z.array(ConstraintSchema),
  after: z.array(ConstraintSchema),
});
export type WishDifference = Readonly<z.infer<typeof WishDifferenceSchema>>;
