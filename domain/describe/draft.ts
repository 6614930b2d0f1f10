import type { Key } from "../../state/entity.ts";
import { identifier } from "../table-tools/sql.ts";
import {
  joinName,
  type Catalogue,
  type CatalogueColumn,
  type CatalogueTable,
} from "../verify/catalogue.ts";
import { findKeyKind } from "../verify/column-kinds.ts";
import { hasOwner } from "../verify/own-rows.ts";
import type { NamedTable, Nouns } from "./name-types.ts";

/** A table on its way to an entity type. */
export interface Draft {
  readonly table: CatalogueTable;
  readonly nouns: Nouns;
  /** The name in the description: of the table, or of the view that gives it a key. */
  readonly name: string;
  readonly key: Key;
  /** Set where no column is a key by itself: the SQL of the view's key. */
  readonly viewKey: string | null;
  readonly isShared: boolean;
}

/** Drafts the types of tables that have keys. */
export function draftTypes(
  tables: readonly NamedTable[],
  { schema, names }: Pick<Catalogue, "schema" | "names">,
): readonly Draft[] {
  const taken = new Set(names);
  return tables.map((named) => {
    const draft = draftType(named, { schema, taken });
    taken.add(draft.name);
    return draft;
  });
}

/** The schema of names without one, and those that a view cannot have. */
interface NamesInUse {
  readonly schema: string;
  readonly taken: ReadonlySet<string>;
}

function draftType({ table, nouns }: NamedTable, { schema, taken }: NamesInUse): Draft {
  const base = { table, nouns, isShared: !hasOwner(table) };
  const key = findColumnKey(table);
  if (key !== null) {
    const name = table.schema === schema ? table.name : joinName(table);
    return { ...base, name, key, viewKey: null };
  }
  const column = nameKey(table.columns);
  return {
    ...base,
    name: nameView(`${table.schema}_${table.name}`, taken),
    key: { column, kind: "text" },
    viewKey: `jsonb_build_array(${table.primaryKey.map(identifier).join(", ")})::text as ${column}`,
  };
}

/** Finds the column that tells the rows of a table apart; null where none does by itself. */
export function findColumnKey({ kind, columns, primaryKey, unique }: CatalogueTable): Key | null {
  const keys = columns.flatMap((column): Key[] => {
    const keyKind = findKeyKind(column);
    return keyKind === null ? [] : [{ column: column.name, kind: keyKind }];
  });
  const find = (isKey: (name: string) => boolean): Key | null =>
    keys.find(({ column }) => isKey(column)) ?? null;
  if (kind !== "table") {
    // A view's columns have no constraints; a person may have several rows of it.
    const hasId = columns.some(({ name }) => name === "id");
    return hasId
      ? find((name) => name === "id")
      : (find((name) => name !== "user_id") ?? find(() => true));
  }
  if (primaryKey.length === 1) return find((name) => name === primaryKey[0]);
  const required = new Set(columns.flatMap((one) => (one.required ? [one.name] : [])));
  return find((name) => required.has(name) && unique.includes(name));
}

/** PostgreSQL takes 63 characters of a name. */
function nameView(name: string, taken: ReadonlySet<string>, number = 1): string {
  const own = number === 1 ? name.slice(0, 63) : `${name.slice(0, 60)}_${number}`;
  return taken.has(own) ? nameView(name, taken, number + 1) : own;
}

function nameKey(columns: readonly CatalogueColumn[], name = "id"): string {
  const isTaken = columns.some((column) => column.name === name);
  return isTaken ? nameKey(columns, name === "id" ? "row_key" : `${name}_`) : name;
}
