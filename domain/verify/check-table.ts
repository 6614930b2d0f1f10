import {
  findKey,
  hasRight,
  listInlineLists,
  type Column,
  type EntityList,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { nearest } from "../../text/nearest.ts";
import type { Domain } from "../../state/domain.ts";
import { isListWritten } from "../list-grants.ts";
import { printIdentifier, printTable } from "../table-tools/sql.ts";
import { findCatalogueTable, type Catalogue, type CatalogueTable } from "./catalogue.ts";
import { checkColumns, checkCreated, describeMissing, describeTable } from "./check-columns.ts";
import { checkProtection } from "./check-protection.ts";
import { listRead } from "./check-entity-type.ts";
import { checkFreeKeys, checkPointer, checkReferences } from "./check-references.ts";
import { fitsKey } from "./column-kinds.ts";
import { quoteNames, startSentence } from "./sentences.ts";

/** Finds the tables of a type and its lists that are not there. Pure. */
export function checkTableNames(type: EntityType, catalogue: Catalogue): readonly string[] {
  const place = `Type "${type.type}"`;
  const named = [
    [place, type.table],
    ...listInlineLists(type).map(({ name, table }) => [`${place}, list "${name}"`, table] as const),
  ] as const;
  return named.flatMap(([part, table]) =>
    findCatalogueTable(catalogue, table) === undefined
      ? [describeNoTable(part, table, catalogue)]
      : checkSchema(part, table, catalogue),
  );
}

/** Compares one entity type and its lists with their tables, as far as they are there. Pure. */
export function checkTable(
  type: EntityType,
  domain: Domain,
  catalogue: Catalogue,
): readonly string[] {
  const { table: name, columns, lists = [] } = type;
  const { entityTypes } = domain;
  const table = findCatalogueTable(catalogue, name);
  if (table === undefined) return [];
  const key = findKey(type).column;
  const hasKey = table.columns.some((column) => column.name === key);
  return [
    ...checkKey(type, table),
    // By a key that is not there, no journal could be right.
    ...(hasKey ? checkProtection(table, { name, type, key }, catalogue) : []),
    ...(table.kind === "table" ? [] : checkReadOnly(type, domain, table)),
    ...checkNames(type, table),
    ...checkColumns(table, { name, columns, entityTypes }, catalogue),
    ...checkReferences(table, { name, columns, entityTypes }, catalogue),
    ...checkFreeKeys(table, { name, columns, entityTypes }, catalogue),
    ...(hasRight(type, "create")
      ? checkCreated(table, { name, columns, what: `Type "${type.type}" may be created`, own: [] })
      : []),
    ...checkVersion(type, table),
    ...type.orderBy
      .filter((column) => columns.every((one) => one.name !== column))
      .flatMap((column) => requireColumn(table, name, column)),
    ...lists.flatMap((list) =>
      list.kind === "inline"
        ? checkInlineTable(type, list, { catalogue, entityTypes })
        : checkChildIndex(list, { catalogue, entityTypes }),
    ),
  ];
}

/** Finds the table that a name most likely means; null where none is near. */
export function findNearTable(name: string, { names }: Pick<Catalogue, "names">): string | null {
  // A table of another schema is nearer than one of another name.
  return names.find((one) => withoutSchema(one) === withoutSchema(name)) ?? nearest(name, names);
}

function describeNoTable(place: string, name: string, catalogue: Catalogue): string {
  const near = findNearTable(name, catalogue);
  const advice =
    near === null
      ? 'create it in a migration, or write its schema as well ("shop.orders")'
      : `did you mean "${near}"?`;
  return `${place}: there is no table or view "${name}"; ${advice}`;
}

/** The journal knows tables of the program's own schema by their names alone. */
function checkSchema(place: string, name: string, { schema }: Catalogue): readonly string[] {
  if (!name.startsWith(`${schema}.`)) return [];
  return [
    `${place}: the table "${name}" is in the program's own schema, where names stand without it; write "${withoutSchema(name)}"`,
  ];
}

function withoutSchema(table: string): string {
  return table.split(".").at(-1) ?? "";
}

function checkReadOnly(
  { type, table: name, rights = [] }: EntityType,
  { tools }: Domain,
  table: CatalogueTable,
): readonly string[] {
  const written = rights.filter((right) => right !== "read");
  const place = describeTable(table, name);
  return [
    ...(written.length === 0
      ? []
      : [
          `Type "${type}" has the rights ${quoteNames(written)}, but the ${place} can only be read; leave them out`,
        ]),
    ...tools
      .filter(({ writes = [] }) => writes.includes(type))
      .map(
        (tool) =>
          `Tool "${tool.name}" writes "${type}", but the ${place} can only be read; leave it out of writes`,
      ),
  ];
}

function requireColumn(table: CatalogueTable, name: string, column: string): readonly string[] {
  const isThere = table.columns.some((one) => one.name === column);
  return isThere ? [] : [describeMissing(table, name, column)];
}

function checkKey(type: EntityType, table: CatalogueTable): readonly string[] {
  const { column, kind } = findKey(type);
  const found = table.columns.find((one) => one.name === column);
  if (found === undefined) {
    const missing = describeMissing(table, type.table, column);
    return [`${missing}, or name another column in the key of type "${type.type}"`];
  }
  const place = `The key "${column}" of ${describeTable(table, type.table)}`;
  if (!fitsKey(found, kind)) {
    return [
      `${place} has the type ${found.type}, but is described as "${kind}"; write the kind in "key"`,
    ];
  }
  // A view's columns have no constraints of their own.
  if (table.kind !== "table") return [];
  if (!table.unique.includes(column)) {
    return [`${place} is not unique; make it the primary key, or give it a unique index`];
  }
  return found.required ? [] : [`${place} may be null; make it "not null"`];
}

/** Finds changeable rows that a person cannot name apart: their label is made of none of their values. */
function checkNames(type: EntityType, table: CatalogueTable): readonly string[] {
  const isChanged = hasRight(type, "update") || hasRight(type, "delete");
  const [column] = type.columns;
  if (!isChanged || column === undefined || listRead(type.label).length > 0) return [];
  // A person's one row needs no name of its own.
  if (table.unique.includes("user_id")) return [];
  return [
    `Type "${type.type}" may be changed, but its label reads no value, so all rows of a person have one name; let it read what tells them apart, such as String(values[${JSON.stringify(column.name)}]), or, where a person has one row, alter table ${printTable(type.table)} add unique (user_id)`,
  ];
}

function checkVersion(type: EntityType, table: CatalogueTable): readonly string[] {
  if (type.version === "content") return [];
  const place = startSentence(describeTable(table, type.table));
  const found = table.columns.find(({ name }) => name === "row_version");
  if (found === undefined) {
    return [
      `${place} has no column "row_version"; add "row_version int not null default 1" and "updated_at timestamptz not null default now()", or write version: "content" at type "${type.type}"`,
    ];
  }
  const content = `write version: "content" at type "${type.type}"`;
  if (found.type !== "integer") {
    return [
      `Column "row_version" of ${describeTable(table, type.table)} has the type ${found.type}; make it an integer, or ${content}`,
    ];
  }
  const time = table.columns.find(({ name }) => name === "updated_at");
  if (table.kind !== "table" || time?.type === "timestamp with time zone") return [];
  return [
    time === undefined
      ? `${place} has no column "updated_at", which concierge_touch_row sets beside row_version; add "updated_at timestamptz not null default now()" before that trigger, or ${content}`
      : `Column "updated_at" of ${describeTable(table, type.table)} has the type ${time.type}, and concierge_touch_row sets it to the time beside row_version; make it a timestamptz, or ${content}`,
  ];
}

interface Described {
  readonly catalogue: Catalogue;
  readonly entityTypes: readonly EntityType[];
}

function checkInlineTable(
  type: EntityType,
  list: InlineList,
  { catalogue, entityTypes }: Described,
): readonly string[] {
  const { table: name, columns, foreignKey, orderBy } = list;
  const table = findCatalogueTable(catalogue, name);
  if (table === undefined) return [];
  const isWritten = isListWritten(type, list);
  const remedy = `write the column that points at "${type.type}" in "foreignKey"`;
  const pointer: Column = { name: foreignKey, kind: "text", references: type.type };
  return [
    ...checkProtection(table, { name, type, key: null }, catalogue),
    ...(table.kind !== "table" && isWritten
      ? [
          `Type "${type.type}" may be changed, but its list "${list.name}" is the ${describeTable(table, name)}, which can only be read`,
        ]
      : []),
    ...checkColumns(table, { name, columns, entityTypes }, catalogue),
    ...checkReferences(table, { name, columns, entityTypes }, catalogue),
    ...checkPointer(table, { name, column: foreignKey, target: type, remedy }, catalogue),
    ...checkFreeKeys(table, { name, columns: [pointer, ...columns], entityTypes }, catalogue),
    ...(isWritten
      ? checkCreated(table, {
          name,
          columns,
          what: `Type "${type.type}" may be changed with its list "${list.name}"`,
          own: [foreignKey, orderBy],
        })
      : []),
    ...requireColumn(table, name, foreignKey),
    ...(columns.some((column) => column.name === orderBy)
      ? []
      : requireColumn(table, name, orderBy)),
    ...checkIndex(table, name, foreignKey),
  ];
}

function checkChildIndex(
  { type, foreignKey }: EntityList,
  { catalogue, entityTypes }: Described,
): readonly string[] {
  const child = entityTypes.find((one) => one.type === type);
  const table = child && findCatalogueTable(catalogue, child.table);
  return table === undefined ? [] : checkIndex(table, child?.table ?? "", foreignKey);
}

function checkIndex(table: CatalogueTable, name: string, foreignKey: string): readonly string[] {
  const isThere = table.columns.some((column) => column.name === foreignKey);
  // The indexes of a view are those of its tables.
  if (table.kind !== "table" || !isThere) return [];
  const isIndexed = table.indexes.some(
    ([first, second]) => first === foreignKey || (first === "user_id" && second === foreignKey),
  );
  if (isIndexed) return [];
  return [
    `Table "${name}" has no index that begins with "${foreignKey}", by which a list finds its rows; create index on ${printTable(name)} (${printIdentifier(foreignKey)})`,
  ];
}
