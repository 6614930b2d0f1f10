import { isRef, REF, withLabels } from "./read-entities.ts";
import { findNameColumns, selectNames, type ShownTable } from "./read-tables.ts";

/** A row as a prompt shows it: cells as texts, by column. */
export interface ShownRow {
  readonly ref: string;
  /** Null for rows that are written field by field. */
  readonly table: string | null;
  /** Its name. */
  readonly label: string;
  readonly cells: Readonly<Record<string, string>>;
  /** Child lists of rows that are written field by field. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

const ROW = new RegExp(`^(${REF})(?: \\| (.*))?$`);
const WHOLE_ROW = new RegExp(`^(${REF})(?: \\(draft, not saved\\))?$`);

/** Counts the rows that a table of rows leaves out for want of room. */
export function countLeftOut(text: string): number {
  const lines = text
    .replaceAll(/: read_\w+(?:, after \w+)?$/gm, "")
    .matchAll(/^(\d+) more [^\d]+$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Rows under their tables' heads, and rows written field by field. Without their tables, their names are guessed. */
export function readRows(text: string, tables: readonly ShownTable[] = []): ShownRow[] {
  const rows: Omit<ShownRow, "label">[] = [];
  let head: ReturnType<typeof readHead> = null;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const [, whole] = WHOLE_ROW.exec(line) ?? [];
    const [, ref, values = ""] = ROW.exec(line) ?? [];
    if (
      whole !== undefined &&
      (line.endsWith(")") || lines[index + 1]?.startsWith("  ") === true)
    ) {
      const rest = lines.slice(index + 1);
      const end = rest.findIndex((each) => !each.startsWith("  "));
      rows.push(readWholeRow(whole, rest.slice(0, end === -1 ? rest.length : end)));
    } else if (ref === undefined) head = readHead(line) ?? head;
    else if (head !== null) {
      const cells = values.split(" | ");
      const own = head.columns.map((name, at): [string, string] => [name, cells[at] ?? ""]);
      rows.push({
        ref,
        table: head.table,
        // What all have in common names none of them.
        cells: { ...Object.fromEntries(own), ...head.shared },
        lists: {},
      });
    }
  }
  return rows.map((row) => Object.assign(row, { label: readLabel(row, tables) }));
}

/** Reads the head of a table: `inventory: name | quantity (all: location = fridge)`. */
function readHead(line: string) {
  const [, table, names = "", all = ""] =
    /^([\p{L}_][\p{L}\p{N}_.]*):(?: (.*?))?(?: ?\(all: (.*)\))?$/u.exec(line) ?? [];
  if (table === undefined) return null;
  const shared = all
    .split(", ")
    .map((pair) => pair.split(" = "))
    .filter(({ length }) => length === 2);
  return {
    table,
    columns: names.split(" | ").filter((name) => name !== ""),
    shared: Object.fromEntries(shared),
  };
}

function readWholeRow(ref: string, lines: readonly string[]): Omit<ShownRow, "label"> {
  const cells: Record<string, string> = {};
  const lists: Record<string, string[]> = {};
  let open = "";
  for (const line of lines) {
    const [, list, total, shown = total, items] = LIST.exec(line) ?? [];
    if (list !== undefined && items !== undefined) {
      lists[list] = readItems(items, Number(shown));
      continue;
    }
    const [, field, value] = /^ {2}([\p{L}_][\p{L}\p{N}_]*):(?: (.*))?$/u.exec(line) ?? [];
    if (field !== undefined) open = field;
    if (value !== undefined) cells[open] = value;
    else if (line.startsWith("    ")) cells[open] = `${cells[open] ?? ""}\n${line.slice(4)}`.trim();
  }
  return { ref, table: null, cells, lists };
}

/** A list of a row: `ingredients (2): name eggs, quantity 4; name salt`, `items (30, first 1): item_1 (name Lamp)`. */
const LIST = /^ {2}([\p{L}_][\p{L}\p{N}_]*) \((\d+)(?:, first (\d+))?\): (.*)$/u;

/** The items of a list as their values alone: `eggs 4`. */
function readItems(text: string, count: number): string[] {
  const named = text.split("; ");
  if (named.length !== count) return text.split(", ");
  return named.map((item) => withLabels(item).split(", ").map(readValue).join(" "));
}

/** The value of `quantity 4`; a flag stands alone. */
function readValue(part: string): string {
  return /^[a-z_]\w* (.+)$/.exec(part)?.[1] ?? part;
}

/** A row's name: its name columns where its table is known, else what can name it. */
function readLabel({ ref, cells }: Omit<ShownRow, "label">, tables: readonly ShownTable[]): string {
  const type = ref.replace(/^gen_/, "").replace(/_\d+$/, "");
  const table = tables.find(({ prefix }) => prefix === type);
  const columns = table === undefined ? selectNames(Object.keys(cells)) : findNameColumns(table);
  const names = columns.flatMap((column) => cells[column] || []);
  if (names.length > 0) return names.join(" ");
  const filled = Object.values(cells).filter((cell) => cell !== "");
  // A number or a flag names nothing where there are words, and what a row points at is called so itself.
  const words = filled.filter((cell) => /\p{L}/u.test(cell) && !/^(?:true|false)$/.test(cell));
  const first = words.find((cell) => !isRef(cell)) ?? words[0] ?? filled[0];
  return first === undefined ? ref : withLabels(first) || ref;
}
