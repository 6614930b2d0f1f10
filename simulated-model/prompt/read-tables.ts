import type { SimulatedWords } from "../../state/simulated-words.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import { singular } from "../language/tokens.ts";
import type { OfferedTool } from "./read-prompt.ts";

/** A column as a tool shows it. */
interface ShownColumn {
  readonly name: string;
  readonly kind: string;
  /** The values of a choice. */
  readonly values: readonly string[];
  /** The type it points at; null for other columns. */
  readonly references: string | null;
}

/** Rows of one type, as the tools for them show it. */
export interface ShownTable {
  /** The noun in the tools' names: `shopping_list_lines`. */
  readonly table: string;
  /** The part of the data that they are, where it is known; else the noun. */
  readonly part: string;
  /** One of them, in words. */
  readonly one: string;
  readonly prefix: string;
  readonly columns: readonly ShownColumn[];
  /** Columns that the rows' label reads; none where they are not known. */
  readonly labels: readonly string[];
  /** The columns that a tool can set in its rows; none where no tool is offered. */
  readonly settable: readonly string[];
  /** The columns that a message may set without naming them. */
  readonly fillable: readonly ShownColumn[];
  readonly lists: readonly { readonly name: string; readonly columns: readonly ShownColumn[] }[];
}

/** Reads what tools such as `read_inventory_items` show about their rows. Only the rows of the step's own part can be ordered. */
export function readTables(
  tools: readonly OfferedTool[],
  own: string,
  { roles, columns: filled = [], labels: read = {} }: SimulatedWords,
): ShownTable[] {
  const parts = [own, ...Object.values(roles).filter((part) => part !== null)];
  return tools.flatMap(({ name, parameters }) => {
    const [, table] = /^read_([a-z0-9_]+)$/.exec(name) ?? [];
    const refs = followKeys(parameters, ["properties", "refs", "description"]);
    const [, prefix] = /^([a-z_]\w*)_n\b/.exec(typeof refs === "string" ? refs : "") ?? [];
    if (table === undefined || prefix === undefined) return [];
    const column = followKeys(parameters, ["$defs", "condition", "properties", "column"]);
    const all = isJsonObject(column) ? readColumns(column) : [];
    const columns = all.filter((each) => !each.name.includes("."));
    const listNames = [...new Set(all.flatMap((each) => each.name.split(".").slice(0, -1)))];
    const lists = listNames.map((list) => ({ name: list, columns: readListColumns(list, all) }));
    const one = singular(table.replaceAll("_", " "));
    const isOwn = followKeys(parameters, ["properties", "orderBy"]) !== null;
    const part = isOwn ? own : (parts.find((name) => name.startsWith(prefix)) ?? table);
    const update = tools.find((tool) => tool.name === `update_${table}`)?.parameters ?? {};
    const set = followKeys(update, ["properties", "set", "properties"]);
    const settable = isJsonObject(set) ? Object.keys(set) : [];
    const fillable = columns.filter((each) => filled.includes(each.name));
    const labels = read[prefix] ?? [];
    return [{ table, part, one, prefix, columns, labels, settable, fillable, lists }];
  });
}

/** Reads the tables of a prompt's list of columns: `- task: title*, due_on date, done true|false`. `parts` are the parts of the data by type. */
export function readColumnList(
  list: string,
  parts: ReadonlyMap<string, string>,
  { columns: filled = [], labels: read = {} }: SimulatedWords,
): ShownTable[] {
  const choices = new Map<string, readonly string[]>();
  return [...list.matchAll(/^- ([a-z]\w*)(?: \(.*?\))?: (.+)$/gm)].map(
    ([, type = "", text = ""]) => {
      const lists = [...text.matchAll(/([a-z]\w*)\(([^)]*)\)/g)].map(
        ([, name = "", inner = ""]) => ({
          name,
          columns: inner.split(", ").map((column) => readColumn(column, "text")),
        }),
      );
      const own = text.replaceAll(/(?:, )?[a-z]\w*\([^)]*\)/g, "").split(", ");
      const columns = own.map((column) => readListedColumn(column, choices));
      const one = type.replaceAll("_", " ");
      const part = parts.get(type) ?? type;
      const fillable = columns.filter(({ name }) => filled.includes(name));
      const shown = { columns, labels: read[type] ?? [], settable: [], fillable, lists };
      return Object.assign(shown, { table: type, part, one, prefix: type });
    },
  );
}

