import { z } from "zod";
import {
  isRequired,
  isSettable,
  listInlineLists,
  listSettableLists,
  listVisibleColumns,
  type Column,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { DECIMAL } from "./values.ts";

/** An object whose keys come from an entity type. */
export type RowSchema = z.ZodObject<Record<string, z.ZodType>>;

/** Returns the schema of a new row: required columns must be given, of the others null leaves out. */
export function createRowSchema(entityType: EntityType): RowSchema {
  const settable = entityType.columns.filter((column) => isSettable(column, "create"));
  const lists = listSettableLists(entityType, "create").map((list): [string, z.ZodType] => [
    list.name,
    z.array(createItemSchema(list, "create")).describe(describeList(list)),
  ]);
  return z.strictObject({ ...describeColumns(settable), ...Object.fromEntries(lists) });
}

/** Returns the schema of what changes in a row: null leaves a column or a list as it is. */
export function createPatchSchema(entityType: EntityType, action: "create" | "update"): RowSchema {
  const columns = listPatchColumns(entityType, action).map((column): [string, z.ZodType] => [
    column.name,
    valueSchema(column).nullable().describe(describeColumn(column)),
  ]);
  const lists = listSettableLists(entityType, action).map((list): [string, z.ZodType] => [
    list.name,
    z.array(createItemSchema(list, action)).nullable().describe(`the whole new list`),
  ]);
  return z.strictObject(Object.fromEntries([...columns, ...lists]));
}

/** Returns the columns that a change may set. */
export function listPatchColumns(
  entityType: EntityType,
  action: "create" | "update",
): readonly Column[] {
  return entityType.columns.filter((column) => isSettable(column, action));
}

/** Returns the schema of the name of a column, with the kinds of those that do not hold text. */
export function createColumnSchema(columns: readonly Column[]): z.ZodType<string> {
  const [first = "id", ...others] = columns.map(({ name }) => name);
  const kinds = columns.flatMap((column) => {
    const words = describeKind(column);
    return words === null ? [] : [`${column.name}: ${words}`];
  });
  return z.enum([first, ...others]).describe(kinds.join("; ") || "all of them hold text");
}

/** Returns what a filter can name: the columns of the table, and those of its lists as `ingredients.name`. */
export function listFilterColumns(entityType: EntityType): readonly Column[] {
  const parts = listInlineLists(entityType).flatMap((list) =>
    listVisibleColumns(list).map((column): Column => {
      const { name } = column;
      return Object.assign({}, column, { name: `${list.name}.${name}` });
    }),
  );
  return [...listVisibleColumns(entityType), ...parts];
}

/** A row of a list; its only column stands for it. */
function createItemSchema(list: InlineList, action: "create" | "update"): z.ZodType {
  const columns = list.columns.filter((column) => isSettable(column, action));
  const [only, ...others] = columns;
  if (only !== undefined && others.length === 0) return valueSchema(only);
  return z.strictObject(describeColumns(columns));
}

function describeList({ name, columns }: InlineList): string {
  const [only, ...others] = columns;
  if (only === undefined || others.length > 0) return nameInWords(name);
  return describeColumn(only);
}

function describeColumns(columns: readonly Column[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    columns.map((column) => {
      const value = valueSchema(column);
      // An empty list is left out as well: it needs no null.
      const isWhole = isRequired(column) || column.kind === "tags";
      return [column.name, (isWhole ? value : value.nullable()).describe(describeColumn(column))];
    }),
  );
}

/** Numbers, whose digits may come as a text: JavaScript cannot hold all of them. The column's reader is stricter. */
const ANY_NUMBER = z.unknown().refine(isNumber, { error: "give a number", abort: true });
const NUMBER = ANY_NUMBER.meta({ type: "number" });
const WHOLE_NUMBER = ANY_NUMBER.refine(
  (value) => !String(value).includes("."),
  "give a whole number",
).meta({ type: "integer" });

function isNumber(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && DECIMAL.test(value));
}

function valueSchema(column: Column): z.ZodType {
  if (column.references !== undefined) return z.string();
  switch (column.kind) {
    case "text":
    case "json":
      return z.string();
    case "integer":
      return WHOLE_NUMBER;
    case "number":
      return NUMBER;
    case "boolean":
      return z.boolean();
    case "date":
      return z.string().meta({ format: "date" });
    case "timestamp":
      return z.string().meta({ format: "date-time" });
    case "choice":
      return z.enum(column.values ?? []);
    case "tags":
      return z.array(z.string());
  }
  return column.kind satisfies never;
}

/** The column's own words, else its name; a ref says of which type it is. */
function describeColumn({ name, about, references }: Column): string {
  if (references === undefined) return about ?? nameInWords(name);
  const ref = `ref of type ${references}`;
  return about === undefined ? ref : `${about}: ${ref}`;
}

function describeKind(column: Column): string | null {
  if (column.references !== undefined) return `ref of type ${column.references}`;
  switch (column.kind) {
    case "text":
      return null;
    case "integer":
      return "whole number";
    case "number":
      return "number";
    case "boolean":
      return "true or false";
    case "date":
      return "YYYY-MM-DD";
    case "timestamp":
      return "ISO 8601 time";
    case "choice":
      return (column.values ?? []).join("|");
    case "tags":
      return "list of texts";
    case "json":
      return "is_null only";
  }
  return column.kind satisfies never;
}

function nameInWords(name: string): string {
  return name.replaceAll("_", " ");
}
