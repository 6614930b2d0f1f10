import { z } from "zod";
import type { ChildTable, EntityType } from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import { ToolInputError, type RefBook } from "../../state/tool.ts";
import { quoteValue } from "../../text/quote-value.ts";
import { ValueSchema } from "./conditions.ts";
import { findChildTable, findWritableColumn } from "./lookup.ts";
import { readValue, type SqlValue } from "./values.ts";

/** One column set to a value, as a model writes it. Its id lets a JSON Schema say it once. */
export const ContentFieldSchema = z
  .strictObject({ name: z.string(), value: ValueSchema })
  .meta({ id: "field" });
type Field = z.infer<typeof ContentFieldSchema>;

/** One child row; `list` names the child list where the table has several. */
export const ChildSchema = z.strictObject({
  list: z.string().nullable(),
  fields: z.array(ContentFieldSchema),
});
type Child = z.infer<typeof ChildSchema>;

/** Most children one row may have. */
const MAX_CHILDREN = 200;

/** Column values ready for SQL, by column name. */
export type ColumnValues = ReadonlyMap<string, SqlValue>;

/** One row's content, checked and with ids in place of refs. */
export interface RowContent {
  readonly columns: ColumnValues;
  /** The whole new list of each child table that is to be set. */
  readonly children: ReadonlyMap<ChildTable, readonly ColumnValues[]>;
}

interface GivenContent {
  readonly fields: readonly Field[];
  readonly children: readonly Child[];
}

/**
 * Turns fields and children of a tool call into plain content, children under their list's name.
 *
 * @throws ToolInputError when a column is named twice or a child list is unknown.
 */
export function contentFromFields(entityType: EntityType, row: GivenContent): JsonObject {
  const lists = new Map<string, JsonObject[]>();
  for (const { list, fields } of row.children) {
    const { name } = findChildTable(entityType, list);
    const items = lists.get(name) ?? [];
    lists.set(name, [...items, objectFromFields(fields)]);
  }
  return { ...objectFromFields(row.fields), ...Object.fromEntries(lists) };
}

function objectFromFields(fields: readonly Field[]): JsonObject {
  const values = new Map<string, Json>();
  for (const { name, value } of fields) {
    if (values.has(name)) {
      throw new ToolInputError(
        `Cannot set column ${quoteValue(name)}: it is given twice in one row; give it once`,
      );
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}

/**
 * Checks content (a draft's, or fields of a tool call) against the entity type.
 *
 * A child may be an object or a plain text, which then is its first column.
 *
 * @throws ToolInputError for anything that cannot be stored as it stands; UnknownRefError for a wrong ref.
 */
export function readContent(
  entityType: EntityType,
  content: JsonObject,
  refs: RefBook,
): RowContent {
  const columns = new Map<string, SqlValue>();
  const children = new Map<ChildTable, readonly ColumnValues[]>();
  for (const [name, value] of Object.entries(content)) {
    const child = entityType.children.find((candidate) => candidate.name === name);
    if (child === undefined) {
      columns.set(name, readColumn(entityType, { name, value }, refs));
    } else {
      children.set(child, readChildren(child, value, refs));
    }
  }
  return { columns, children };
}

interface GivenField {
  readonly name: string;
  readonly value: Json;
}

function readColumn(owner: EntityType | ChildTable, field: GivenField, refs: RefBook): SqlValue {
  const column = findWritableColumn(owner, field.name);
  if (field.value === null && !column.nullable) {
    throw new ToolInputError(
      `Cannot set column "${column.name}" to null: it always has a value; give one or leave the column out`,
    );
  }
  return readValue(column, field.value, refs);
}

function readChildren(child: ChildTable, value: Json, refs: RefBook): ColumnValues[] {
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
        readColumn(child, { name, value: part }, refs),
      ]),
    );
  });
}
