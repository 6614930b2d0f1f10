import { findKey, isSettable, type Column, type EntityType } from "../../state/entity.ts";
import { findKind, fitsKey, fitsKind, NO_ZONE } from "./column-kinds.ts";
import {
  qualifyName,
  type Catalogue,
  type CatalogueColumn,
  type CatalogueTable,
} from "./catalogue.ts";
import { listAllowedValues } from "./listed-values.ts";
import { printTable } from "../table-tools/sql.ts";
import { adviseName, quoteNames, startSentence } from "./sentences.ts";

/** `table "books"` or `view "shop.orders"`, for sentences. */
export function describeTable({ kind }: CatalogueTable, name: string): string {
  return `${kind} "${name}"`;
}

/** The columns of one table as a description has them. */
export interface DescribedColumns {
  /** The table's name in the description. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly entityTypes: readonly EntityType[];
}

/** Compares described columns with those of their table. Pure. */
export function checkColumns(
  table: CatalogueTable,
  { name, columns, entityTypes }: DescribedColumns,
  catalogue: Pick<Catalogue, "schema">,
): readonly string[] {
  return columns.flatMap((column) => {
    const found = table.columns.find((one) => one.name === column.name);
    if (found === undefined) return [describeMissing(table, name, column.name)];
    const place = `Column "${column.name}" of ${describeTable(table, name)}`;
    return [
      ...checkType(place, { column, found, table, name, entityTypes, catalogue }),
      ...(table.kind === "table"
        ? [
            ...checkNull(place, column, found),
            ...checkDefault(place, column, found),
            ...checkValues(place, column, listAllowedValues(found, table)),
          ]
        : []),
      ...((column.set ?? "never") !== "never" && found.generated
        ? [`${place} is generated, so nobody can set it; leave "set" out`]
        : []),
    ];
  });
}

/** The columns that a creation must give, and their writer. */
export interface CreatedRows extends Pick<DescribedColumns, "name" | "columns"> {
  /** Beginning of the sentence: `Type "book" may be created`. */
  readonly what: string;
  /** Columns that the program itself sets. */
  readonly own: readonly string[];
}

/** Finds the columns without which no row can be created, and which nobody can set. Pure. */
export function checkCreated(
  table: CatalogueTable,
  { name, columns, what, own }: CreatedRows,
): readonly string[] {
  if (table.kind !== "table") return [];
  const set = columns.filter((column) => isSettable(column, "create"));
  const given = new Set([...own, ...set.map((column) => column.name)]);
  return table.columns
    .filter((column) => column.required && !column.filled && !given.has(column.name))
    .map(
      (column) =>
        `${what}, but column "${column.name}" of ${describeTable(table, name)} is "not null" without a default and nobody can set it; ${column.name === "user_id" ? `alter table ${printTable(name)} alter user_id set default concierge_user()` : 'describe it with set: "create" or "always", or give it a default'}`,
    );
}

/** The sentence about a column that a table does not have. */
export function describeMissing(table: CatalogueTable, name: string, column: string): string {
  const known = table.columns.map((one) => one.name);
  const advice = adviseName({ name: column, known, what: "its columns" });
  return `${startSentence(describeTable(table, name))} has no column "${column}"; ${advice}`;
}

interface ComparedColumn extends Omit<DescribedColumns, "columns"> {
  readonly column: Column;
  readonly found: CatalogueColumn;
  readonly table: CatalogueTable;
  readonly catalogue: Pick<Catalogue, "schema">;
}

function checkType(place: string, compared: ComparedColumn): string[] {
  const { column, found, entityTypes } = compared;
  const target = entityTypes.find(({ type }) => type === column.references);
  if (target !== undefined) {
    const { kind } = findKey(target);
    return fitsKey(found, kind)
      ? []
      : [
          `${place} has the type ${found.type}, but the keys of "${target.type}" are of the kind "${kind}"; give it the type of the key that it points at`,
        ];
  }
  if (fitsKind(found, column)) return [];
  const kind = findKind(found);
  const isEnum = column.kind === "choice" && found.labels.length > 0;
  const remedy = isEnum
    ? 'an enum can only be read: leave "set" out, or make the column a text with a check constraint'
    : column.kind === "timestamp" && found.type === NO_ZONE
      ? 'it would be stored as UTC, whatever the zone of the person: make it "timestamptz", or leave "set" out'
      : kind === null
        ? "cast it in a view, and describe the view, or leave the column out"
        : `describe it as "${kind}"`;
  return [
    `${place} has the type ${found.type}, which does not fit the kind "${column.kind}"; ${adviseKey(compared) ?? remedy}`,
  ];
}

/** The remedy for a column that holds keys, for which refs stand; null for every other column. */
function adviseKey(compared: ComparedColumn): string | null {
  const { column, found, table, name, entityTypes, catalogue } = compared;
  const isReadable = findKind(found) !== null;
  const isKey = entityTypes.some(
    (type) => type.table === name && findKey(type).column === column.name,
  );
  if (isKey && !isReadable) return "it is the key, for which refs stand: leave the column out";
  for (const { columns, schema, table: target, targets } of table.references) {
    const key = targets[columns.indexOf(column.name)];
    if (key === undefined || column.name === "user_id") continue;
    const type = entityTypes.find(
      (one) => qualifyName(catalogue, one.table) === `${schema}.${target}`,
    );
    if (type !== undefined && findKey(type).column === key) {
      return `write references: "${type.type}"`;
    }
    if (type !== undefined || isReadable) continue;
    const shown = schema === catalogue.schema ? target : `${schema}.${target}`;
    return `it points at table "${shown}": describe that as a type and write it in "references", or leave the column out`;
  }
  return null;
}

function checkNull(place: string, { nullable = true }: Column, found: CatalogueColumn): string[] {
  if (nullable !== found.required) return [];
  return [
    nullable
      ? `${place} is "not null", but is described as nullable; write nullable: false`
      : `${place} may be null, but is described with nullable: false; make it "not null", or leave nullable out`,
  ];
}

function checkDefault(
  place: string,
  { hasDefault = false }: Column,
  found: CatalogueColumn,
): string[] {
  if (!hasDefault || found.filled) return [];
  return [
    `${place} is described with hasDefault: true, but has no default; give it one, or leave hasDefault out`,
  ];
}

function checkValues(
  place: string,
  { values = [] }: Column,
  allowed: readonly string[],
): readonly string[] {
  const isSame =
    values.length === allowed.length && allowed.every((value) => values.includes(value));
  if (values.length === 0 || allowed.length === 0 || isSame) return [];
  return [
    `${place} has the values ${quoteNames(values)}, but the database allows ${quoteNames(allowed)}; write the same values in both`,
  ];
}
