import { z } from "zod";

/** The operators of a filter. */
export const OPERATORS = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "not_in",
  "ilike",
  "contains",
  "is_null",
  "is_not_null",
] as const;
export type Operator = (typeof OPERATORS)[number];

/** A value of a condition as a model writes it. */
export const FilterValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.null(),
]);

/** One condition of a filter. Its id lets a JSON Schema say it once. */
export const ConditionSchema = z
  .strictObject({ column: z.string(), op: z.enum(OPERATORS), value: FilterValueSchema })
  .meta({ id: "condition" });
export type RowCondition = z.infer<typeof ConditionSchema>;

/** Rows that satisfy every condition of `where` and at least one of each `anyOf` group. */
export interface Filter {
  readonly where: readonly RowCondition[];
  readonly anyOf: readonly (readonly RowCondition[])[];
}
