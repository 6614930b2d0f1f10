import { z } from "zod";

/**
 * One thing that code itself says about a turn. It is made from the changes that the database has recorded and
 * from the results of the steps; nothing that a model wrote decides about it.
 */
export const ReceiptSchema = z.object({
  kind: z.enum([
    "created",
    "updated",
    "deleted",
    /** A change that was taken back. */
    "undone",
    /** The answer of a service outside the database. */
    "answered",
    /** A change that was asked for and is not stored. */
    "notDone",
    /** A call whose result nobody knows. */
    "unknown",
    /** A change was asked for, and nothing is stored. */
    "nothing",
    /** A wish that holds in every conversation from now on. */
    "noted",
    /** One that no longer does. */
    "withdrawn",
    /** A change that something outside the conversation has made. */
    "outside",
    /** A remark of a check about what was stored or drafted all the same. */
    "warning",
    /** A draft that the turn has made or changed, and that is not saved. */
    "drafted",
    /** A thing that could not be left out or brought back, or that nothing is left out any more. */
    "curated",
    /** A change of the journey's plan, or why there is none. */
    "plan",
    /** A question that no longer waits for an answer. */
    "dropped",
    /** The message may hold wishes that were not read. */
    "notRead",
  ]),
  /** Entity type; null where it is about no row. */
  type: z.string().nullable(),
  ref: z.string().nullable(),
  /** The row's label, or the tool's or step's words; empty where the reason says it all. */
  label: z.string(),
  /** The facts of the row worth mentioning; refs, never ids. */
  facts: z.string(),
  /** A sentence of code; null where there is none. */
  reason: z.string().nullable(),
  /** The stored effect, as prompts and undo name it (`e17`); null where nothing was stored. */
  effect: z.string().nullable(),
});
export type Receipt = z.infer<typeof ReceiptSchema>;
