import { z } from "zod";
import {
  findKey,
  listInlineLists,
  type EntityRow,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { identifier, tableName } from "./sql.ts";

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
 * At `summary` the values are the summary columns, and of each inline list the count, or the items'
 * first column where the summary names it; at `full` they are every column, and each item an object.
 */
export async function fetchRows(
  tx: Queryable,
  entityType: EntityType,
  wanted: WantedRows,
): Promise<EntityRow[]> {
  if (wanted.ids.length === 0) return [];
  const { rows } = await tx.query(
    `select ${idSql(entityType)} as id, ${versionSql(entityType)} as row_version,
            ${contentSql(entityType, wanted.detail)} as content
       from ${tableName(entityType.table)} t
      where ${keySql(entityType)} = any($1::${keyType(entityType)}[])
      order by array_position($1::${keyType(entityType)}[], ${keySql(entityType)})`,
    [wanted.ids],
  );
  return rows.map((row) => FetchedRow.parse(row));
}

/** The SQL of a row's key, over the table alias `t`. */
export function keySql(entityType: EntityType): string {
  return `t.${identifier(findKey(entityType).column)}`;
}

/** The SQL type of the key's parameters. */
export function keyType(entityType: EntityType): string {
  const { kind } = findKey(entityType);
  return kind === "integer" ? "bigint" : kind;
}

/** The SQL of a row's key as the text by which code knows it. */
export function idSql(entityType: EntityType): string {
  return `${keySql(entityType)}::text`;
}

/** The SQL of what differs after every change: the version that the row counts, or a hash of it. */
export function versionSql({ version }: EntityType): string {
  return version === "content"
    ? "('x' || left(md5((t.*)::text), 8))::bit(32)::int"
    : "t.row_version";
}

/** The row as one JSON object, so that its values do not depend on how a client parses types. */
function contentSql(entityType: EntityType, detail: "summary" | "full"): string {
  const all = entityType.columns.map((column) => column.name);
  // A summary may name lists as well.
  const names = detail === "full" ? all : entityType.summary.filter((name) => all.includes(name));
  const columns = names.map((name) => `t.${identifier(name)}`);
  const lists = listInlineLists(entityType).map(
    (list) => `${itemsSql(entityType, list, detail)} as ${identifier(list.name)}`,
  );
  return objectSql([...columns, ...lists]);
}

/** A JSON object of columns, in their order and however many: a function takes 100 arguments at most. */
function objectSql(columns: readonly string[]): string {
  return `(select row_to_json(object.*) from (select ${columns.join(", ")}) as object)`;
}

function itemsSql(parent: EntityType, list: InlineList, detail: "summary" | "full"): string {
  const items = `from ${tableName(list.table)} c where c.${identifier(list.foreignKey)} = ${keySql(parent)}`;
  if (detail === "summary" && !parent.summary.includes(list.name)) {
    return `(select count(*)::int ${items})`;
  }
  const [first] = list.columns;
  const item =
    detail === "full" || first === undefined
      ? objectSql(list.columns.map(({ name }) => `c.${identifier(name)}`))
      : `c.${identifier(first.name)}`;
  return `(select coalesce(json_agg(${item} order by c.${identifier(list.orderBy)}), '[]'::json) ${items})`;
}
