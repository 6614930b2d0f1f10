import { z } from "zod";
import { DetailSchema, EntityRowSchema, type Detail } from "./entity.ts";
import type { Json, JsonObject } from "./json.ts";

/** Rows a tool found, in the order the person should see them. */
export const ToolReadSchema = z.object({
  /** Entity type. */
  type: z.string(),
  /** Every row the read stands for, in order; suppressed reads name them here and leave `rows` empty. */
  ids: z.array(z.string()),
  /** The rows themselves; their length equals `ids` unless suppressed. */
  rows: z.array(EntityRowSchema),
  /** The detail the rows came with. */
  detail: DetailSchema,
  /** Total number of rows that match the filter, regardless of any limit. */
  total: z.number().int(),
  /** Everything was held already at the needed detail and version: nothing was fetched. */
  suppressed: z.boolean(),
});
export type ToolRead = z.infer<typeof ToolReadSchema>;

/** One row that was written. */
export const ToolWriteSchema = z.object({
  action: z.enum(["created", "updated", "deleted"]),
  type: z.string(),
  /** The row after the write (before it, for a deletion). */
  row: EntityRowSchema,
  /** The draft that this row saves, or that it is again where it is gone; it keeps its ref. */
  draft: z.string().nullable(),
  /** A foreign key or a trigger caused it, not the call itself. */
  follows: z.boolean(),
  /** Words for what became of the values of an updated row, and for those of a new one that nobody has named; null where there are none. */
  change: z.string().nullable().default(null),
});
export type ToolWrite = z.infer<typeof ToolWriteSchema>;

/** One row of a write that did not happen, while others may have. */
export const ToolFailureSchema = z.object({
  /** The row, in words or as a ref; never a database id. */
  label: z.string(),
  /** The ref it concerns, where there is one. */
  ref: z.string().nullable(),
  reason: z.string(),
});
export type ToolFailure = z.infer<typeof ToolFailureSchema>;

/** The outcome of a tool call. Strict JSON: it is stored with the effect key. */
export const ToolOutcomeSchema = z.object({
  reads: z.array(ToolReadSchema),
  writes: z.array(ToolWriteSchema),
  /** Number of other rows that were changed: no entity type or column describes what is different. */
  undescribed: z.number().int(),
  failures: z.array(ToolFailureSchema),
  /** Warnings about the writes that were carried out all the same. */
  warnings: z.array(z.string()),
  /** Rows that lists of the above show with their values. */
  listed: z.array(z.object({ type: z.string(), rows: z.array(EntityRowSchema) })),
  /** Rows that foreign keys of the above point at, with label and facts only. */
  linked: z.array(z.object({ type: z.string(), rows: z.array(EntityRowSchema) })),
  /** Further information for the model, in words; may name refs, never ids. */
  text: z.string().nullable(),
});
export type ToolOutcome = z.infer<typeof ToolOutcomeSchema>;

/** The registry's knowledge of a row: enough to decide whether a read may be skipped. */
export interface HeldRow {
  readonly ref: string;
  readonly rowVersion: number;
  readonly detail: Detail;
}

/** A ref resolved for a tool. */
export interface ResolvedRef {
  readonly type: string;
  /** Null for a draft that is not saved. */
  readonly id: string | null;
  readonly label: string;
  /** The content of a draft; null for everything else. */
  readonly draft: JsonObject | null;
}

/**
 * The registry as a tool sees it.
 *
 * Contract: `resolve` throws `UnknownRefError` (naming the ref and its nearest neighbours) for a
 * ref that this thread does not have, so no unknown ref ever reaches the database.
 */
export interface RefBook {
  resolve(ref: string): ResolvedRef;
  /** The entity of a ref, deleted ones included; null for a text that is no ref of this thread. */
  find(ref: string): Pick<ResolvedRef, "type" | "id"> | null;
  /** The ref of a row; null where the thread has none. */
  refFor(type: string, id: string): string | null;
  held(type: string, id: string): HeldRow | null;
}

/** A ref that this thread does not have, or whose entity was deleted. The message names it and lists near ones. */
export class UnknownRefError extends Error {
  override readonly name = "UnknownRefError";
  readonly code = "unknown_ref";
  readonly ref: string;
  readonly near: readonly string[];

  constructor(ref: string, near: readonly string[], options: { readonly deleted?: string } = {}) {
    const hint =
      near.length === 0
        ? "no ref of that kind is known in this conversation"
        : `known refs near it: ${near.join(", ")}`;
    const found =
      options.deleted === undefined
        ? "it does not exist in this conversation"
        : `it was deleted ("${options.deleted}")`;
    super(`Cannot use ref "${ref}": ${found}; ${hint}`);
    this.ref = ref;
    this.near = near;
  }
}

/** A tool call whose arguments cannot be carried out; the message says what is right, and the model may try again. */
export class ToolInputError extends Error {
  override readonly name = "ToolInputError";
  readonly code = "tool_input_invalid";
}

/** A value that does not fit its column; none where it is missing. */
export interface Misfit {
  readonly column: string;
  readonly value: Json;
}

/** A tool call with values that do not fit. */
export class MisfitError extends ToolInputError {
  readonly misfits: readonly Misfit[];

  constructor(message: string, misfits: readonly Misfit[], options?: ErrorOptions) {
    super(message, options);
    this.misfits = misfits;
  }
}

/** A call that a tool ended by `refuse`: its reason goes to the model, and may be shown to the person. */
export class CallRefusedError extends ToolInputError {}
