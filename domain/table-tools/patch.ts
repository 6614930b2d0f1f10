import { z } from "zod";
import {
  isRequired,
  isSettable,
  listInlineLists,
  type Column,
  type EntityType,
} from "../../state/entity.ts";
import { isJsonObject, JsonObjectSchema, type Json, type JsonObject } from "../../state/json.ts";
import { ToolInputError } from "../../state/tool.ts";
import { createPatchSchema, listPatchColumns, type RowSchema } from "./column-schema.ts";

/** A change of a row as a model writes it. */
export interface GivenPatch {
  readonly set: Readonly<Record<string, unknown>>;
  readonly clear: readonly string[];
}

/** The keys by which a tool takes a change of a row of a type. */
export interface PatchShape {
  readonly [key: string]: z.ZodType;
  readonly set: RowSchema;
  readonly clear: z.ZodType<string[]>;
}

/** Returns the keys of a change: the values that are set, and the names of columns that become empty. */
export function createPatchShape(entityType: EntityType, action: "create" | "update"): PatchShape {
  const [first, ...others] = listPatchColumns(entityType, action)
    .filter((column) => canBeEmpty(column))
    .map(({ name }) => name);
  const names = first === undefined ? z.string() : z.enum([first, ...others]);
  return {
    set: createPatchSchema(entityType, action).describe("null leaves what is there"),
    clear: z.array(names).describe("columns to empty"),
  };
}

/**
 * Returns the values that a change sets, null or the empty text for what becomes empty.
 *
 * @throws ToolInputError where a column is set and cleared.
 */
export function readPatch(entityType: EntityType, { set, clear }: GivenPatch): JsonObject {
  const values = readLists(entityType, dropNulls(JsonObjectSchema.parse(set)));
  const both = clear.filter((name) => Object.hasOwn(values, name));
  if (both.length > 0) {
    throw new ToolInputError(
      `Cannot change "${both.join('", "')}": it is in set and in clear; give it in one of them`,
    );
  }
  const emptied = clear.map((name): [string, Json] => {
    const column = entityType.columns.find((one) => one.name === name);
    return [name, column?.nullable === false ? "" : null];
  });
  return { ...values, ...Object.fromEntries(emptied) };
}

/** Null empties a column, and the empty text one that takes no null and need not be given. */
function canBeEmpty(column: Column): boolean {
  const { kind, nullable = true, references } = column;
  return nullable || (kind === "text" && references === undefined && !isRequired(column));
}

/** Returns a new row without what was left out: null, and a list that may be empty by default. */
export function readNewRow(entityType: EntityType, row: unknown): JsonObject {
  const given = readLists(entityType, dropNulls(JsonObjectSchema.parse(row)));
  const entries = Object.entries(given);
  return Object.fromEntries(
    entries.filter(([name, value]) => {
      const isEmpty = Array.isArray(value) && value.length === 0;
      return !isEmpty || entityType.columns.some((one) => one.name === name && isRequired(one));
    }),
  );
}

/** The values with rows in lists whose only column was given alone. */
function readLists(entityType: EntityType, values: JsonObject): JsonObject {
  const lists = listInlineLists(entityType).flatMap(({ name, columns }): [string, Json][] => {
    const items = values[name];
    const column = (["update", "create"] as const)
      .map((action) => columns.find((one) => isSettable(one, action)))
      .find((one) => one !== undefined);
    if (!Array.isArray(items) || column === undefined) return [];
    return [
      [name, items.map((item: Json) => (isJsonObject(item) ? item : { [column.name]: item }))],
    ];
  });
  return { ...values, ...Object.fromEntries(lists) };
}

function dropNulls(values: JsonObject): JsonObject {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, dropNullsOfItems(value)]));
}

/** Rows of a list leave out what is null, as their parent does. */
function dropNullsOfItems(value: Json): Json {
  if (!Array.isArray(value)) return value;
  return value.map((item: Json) => (isJsonObject(item) ? dropNulls(item) : item));
}
