import { z } from "zod";
import { FilterValueSchema, OPERATORS } from "./filter.ts";
import { idSchema } from "./ids.ts";

/** A value for a column. Null empties the column. */
const ColumnValueSchema = z.object({ column: z.string(), value: FilterValueSchema });

/** The rows of one type that a read asks for. */
export const RowReadSchema = z.object({
  /** Entity type. */
  type: z.string(),
  /** Rows that are read, updated or deleted; drafts that a creation saves. */
  refs: z.array(idSchema("ref")),
  /** True for a read of all columns, and for a deletion of every row of the type. */
  all: z.boolean(),
  /** Conditions that all hold for the rows of a read. */
  where: z.array(z.object({ column: z.string(), op: z.enum(OPERATORS), value: FilterValueSchema })),
});
export type RowRead = z.infer<typeof RowReadSchema>;

/**
 * A call of a generated tool in the short form in which a model gives it beside a plan. `do` comes
 * first: strict endpoints decide by it.
 */
export const RowCallSchema = z.object({
  do: z.enum(["read", "create", "update", "delete"]),
  /** Index of its step in the plan, from 0. */
  step: z.number().int(),
  ...RowReadSchema.shape,
  /** New rows, or the one change of an update. */
  set: z.array(z.array(ColumnValueSchema)),
});
export type RowCall = z.infer<typeof RowCallSchema>;

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
