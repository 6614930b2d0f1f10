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

/** A value as a model writes it. */
export const ValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.null(),
]);

/** One condition of a filter. Its id lets a JSON Schema say it once. */
export const ConditionSchema = z
  .strictObject({ column: z.string(), op: z.enum(OPERATORS), value: ValueSchema })
  .meta({ id: "condition" });
export type RowCondition = z.infer<typeof ConditionSchema>;

/** A condition whose JSON Schema leaves the operators to the tool that lists them beside it. */
export const PlainConditionSchema = z
  .strictObject({ column: z.string(), op: z.string(), value: ValueSchema })
  .pipe(ConditionSchema);

/** Rows that satisfy every condition of `where` and at least one of each `anyOf` group. */
export interface Filter {
  readonly where: readonly RowCondition[];
  readonly anyOf: readonly (readonly RowCondition[])[];
}
