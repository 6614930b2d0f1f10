import { z } from "zod";
import type { ChildTable, EntityRow, EntityType } from "../../state/entity.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { identifier, literal } from "./sql.ts";

const FetchedRow = z
  .object({ id: z.string(), row_version: z.number().int(), content: JsonObjectSchema })
  .transform((row): EntityRow => ({
    id: row.id,
    rowVersion: row.row_version,
    values: row.content,
  }));

interface WantedRows {
  readonly ids: readonly string[];
  readonly detail: "summary" | "full";
}

/**
 * Fetches rows by id, in the order of the ids; ids without a row are left out.
 *
 * At `summary` the values are the summary columns, and each child list holds the children's first
 * column; at `full` they are every column, and each child an object.
 */
export async function fetchRows(
  tx: Queryable,
  entityType: EntityType,
  wanted: WantedRows,
): Promise<EntityRow[]> {
  if (wanted.ids.length === 0) return [];
  const { rows } = await tx.query(
    `select t.id::text as id, t.row_version, ${contentSql(entityType, wanted.detail)} as content
       from ${identifier(entityType.table)} t
      where t.id = any($1::uuid[])
      order by array_position($1::uuid[], t.id)`,
    [wanted.ids],
  );
  return rows.map((row) => FetchedRow.parse(row));
}

/** The row as one JSON object, so that its values do not depend on how a client parses types. */
function contentSql(entityType: EntityType, detail: "summary" | "full"): string {
  const names =
    detail === "full" ? entityType.columns.map((column) => column.name) : entityType.summary;
  const columns = names.map((name) => `${literal(name)}, t.${identifier(name)}`);
  const children = entityType.children.map(
    (child) => `${literal(child.name)}, ${childrenSql(child, detail)}`,
  );
  return `json_build_object(${[...columns, ...children].join(", ")})`;
}

function childrenSql(child: ChildTable, detail: "summary" | "full"): string {
  const [first] = child.columns;
  const parts = child.columns.map(
    (column) => `${literal(column.name)}, c.${identifier(column.name)}`,
  );
  const item =
    detail === "full" || first === undefined
      ? `json_build_object(${parts.join(", ")})`
      : `c.${identifier(first.name)}`;
  return `(select coalesce(json_agg(${item} order by c.${identifier(child.orderBy)}, c.id), '[]'::json)
      from ${identifier(child.table)} c where c.${identifier(child.foreignKey)} = t.id)`;
}
