import { z } from "zod";
import { FilterValueSchema, OPERATORS } from "./filter.ts";
import { idSchema } from "./ids.ts";

const FoundRowsSchema = z.object({
  /** True for a read of all columns, and for a deletion of every row of the type. */
  all: z.boolean().meta({ absent: false }),
  /** Conditions that all hold for the rows of a read. */
  where: z.array(z.object({ column: z.string(), op: z.enum(OPERATORS), value: FilterValueSchema })),
});

/** The rows of one type that a read asks for. */
export const RowReadSchema = FoundRowsSchema.extend({
  /** Entity type. */
  type: z.string(),
  refs: z.array(idSchema("ref")),
});
export type RowRead = z.infer<typeof RowReadSchema>;

/** The columns that are set, and for each row a value for each of them. Null empties a column. */
const SetRowsSchema = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(FilterValueSchema)),
});
export type SetRows = z.infer<typeof SetRowsSchema>;

/**
 * A call of a generated tool in the short form in which a model gives it beside a plan: what most
 * calls leave out stands behind a null, since strict endpoints write every key out. `do` comes first:
 * they decide by it.
 */
export const RowCallSchema = z.object({
  do: z.enum(["read", "create", "update", "delete"]),
  /** Index of its step in the plan, from 0. */
  step: z.number().int(),
  /** Entity type. */
  type: z.string(),
  /** Rows that are read, updated or deleted; drafts that a creation saves. */
  refs: z.array(idSchema("ref")),
  /** Rows beyond the refs; null for none. */
  find: FoundRowsSchema.nullable(),
  /** New rows, or the one change of an update; null for none. */
  set: SetRowsSchema.nullable(),
});
export type RowCall = z.infer<typeof RowCallSchema>;

/** Returns a read as the call of a plan's first step. */
export function toReadCall({ type, refs, all, where }: RowRead): RowCall {
  return { do: "read", step: 0, type, refs, find: { all, where }, set: null };
}

/** Returns the schema of a read that models answer in: it names the entity types. */
export function createRowReadSchema(types: readonly string[]) {
  return RowReadSchema.extend({ type: nameTypes(types) });
}

/** Returns the schema of a call that models answer in: it names the entity types. */
export function createRowCallSchema(types: readonly string[]) {
  return RowCallSchema.extend({ type: nameTypes(types) });
}

function nameTypes([first, ...others]: readonly string[]) {
  return first === undefined ? z.string() : z.enum([first, ...others]);
}
