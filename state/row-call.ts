import { z } from "zod";
import { FilterValueSchema, OPERATORS } from "./filter.ts";
import { idSchema } from "./ids.ts";

const TYPE_DESCRIPTION = "type of the rows, as listed";

const FoundRowsSchema = z.object({
  /** True for a read of all columns, and for a deletion of every row of the type. */
  all: z
    .boolean()
    .describe("true: all columns of a read, every row of a deletion; else false")
    .meta({ absent: false }),
  /** Conditions that all hold for the rows of a read. */
  where: z
    .array(
      z.object({
        column: z.string().describe("a listed column; one of a list as list.column"),
        op: z
          .enum(OPERATORS)
          .describe(
            "as in SQL; ilike and contains: the text is in it; contains on a list: all of them are",
          ),
        value: FilterValueSchema.describe(
          "a list for in and not_in; null for is_null and is_not_null",
        ),
      }),
    )
    .describe("conditions of a read, all of which hold; [] for none"),
});

/** The rows of one type that a read asks for. */
export const RowReadSchema = FoundRowsSchema.extend({
  /** Entity type. */
  type: z.string().describe(TYPE_DESCRIPTION),
  refs: z.array(idSchema("ref")).describe("rows that are named; [] for none"),
});
export type RowRead = z.infer<typeof RowReadSchema>;

/** The columns that are set, and for each row a value for each of them. Null empties a column. */
const SetRowsSchema = z.object({
  columns: z.array(z.string()).describe("columns that get a value; of a new row all with *"),
  rows: z
    .array(z.array(FilterValueSchema))
    .describe("a row of values for each new row, one for an update; null empties a column"),
});
export type SetRows = z.infer<typeof SetRowsSchema>;

/**
 * A call of a generated tool in the short form in which a model gives it beside a plan: what most
 * calls leave out stands behind a null, since strict endpoints write every key out. `do` comes first:
 * they decide by it.
 */
export const RowCallSchema = z.object({
  do: z
    .enum(["read", "create", "update", "delete"])
    .describe(
      "read: find rows; create: new ones, or save drafts; update: change rows; delete: remove them",
    ),
  /** Index of its step in the plan, from 0. */
  step: z.number().int(),
  /** Entity type. */
  type: z.string().describe(TYPE_DESCRIPTION),
  /** Rows that are read, updated or deleted; drafts that a creation saves. */
  refs: z
    .array(idSchema("ref"))
    .describe("rows to read, update or delete; drafts that a create saves; [] for none"),
  /** Rows beyond the refs; null for none. */
  find: FoundRowsSchema.nullable().describe(
    "rows of a read or delete that refs do not name; null for none",
  ),
  /** New rows, or the one change of an update; null for none. */
  set: SetRowsSchema.nullable().describe("values of new rows, or of one update; else null"),
});
export type RowCall = z.infer<typeof RowCallSchema>;

/** The same as a model gives it: null for a call without a step, of which code makes one. */
export const GivenRowCallSchema = RowCallSchema.extend({
  step: RowCallSchema.shape.step
    .nullable()
    .describe("null: done first; else index of a listed step"),
});
export type GivenRowCall = z.infer<typeof GivenRowCallSchema>;

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
  return GivenRowCallSchema.extend({ type: nameTypes(types) });
}

function nameTypes([first, ...others]: readonly string[]) {
  const named = first === undefined ? z.string() : z.enum([first, ...others]);
  return named.describe(TYPE_DESCRIPTION);
}
