import { findKey, type EntityType } from "../../state/entity.ts";
import {
  findCatalogueTable,
  joinName,
  qualifyName,
  type Catalogue,
  type CatalogueTable,
} from "./catalogue.ts";
import { describeTable, type DescribedColumns } from "./check-columns.ts";

/** A column of a table, and the type at whose rows it points. */
export interface Pointer {
  /** The table's name in the description. */
  readonly name: string;
  readonly column: string;
  readonly target: EntityType;
  /** The end of the sentence: what to write. */
  readonly remedy: string;
}

/** Compares what columns point at with their foreign keys. Pure. */
export function checkReferences(
  table: CatalogueTable,
  { name, columns, entityTypes }: DescribedColumns,
  catalogue: Catalogue,
): readonly string[] {
  return columns.flatMap((column) => {
    const target = entityTypes.find(({ type }) => type === column.references);
    if (target === undefined) return [];
    const remedy = 'write that table\'s type in "references"';
    return checkPointer(table, { name, column: column.name, target, remedy }, catalogue);
  });
}

/**
 * Finds foreign keys to rows of persons whose values a person may choose freely: the database checks them
 * past row-level security. A reference takes rows that the person sees, and a key that holds the owner as
 * well those of the same person. Pure.
 */
export function checkFreeKeys(
  table: CatalogueTable,
  { name, columns, entityTypes }: DescribedColumns,
  catalogue: Catalogue,
): readonly string[] {
  const describe = (wanted: string) => columns.find((column) => column.name === wanted);
  return table.references.flatMap(({ columns: own, targets, isOwned, ...target }) => {
    const full = `${target.schema}.${target.table}`;
    const isTarget = (type: EntityType): boolean => qualifyName(catalogue, type.table) === full;
    const isNarrowed = own.some(
      (one, at) =>
        (one === "user_id" && targets[at] === "user_id") ||
        // A type that shares rows of persons is refused by itself.
        entityTypes.some(
          (type) =>
            type.type === describe(one)?.references &&
            (type.ownership !== "shared" || isTarget(type)),
        ),
    );
    const free = own.find((one) => (describe(one)?.set ?? "never") !== "never");
    if (!isOwned || isNarrowed || free === undefined) return [];
    const type = entityTypes.find(isTarget);
    const isKey = type !== undefined && findKey(type).column === targets[own.indexOf(free)];
    const remedy = isKey
      ? `write references: "${type.type}"`
      : type === undefined
        ? 'describe that table as a type and write it in "references"'
        : "let the foreign key hold user_id of both tables as well";
    return [
      `Column "${free}" of ${describeTable(table, name)} may be set, and points at table "${shortenName(full, catalogue)}", whose rows belong to persons, so that a person could point at rows of others; ${remedy}, or leave "set" out`,
    ];
  });
}

/** Compares what one column points at with its foreign keys. Pure. */
export function checkPointer(
  table: CatalogueTable,
  { name, column, target, remedy }: Pointer,
  catalogue: Catalogue,
): readonly string[] {
  const targetTable = findCatalogueTable(catalogue, target.table);
  // Nothing is known of a view's keys, but what its tables say.
  if (table.kind !== "table" || targetTable?.kind !== "table") return [];
  const direct = table.references.find(({ columns }) => columns.includes(column));
  const key = findKey(target).column;
  const keys = [{ table: joinName(targetTable), column: key }, ...listLeads(targetTable, key)];
  const isSame = listLeads(table, column).some((lead) =>
    keys.some((one) => one.table === lead.table && one.column === lead.column),
  );
  if (direct === undefined || isSame) return [];
  const full = `${direct.schema}.${direct.table}`;
  const place = `Column "${column}" of ${describeTable(table, name)} points at rows of "${target.type}" by its description, but its foreign key points at`;
  const found = direct.targets[direct.columns.indexOf(column)] ?? "";
  if (full === joinName(targetTable)) {
    return [
      `${place} their column "${found}", and their key is "${key}"; describe "${found}" as the key of type "${target.type}", or leave "references" out`,
    ];
  }
  return [`${place} table "${shortenName(full, catalogue)}"; ${remedy}`];
}

/** All to which foreign keys lead from a column: a row of a subtype has the key of the row it belongs to. */
function listLeads({ leads }: CatalogueTable, column: string) {
  return leads.filter(({ from }) => from === column);
}

/** The name without its schema where that is the default one, as descriptions write it. */
function shortenName(name: string, { schema }: Catalogue): string {
  return name.startsWith(`${schema}.`) ? name.slice(schema.length + 1) : name;
}
