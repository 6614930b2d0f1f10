import { stem } from "../language/stem.ts";
import { stems } from "../language/words.ts";
import { linesOf } from "./read-prompt.ts";

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
  /** What a row of it is called. */
  readonly type: string;
  readonly prefix: string;
  readonly columns: readonly ShownColumn[];
  readonly lists: readonly { readonly name: string; readonly columns: readonly ShownColumn[] }[];
}

/** Reads lines such as `- inventory (inventory, inv_n): name, quantity:number, location(pantry|fridge)`. */
export function readTables(text: string): ShownTable[] {
  return linesOf(text).flatMap((line) => {
    const [, table, type, prefix, rest] =
      /^- ([a-z_]+) \(([a-z_]+), ([a-z_]+)_n\): (.*)$/.exec(line) ?? [];
    if (table === undefined || type === undefined || prefix === undefined || rest === undefined) {
      return [];
    }
    const [own = "", ...lists] = rest.split("; ");
    return [
      {
        table,
        type,
        prefix,
        columns: readColumns(own),
        lists: lists.flatMap((list) => {
          const [, name, columns] = /^([a-z_]+)\[(.*)\]$/.exec(list) ?? [];
          return name === undefined ? [] : [{ name, columns: readColumns(columns ?? "") }];
        }),
      },
    ];
  });
}

function readColumns(text: string): ShownColumn[] {
  return text.split(", ").flatMap((piece) => {
    const [, name, target, values, kind] =
      /^([a-z_]+)(?:→([a-z_]+))?(?:\(([^)]*)\)|:([a-z]+))?$/.exec(piece) ?? [];
    if (name === undefined) return [];
    return [
      {
        name,
        kind: values === undefined ? (kind ?? "text") : "choice",
        values: values === undefined ? [] : values.split("|"),
        references: target ?? null,
      },
    ];
  });
}

/** The table of a subdomain: the one of its name, else the one whose name begins or speaks like it. */
export function tableOf(subdomain: string, tables: readonly ShownTable[]): ShownTable | null {
  const words = stems(subdomain.replaceAll("_", " "));
  return (
    tables.find(({ table }) => table === subdomain) ??
    tables.find(({ table }) => table.startsWith(subdomain)) ??
    tables.find(({ table }) =>
      stems(table.replaceAll("_", " ")).some((word) => words.includes(word)),
    ) ??
    tables.find(({ prefix }) => words.some((word) => word.startsWith(stem(prefix)))) ??
    null
  );
}

/** The table whose rows refs of that kind name. */
export function tableOfKind(kind: string, tables: readonly ShownTable[]): ShownTable | null {
  return tables.find(({ prefix }) => prefix === kind) ?? null;
}

/** The column that names a row: the first text that points at nothing. */
export function nameColumn(table: ShownTable): string {
  return (
    table.columns.find(({ name }) => name === "name" || name === "title")?.name ??
    table.columns.find(({ kind, references }) => kind === "text" && references === null)?.name ??
    "name"
  );
}

/** The first column of a kind; null where there is none. */
export function columnOfKind(table: ShownTable, kind: string): ShownColumn | null {
  return table.columns.find((column) => column.kind === kind && column.references === null) ?? null;
}
