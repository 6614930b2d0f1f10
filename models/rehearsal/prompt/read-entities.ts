import { linesOf } from "./read-prompt.ts";

/** An entity as a table of refs shows it. */
export interface Thing {
  readonly ref: string;
  readonly label: string;
  readonly facts: string;
  /** It stands there as a draft that is not saved. */
  readonly draft: boolean;
}

/** A row as it stands in a prompt: cells as texts, by column. */
export interface ShownRow {
  readonly ref: string;
  /** Null for rows that are written field by field. */
  readonly table: string | null;
  readonly draft: boolean;
  readonly cells: Readonly<Record<string, string>>;
  /** Child lists of rows that are written field by field. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

const REF = "[a-z]+(?:_[a-z]+)*_\\d+";

const THING = new RegExp(`^(${REF}) (.*?)( \\(draft, not saved\\))?(?:: ([^:]*))?$`);

const NAMED = new RegExp(`(${REF}) \\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)`, "g");

const ROW = new RegExp(`^(${REF})(?: \\| (.*))?$`);

const WHOLE_ROW = new RegExp(`^(${REF})( \\(draft, not saved\\))?$`);

/** The lines `recipe_3 Chickpea Curry: chickpeas, 35 min` of a table of refs. */
function readThings(table: string): Thing[] {
  return linesOf(table).flatMap((line) => {
    const [, ref, label, draft, facts] = THING.exec(line) ?? [];
    if (ref === undefined || label === undefined) return [];
    return [{ ref, label, draft: draft !== undefined, facts: facts ?? "" }];
  });
}

/** A table of refs with what is said after it to have changed: lines that are new, and what no longer stands. */
export function readTable(table: string, changes: string): Thing[] {
  const changed = new Map(readThings(changes).map((thing) => [thing.ref, thing]));
  const gone = new Set(
    linesOf(changes)
      .filter((line) => line.startsWith("Deleted: "))
      .flatMap(readRefs),
  );
  return readThings(table)
    .filter(({ ref }) => !gone.has(ref))
    .map((thing) => changed.get(thing.ref) ?? thing);
}

/** Every `recipe_5 (French Toast)` in a text, in order. */
export function readNamed(text: string): { readonly ref: string; readonly label: string }[] {
  return [...text.matchAll(NAMED)].map(([, ref, label]) => ({
    ref: ref ?? "",
    label: label ?? "",
  }));
}

/** Every ref that stands in a text, "recipe_1 through recipe_9" spelled out, in order, once. */
export function readRefs(text: string): string[] {
  const spelled = text.replace(
    /\b([a-z]+(?:_[a-z]+)*)_(\d+) through \1_(\d+)/g,
    (_, prefix: string, from: string, to: string) =>
      Array.from(
        { length: Number(to) - Number(from) + 1 },
        (__, index) => `${prefix}_${Number(from) + index}`,
      ).join(", "),
  );
  return [...new Set(spelled.match(new RegExp(`\\b${REF}\\b`, "g")) ?? [])];
}

/** What a ref begins with, drafts like saved ones: `recipe` of `gen_recipe_2`. */
export function kindOf(ref: string): string {
  return ref.replace(/_\d+$/, "").replace(/^gen_/, "");
}

/** Whether things of that kind belong to a part of the data: `inv_3` to `inventory`. */
export function belongsTo(ref: string, part: string | null): boolean {
  return part !== null && part.startsWith(kindOf(ref));
}

/** Rows under their tables' heads, and rows written field by field. */
export function readRows(text: string): ShownRow[] {
  const rows: ShownRow[] = [];
  let head: Head | null = null;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const whole = WHOLE_ROW.exec(line);
    const next = lines[index + 1] ?? "";
    if (whole?.[1] !== undefined && (whole[2] !== undefined || next.startsWith("  "))) {
      rows.push(wholeRow(whole[1], whole[2] !== undefined, indentedAfter(lines, index)));
      continue;
    }
    const row = ROW.exec(line);
    if (row?.[1] !== undefined) {
      if (head !== null) rows.push(tableRow(row[1], row[2] ?? "", head));
      continue;
    }
    head = readHead(line) ?? head;
  }
  return rows;
}

interface Head {
  readonly table: string;
  readonly columns: readonly string[];
  readonly shared: Readonly<Record<string, string>>;
}

/** `inventory: name | quantity (all: location = fridge)`. */
function readHead(line: string): Head | null {
  const match = /^([a-z_]+):(?: (.*?))?(?: ?\(all: (.*)\))?$/.exec(line);
  if (match?.[1] === undefined) return null;
  const shared = (match[3] ?? "").split(", ").flatMap((pair): [string, string][] => {
    const [name, value] = pair.split(" = ");
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  const columns = (match[2] ?? "").split(" | ").filter((name) => name !== "");
  return { table: match[1], columns, shared: Object.fromEntries(shared) };
}

function tableRow(ref: string, text: string, head: Head): ShownRow {
  const values = text.split(" | ");
  const own = head.columns.map((name, index): [string, string] => [name, values[index] ?? ""]);
  return {
    ref,
    table: head.table,
    draft: false,
    cells: { ...head.shared, ...Object.fromEntries(own) },
    lists: {},
  };
}

function indentedAfter(lines: readonly string[], index: number): string[] {
  const rest = lines.slice(index + 1);
  const end = rest.findIndex((line) => !line.startsWith("  "));
  return end === -1 ? rest : rest.slice(0, end);
}

function wholeRow(ref: string, draft: boolean, lines: readonly string[]): ShownRow {
  const cells: Record<string, string> = {};
  const lists: Record<string, string[]> = {};
  let open = "";
  for (const line of lines) {
    const field = /^ {2}([a-z_]+):(?: (.*))?$/.exec(line);
    if (field?.[1] !== undefined) {
      open = field[1];
      if (field[2] !== undefined) cells[open] = field[2];
    } else if (line.startsWith("  - ")) {
      lists[open] = [...(lists[open] ?? []), line.slice(4)];
    } else if (line.startsWith("    ")) {
      cells[open] = cells[open] === undefined ? line.slice(4) : `${cells[open]}\n${line.slice(4)}`;
    }
  }
  return { ref, table: null, draft, cells, lists };
}
