import type { Column, ColumnKind, Key } from "../../state/entity.ts";
import type { CatalogueColumn } from "./catalogue.ts";

const TEXTS = ["text", "character varying", "character", "name", "citext"] as const;
const INTEGERS = ["integer", "bigint", "smallint"] as const;

/** The types of the database that a column of each kind may have. */
const TYPES: Readonly<Record<ColumnKind, readonly string[]>> = {
  text: TEXTS,
  integer: INTEGERS,
  number: ["numeric", "real", "double precision", ...INTEGERS],
  boolean: ["boolean"],
  date: ["date"],
  timestamp: ["timestamp with time zone", "timestamp without time zone"],
  choice: TEXTS,
  tags: ["text[]", "character varying[]"],
  json: ["jsonb", "json"],
};

const KEY_TYPES: Readonly<Record<Key["kind"], readonly string[]>> = {
  uuid: ["uuid"],
  text: TEXTS,
  integer: INTEGERS,
};

/** The type whose values are read as UTC: they say no time zone. */
export const NO_ZONE = "timestamp without time zone";

/** Returns true for a type of texts. */
export function isText(type: string): boolean {
  return TYPES.text.includes(type);
}

/** Returns true where the database's type holds values of the kind. Enums, and times without a zone, are only read. */
export function fitsKind(column: CatalogueColumn, { kind, set = "never" }: Column): boolean {
  if (column.type === NO_ZONE && kind === "timestamp") return set === "never";
  if (kind === "choice" && column.labels.length > 0) return set === "never";
  return TYPES[kind].includes(column.type);
}

/** Returns true where the database's type holds keys of the kind. */
export function fitsKey({ type }: CatalogueColumn, kind: Key["kind"]): boolean {
  return KEY_TYPES[kind].includes(type);
}

/** The kind that a column of the database is described with; null where none fits. */
export function findKind({ type, labels }: CatalogueColumn): ColumnKind | null {
  if (labels.length > 0) return "choice";
  const kinds = [
    "text",
    "integer",
    "number",
    "boolean",
    "date",
    "timestamp",
    "tags",
    "json",
  ] as const;
  return kinds.find((kind) => TYPES[kind].includes(type)) ?? null;
}

/** The kind of key that a column of the database can be; null where none fits. */
export function findKeyKind({ type }: CatalogueColumn): Key["kind"] | null {
  const kinds = ["uuid", "text", "integer"] as const;
  return kinds.find((kind) => KEY_TYPES[kind].includes(type)) ?? null;
}
