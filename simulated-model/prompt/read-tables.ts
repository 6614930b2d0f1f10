import { singular } from "../language/tokens.ts";

/** A column as the prompt shows it. */
interface ShownColumn {
  readonly name: string;
  readonly kind: string;
  /** The values of a choice. */
  readonly values: readonly string[];
  /** The type it points at; null for other columns. */
  readonly references: string | null;
}

/** A table as the prompt shows it. */
export interface ShownTable {
  readonly table: string;
  readonly type: string;
  readonly prefix: string;
  readonly columns: readonly ShownColumn[];
  readonly lists: readonly { readonly name: string; readonly columns: readonly ShownColumn[] }[];
}

/** Reads lines such as `- inventory (inventory, inv_n): name, quantity:number, location(pantry|fridge)`. */
export function readTables(text: string): ShownTable[] {
  return text.split("\n").flatMap((line) => {
    const [, table, type = "", prefix = "", rest = ""] =
      /^- ([a-z_]+) \(([a-z_]+), ([a-z_]+)_n\): (.*)$/.exec(line) ?? [];
    if (table === undefined) return [];
    const [own = "", ...children] = rest.split("; ");
    const lists = children.flatMap((list) => {
      const [, name, columns = ""] = /^([a-z_]+)\[(.*)\]$/.exec(list) ?? [];
      return name === undefined ? [] : [{ name, columns: readColumns(columns) }];
    });
    return [{ table, type, prefix, columns: readColumns(own), lists }];
  });
}

function readColumns(text: string): ShownColumn[] {
  return text.split(", ").flatMap((piece) => {
    const [, name, references = null, values, kind = "text"] =
      /^([a-z_]+)(?:→([a-z_]+))?(?:\(([^)]*)\)|:([a-z]+))?$/.exec(piece) ?? [];
    if (name === undefined) return [];
    return [
      {
        name,
        kind: values === undefined ? kind : "choice",
        values: values?.split("|") ?? [],
        references,
      },
    ];
  });
}

/** The table of a subdomain: the one of its name, else the one that begins like it. */
export function findTable(subdomain: string, tables: readonly ShownTable[]): ShownTable | null {
  const stem = singular(subdomain);
  const named =
    tables.find(({ table }) => table === subdomain) ??
    tables.find(({ table }) => table.startsWith(stem));
  return (
    named ??
    tables.find(({ type, prefix }) => type === stem || subdomain.startsWith(prefix)) ??
    null
  );
}

/** The column that names a row: `name`, `title`, else the first text that points at nothing. */
export function findNameColumn({ columns }: ShownTable): string {
  const texts = columns.filter(({ kind, references }) => kind === "text" && references === null);
  return (
    (texts.find(({ name }) => name === "name" || name === "title") ?? texts[0])?.name ?? "name"
  );
}

/** The first column of a kind that points at nothing; null where there is none. */
export function findColumn({ columns }: ShownTable, kind: string): string | null {
  return columns.find((column) => column.kind === kind && column.references === null)?.name ?? null;
}

/** The column whose choices hold a value; null where there is none. */
export function findChoice({ columns }: ShownTable, value: string | null): string | null {
  return columns.find(({ values }) => value !== null && values.includes(value))?.name ?? null;
}
