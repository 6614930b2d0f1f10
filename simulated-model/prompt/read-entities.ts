import { singular } from "../language/tokens.ts";

/** A ref with its label. */
export interface PromptRef {
  readonly ref: string;
  readonly label: string;
}

/** An entity as a table of refs shows it. */
export interface Thing extends PromptRef {
  readonly facts: string;
  readonly draft: boolean;
}

/** A row as a prompt shows it: cells as texts, by column. */
export interface ShownRow {
  readonly ref: string;
  /** Null for rows that are written field by field. */
  readonly table: string | null;
  readonly cells: Readonly<Record<string, string>>;
  /** Child lists of rows that are written field by field. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

const REF = "[a-z]+(?:_[a-z]+)*_\\d+";
const THING = new RegExp(`^(${REF}) (.*?)( \\(draft, not saved\\))?(?:: ([^:]*))?$`);
const NAMED = new RegExp(`(${REF}) \\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)`, "g");
const CELL_REF = new RegExp(`^${REF}(?: \\(|$)`);
const ROW = new RegExp(`^(${REF})(?: \\| (.*))?$`);
const WHOLE_ROW = new RegExp(`^(${REF})(?: \\(draft, not saved\\))?$`);

/** A table of refs with the changes after it: new lines, and refs that are gone. */
export function readTable(table: string, changes: string): Thing[] {
  const changed = new Map(readThings(changes).map((thing) => [thing.ref, thing]));
  const deleted = changes.split("\n").filter((line) => line.startsWith("Deleted: "));
  const gone = new Set(deleted.flatMap(readRefs));
  const left = readThings(table).filter(({ ref }) => !gone.has(ref));
  return left.map((thing) => changed.get(thing.ref) ?? thing);
}

function readThings(table: string): Thing[] {
  return table.split("\n").flatMap((line) => {
    const [, ref, label, draft, facts = ""] = THING.exec(line) ?? [];
    return ref === undefined || label === undefined
      ? []
      : [{ ref, label, draft: draft !== undefined, facts }];
  });
}

/** Every `recipe_5 (French Toast)` in a text, in order. */
export function readNamed(text: string): PromptRef[] {
  return [...text.matchAll(NAMED)].map(([, ref = "", label = ""]) => ({ ref, label }));
}

const LISTED = new RegExp(`(${REF}) (.+?)(?=, ${REF} |; |, not saved$| \\(|: |$)`, "gm");

/** Every `recipe_5 French Toast` in a text, in order. */
export function readListed(text: string): PromptRef[] {
  return [...text.matchAll(LISTED)].map(([, ref = "", label = ""]) => ({ ref, label }));
}

/** The things that were left out, with the reasons: `contains cod (turn 2): recipe_1 Cod Pie, recipe_2 Cod Tacos; …`. */
export function readLeftOut(text: string): (PromptRef & { readonly reason: string })[] {
  return text.split("\n").flatMap((line) => {
    const [, groups] = /^Left out(?: elsewhere)?: (.+)$/.exec(line) ?? [];
    return (groups ?? "").split(/; (?=[^;]*\bturn \d+\)?: )/).flatMap((group) => {
      const [, reason = "", items = ""] = /^(.*?) ?\(?(?:in )?turn \d+\)?: (.*)$/.exec(group) ?? [];
      return readListed(items).map(({ ref, label }) => ({ ref, label, reason }));
    });
  });
}

/** Every ref that stands in a text, "recipe_1 through recipe_9" spelled out, in order, once. */
export function readRefs(text: string): string[] {
  const spelled = text.replace(
    /\b([a-z]+(?:_[a-z]+)*)_(\d+) through \1_(\d+)/g,
    (_, prefix: string, from: string, to: string) =>
      Array.from(
        { length: Number(to) - Number(from) + 1 },
        (__, at) => `${prefix}_${Number(from) + at}`,
      ).join(", "),
  );
  return [...new Set(spelled.match(new RegExp(`\\b${REF}\\b`, "g")) ?? [])];
}

/** A text for people: refs taken out. */
export function withoutRefs(text: string): string {
  return text.replace(new RegExp(` ?\\(${REF}\\)|\\b${REF} ?`, "g"), "").trim();
}

/** A value for people: what a ref points at by its label, `customer_24 (João)` as `João`. */
export function withLabels(value: string): string {
  return withoutRefs(value.replace(NAMED, "$2"));
}

/** Tells whether a ref belongs to a part of the data: `inv_3` and `gen_inv_3` to `inventory`, `category_1` to `categories`. */
export function belongsTo(ref: string, part: string | null): boolean {
  const type = ref.replace(/_\d+$/, "").replace(/^gen_/, "");
  return part !== null && [part, singular(part)].some((name) => name.startsWith(type));
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

/** Tells whether a cell names the row that it points at. */
export function isRef(value: string): boolean {
  return CELL_REF.test(value);
}

/** A row's name. */
export function readLabel({ cells, ref }: ShownRow): string {
  const names = selectNames(Object.keys(cells)).map((column) => cells[column] ?? "");
  if (names.length > 0) return names.filter((name) => name !== "").join(" ");
  const filled = Object.values(cells).filter((cell) => cell !== "");
  // A number names nothing where there are words, and what a row points at is called so itself.
  const words = filled.filter((cell) => /\p{L}/u.test(cell));
  const first = words.find((cell) => !isRef(cell)) ?? words[0] ?? filled[0];
  return first === undefined ? ref : withLabels(first) || ref;
}

/** Counts the rows that a table of rows leaves out for want of room. */
export function countLeftOut(text: string): number {
  const lines = text
    .replaceAll(/: read_\w+(?:, after \w+)?$/gm, "")
    .matchAll(/^(\d+) more [^\d]+$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Rows under their tables' heads, and rows written field by field. */
export function readRows(text: string): ShownRow[] {
  const rows: ShownRow[] = [];
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
        cells: { ...head.shared, ...Object.fromEntries(own) },
        lists: {},
      });
    }
  }
  return rows;
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

function readWholeRow(ref: string, lines: readonly string[]): ShownRow {
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