/** Reads `location pantry|fridge`; the values of a choice may stand above. */
function readListedColumn(text: string, choices: Map<string, readonly string[]>): ShownColumn {
  const [, name = "", words = ""] =
    /^([A-Za-z]\w*)\*?(?: (?!\(fixed\))(.*?))?(?: \(fixed\))?$/.exec(text) ?? [];
  const above = words === "(as above)" ? (choices.get(name) ?? []).join("|") : words;
  const column = readColumn(name, above || "text");
  if (column.kind === "choice") choices.set(name, column.values);
  return column;
}

function readListColumns(list: string, all: readonly ShownColumn[]): ShownColumn[] {
  return all
    .filter(({ name }) => name.startsWith(`${list}.`))
    .map((column) => Object.assign({}, column, { name: column.name.slice(list.length + 1) }));
}

function followKeys(schema: Json, keys: readonly string[]): Json {
  return keys.reduce<Json>(
    (inner, key) => (isJsonObject(inner) ? (inner[key] ?? null) : null),
    schema,
  );
}

const KINDS: Readonly<Record<string, string>> = {
  "whole number": "number",
  "true or false": "boolean",
  "true|false": "boolean",
  "YYYY-MM-DD": "date",
  "list of texts": "tags",
  list: "tags",
};

/** Columns by name, with their kinds: `quantity: number; location: pantry|fridge; recipe_id: ref of type recipe`. */
function readColumns({ enum: names, description }: JsonObject): ShownColumn[] {
  if (!Array.isArray(names)) return [];
  const pairs = typeof description === "string" ? description.split("; ") : [];
  const kinds = new Map(
    pairs.map((pair) => [pair.split(": ")[0] ?? "", pair.split(": ")[1] ?? ""]),
  );
  return names
    .filter((name: Json) => typeof name === "string")
    .map((name) => readColumn(name, kinds.get(name) ?? "text"));
}

function readColumn(name: string, words: string): ShownColumn {
  const [, references = null] = /^(?:ref of type|→) (.+)$/.exec(words) ?? [];
  const known = references === null ? KINDS[words] : "text";
  const values = known === undefined && words.includes("|") ? words.split("|") : [];
  return { name, kind: known ?? (values.length > 0 ? "choice" : words), values, references };
}

/** The rows of a subdomain: those whose refs begin like it, else those whose tools are named like it. */
export function findTable(subdomain: string, tables: readonly ShownTable[]): ShownTable | null {
  const stem = singular(subdomain);
  return (
    tables.find(({ table, part }) => part === subdomain || table === subdomain) ??
    tables.find(({ prefix }) => subdomain.startsWith(prefix)) ??
    tables.find(({ table }) => table.startsWith(stem)) ??
    null
  );
}

/** The parts of a person's name, in the order in which people say them. */
const PERSON = [/^(?:first|given)_?name$/i, /^middle_?name$/i, /^(?:last|family|sur)_?name$/i];

/** Selects the columns that name a row: the names of a person, else `name` or `title`; none where there are none. */
export function selectNames(columns: readonly string[]): readonly string[] {
  const names = PERSON.flatMap((part) => columns.filter((column) => part.test(column)));
  return names.length > 1
    ? names
    : columns.filter((each) => /^(?:name|title)$/i.test(each)).slice(0, 1);
}

/** The columns that name a row: a person's names, `name`, `title`, else the first text of its label that points at nothing, or of all; none where there is no text. */
export function findNameColumns({ columns, labels }: ShownTable): readonly string[] {
  const texts = columns
    .filter(
      ({ name, kind, references }) => !ID.test(name) && kind === "text" && references === null,
    )
    .map(({ name }) => name);
  const names = selectNames(texts);
  if (names.length > 0) return names;
  const read = labels.filter((name) => texts.includes(name));
  return (read.length > 0 ? read : texts).slice(0, 1);
}

/** The first column of a kind that points at nothing and is no id; null where there is none. */
export function findColumn({ columns }: ShownTable, kind: string): string | null {
  const own = columns.filter(({ name, references }) => references === null && !ID.test(name));
  return own.find((column) => column.kind === kind)?.name ?? null;
}

const ID = /(?:^|_)id$|Id$/;

/** The column of a kind that a message may set without naming it; null where there is none. */
export function findFillable({ fillable }: ShownTable, kind: string): string | null {
  return fillable.find((column) => column.kind === kind)?.name ?? null;
}

/** The column whose choices hold a value; null where there is none. */
export function findChoice({ columns }: ShownTable, value: string | null): string | null {
  return columns.find(({ values }) => value !== null && values.includes(value))?.name ?? null;
}
