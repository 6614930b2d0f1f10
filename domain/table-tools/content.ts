import { z } from "zod";
import {
  isRequired,
  isSettable,
  listInlineLists,
  listSettableLists,
  type Column,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { MisfitError, ToolInputError, type RefBook } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";
import { findSettableColumn, type Setter } from "./lookup.ts";
import { isUnseen, readValue, type SqlValue } from "./values.ts";

/** Most children one row may have. */
const MAX_CHILDREN = 200;

/** Column values ready for SQL, by column name. */
export type ColumnValues = ReadonlyMap<string, SqlValue>;

/** One row's content, checked and with ids in place of refs. */
export interface RowContent {
  readonly columns: ColumnValues;
  /** The whole new content of each inline list that is to be set. */
  readonly lists: ReadonlyMap<InlineList, readonly ColumnValues[]>;
}

/** Setter of the content, and the refs that it may name. */
export interface ContentUse {
  readonly setter: Setter;
  readonly refs: RefBook;
}

/**
 * Checks content (a draft's, or a row of a tool call) against the entity type.
 *
 * A child may be an object or a plain text, which then is its first column.
 *
 * @throws ToolInputError for anything that cannot be stored as it stands; UnknownRefError for a wrong ref.
 */
export function readContent(
  entityType: EntityType,
  content: JsonObject,
  use: ContentUse,
): RowContent {
  const columns = new Map<string, SqlValue>();
  const lists = new Map<InlineList, readonly ColumnValues[]>();
  const { setter } = use;
  const settable =
    setter === "tool" ? listInlineLists(entityType) : listSettableLists(entityType, setter);
  for (const [name, value] of Object.entries(content)) {
    const child = settable.find((candidate) => candidate.name === name);
    if (child === undefined) {
      columns.set(name, readColumn(entityType, { name, value }, use));
    } else {
      lists.set(child, readChildren(child, value, use));
    }
  }
  return { columns, lists };
}

/**
 * Checks that a new row, or a draft of one, has a value in every column that must have one.
 *
 * @throws ToolInputError that names the columns without one.
 */
export function assertComplete({ columns, words }: EntityType, values: JsonObject): void {
  const missing = columns
    .filter((column) => isRequired(column) && isSettable(column, "create"))
    .filter(({ name }) => isMissing(values[name]));
  if (missing.length === 0) return;
  throw new MisfitError(
    `Cannot make a ${words.one} without ${missing.map(({ name }) => `"${name}"`).join(", ")}: give a value`,
    missing.map(({ name: column }) => ({ column, value: null })),
  );
}

function isMissing(value: Json | undefined): boolean {
  return (value ?? null) === null || (typeof value === "string" && isUnseen(value));
}

interface GivenField {
  readonly name: string;
  readonly value: Json;
}

function readColumn(
  owner: EntityType | InlineList,
  field: GivenField,
  { setter, refs }: ContentUse,
): SqlValue {
  const column = findSettableColumn(owner, field.name, setter);
  if (field.value === null && column.nullable === false) {
    throw new MisfitError(
      `Cannot set column "${column.name}" to null: it always has a value; give one or leave the column out`,
      [{ column: column.name, value: null }],
    );
  }
  const found = setter === "tool" ? readFoundRow(column, field.value) : null;
  return found ?? readValue(column, field.value, refs);
}

const FoundRowSchema = z.strictObject({ type: z.string(), id: z.string() });

/** The key of a row that a handler has found itself; null for any other value. */
function readFoundRow({ references }: Column, value: Json): string | null {
  const { data } = FoundRowSchema.safeParse(value);
  return data !== undefined && data.type === references ? data.id : null;
}

function readChildren(child: InlineList, value: Json, use: ContentUse): ColumnValues[] {
  if (!Array.isArray(value) || value.length > MAX_CHILDREN) {
    throw new ToolInputError(
      `Cannot set "${child.name}": it does not fit; give a list of at most ${MAX_CHILDREN}`,
    );
  }
  return value.map((item: Json) => {
    const fields = typeof item === "string" ? { [child.columns[0]?.name ?? ""]: item } : item;
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
      throw new ToolInputError(
        `Cannot set "${child.name}": ${quoteValue(item)} is not one of its rows; give an object with ${child.columns.map((column) => column.name).join(", ")}`,
      );
    }
    const entries = Object.entries(fields);
    return new Map(
      entries.map(([name, part]: [string, Json]) => [
        name,
        readColumn(child, { name, value: part }, use),
      ]),
    );
  });
}
