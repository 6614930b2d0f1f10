import {
  findKey,
  hasRight,
  isSettable,
  listInlineLists,
  listNouns,
  type Column,
  type EntityList,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import type { JsonObject } from "../../state/json.ts";
import { nameInWords } from "../../text/blot-machinery.ts";
import { adviseName, findRepeated, quoteNames } from "./sentences.ts";

/** Columns of the program that an order may name without describing them. */
const ORDER_COLUMNS: readonly string[] = ["created_at", "updated_at"];

/** Finds what contradicts itself in the description of one entity type. Pure. */
export function checkEntityType(
  type: EntityType,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const place = `Type "${type.type}"`;
  const lists = type.lists ?? [];
  const columns = type.columns.map(({ name }) => name);
  const listNames = lists.map(({ name }) => name);
  const ordered = [...columns, findKey(type).column, ...ORDER_COLUMNS];
  return [
    ...checkPrefix(type),
    ...checkWords(type),
    ...findRepeated([...columns, ...listNames]).map(
      (name) => `${place} has two columns or lists named "${name}"; rename one of them`,
    ),
    ...[...Map.groupBy(type.columns, ({ name, label }) => label ?? nameInWords(name))]
      .filter(([, sharing]) => new Set(sharing.map(({ name }) => name)).size > 1)
      .map(
        ([label, sharing]) =>
          `${place}: people know the columns ${quoteNames(sharing.map(({ name }) => name))} as "${label}"; give one of them another label`,
      ),
    ...type.columns.flatMap((column) => checkColumn(place, column, entityTypes)),
    ...checkKey(type),
    ...checkLabel(type),
    ...checkSummary(type),
    ...checkNames(`${place}: summary`, type.summary, [...columns, ...listNames]),
    ...checkNames(`${place}: orderBy`, type.orderBy, ordered),
    ...lists.flatMap((list) =>
      list.kind === "inline"
        ? checkInlineList(place, list, entityTypes)
        : checkEntityList(type, list, entityTypes),
    ),
    ...checkRights(type),
  ];
}

/** Prefixes of refs that are no rows: choices, and the things of examples in prompts. */
const TAKEN_PREFIXES: ReadonlySet<string> = new Set(["choice", "thing"]);

function checkPrefix({ type, refPrefix = type }: EntityType): readonly string[] {
  if (TAKEN_PREFIXES.has(refPrefix)) {
    return [
      `Type "${type}" has the ref prefix "${refPrefix}", which the program uses itself; set refPrefix`,
    ];
  }
  // A type whose name is none is refused by that.
  if (isRefPrefix(refPrefix) || (refPrefix === type && /[^a-z0-9_]/u.test(type))) return [];
  return [
    `Type "${type}" has the ref prefix "${refPrefix}"; a prefix has lowercase letters with single "_" between them and does not begin with "gen_": set refPrefix`,
  ];
}

/** Returns true for a name by which refs can begin. */
export function isRefPrefix(name: string): boolean {
  return /^[a-z](_?[a-z])*$/.test(name) && !name.startsWith("gen_") && !TAKEN_PREFIXES.has(name);
}

function checkWords(type: EntityType): readonly string[] {
  if (listNouns(type).every((noun) => /[\p{L}\p{N}]/u.test(noun))) return [];
  return [`Type "${type.type}" has an empty word; write nouns in words.one, many and also`];
}

function checkSummary({ type, summary, columns }: EntityType): readonly string[] {
  if (summary.length > 0 || columns.length === 0) return [];
  return [`Type "${type}" has an empty summary; name the columns that a list of its rows shows`];
}

function checkNames(
  place: string,
  names: readonly string[],
  known: readonly string[],
): readonly string[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const advice = adviseName({ name, known, what: "the columns" });
      // The column may be what is misspelt; only the database knows.
      return `${place} names "${name}"; ${advice.replace(/(".*")\?$/, "$1, or is $1 misspelt?")}`;
    });
}

function checkColumn(
  place: string,
  { name, kind, values = [], references, set = "never", visible = true }: Column,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const column = `${place}: column "${name}"`;
  const known = entityTypes.map(({ type }) => type);
  const problems: string[] = [];
  if (kind === "choice" && values.length === 0) {
    problems.push(`${column} is a choice without values; list them in "values"`);
  }
  if (kind !== "choice" && values.length > 0) {
    problems.push(
      `${column} has values, but its kind is "${kind}"; make it a "choice" or leave the values out`,
    );
  }
  if (references !== undefined && !known.includes(references)) {
    const advice = adviseName({ name: references, known, what: "the types" });
    problems.push(`${column} points at "${references}"; ${advice}`);
  }
  if (kind === "json" && set !== "never") {
    problems.push(`${column} has the kind "json", which can only be read; leave "set" out`);
  }
  if (!visible && set !== "never") {
    problems.push(
      `${column} is hidden and may be set, so nobody could see what is stored; leave "set" or "visible" out`,
    );
  }
  if (PROGRAM_COLUMNS.has(name) && set !== "never") {
    problems.push(`${column} is set by the program alone; leave "set" out`);
  }
  return problems;
}

/** Finds what a label or facts read that no person may see, since rows would be called "undefined", and those that give no text. */
function checkLabel(type: EntityType): readonly string[] {
  const place = `Type "${type.type}"`;
  const known = [...type.columns, ...(type.lists ?? [])].map(({ name }) => name);
  // Of a row that shows nothing, nothing can be read.
  if (known.length === 0) return [];
  return (["label", "facts"] as const).flatMap((part) => {
    const { read, isText } = tryRender(type[part]);
    const problems = read.flatMap((name) => explainRead(type, name, known) ?? []);
    if (!isText) {
      problems.push(
        `gives no text for a row without values, as a new one may be; return one, such as String(values[${JSON.stringify(known[0])}] ?? "")`,
      );
    }
    return problems.map((problem) => `${place}: ${part} ${problem}`);
  });
}

function explainRead(type: EntityType, name: string, known: readonly string[]): string | null {
  if (name === "*") return null;
  if (!known.includes(name)) {
    return `reads "${name}", which is none of its columns; ${adviseName({ name, known, what: "the columns" })}`;
  }
  return type.columns.some((column) => column.name === name && column.visible === false)
    ? `reads "${name}", which is hidden, so nobody gets its value; leave visible: false out, or read another column`
    : null;
}

/** Lists the values that a function reads of a row before it throws or returns; `*` stands for whichever there are. */
export function listRead(render: EntityType["label"] | undefined): readonly string[] {
  return tryRender(render).read;
}

/** Calls a label or facts with a row without values: what it reads of it, and whether it gives a text, throws, or is not there. */
function tryRender(render: EntityType["label"] | undefined) {
  const read = new Set<string>();
  const values = new Proxy<JsonObject>(
    {},
    {
      get: (_, name) => {
        if (typeof name === "string") read.add(name);
        return undefined;
      },
      has: () => {
        read.add("*");
        return false;
      },
      ownKeys: () => {
        read.add("*");
        return [];
      },
    },
  );
  let text: unknown = "";
  try {
    if (render !== undefined) text = render(values);
    // What is awaited may fail later.
    if (text instanceof Promise) text.catch(() => undefined);
  } catch {
    // It is guarded where it names rows.
  }
  return { read: [...read], isText: typeof text === "string" };
}

/** A row whose key changes is another row: to the journal, to the refs that name it, and to an undo. */
function checkKey(type: EntityType): readonly string[] {
  return type.columns
    .filter((column) => column.name === findKey(type).column && isSettable(column, "update"))
    .map(
      ({ name }) =>
        `Type "${type.type}": column "${name}" is its key, which a row keeps; write set: "create", or name a column that never changes in the key`,
    );
}

/** The owner of a row and its version. */
const PROGRAM_COLUMNS: ReadonlySet<string> = new Set(["user_id", "row_version"]);

function checkInlineList(
  place: string,
  list: InlineList,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const part = `${place}, list "${list.name}"`;
  if (list.columns.length === 0) return [`${part} has no columns; describe those that it shows`];
  return [
    ...findRepeated(list.columns.map(({ name }) => name)).map(
      (name) => `${part} has two columns named "${name}"; leave one of them out`,
    ),
    ...list.columns.flatMap((column) => checkColumn(part, column, entityTypes)),
    ...list.columns
      .filter(({ name, set = "never" }) => name === list.foreignKey && set !== "never")
      .map(
        ({ name }) =>
          `${part}: column "${name}" is its foreign key, which the program sets; leave "set" out`,
      ),
  ];
}

function checkEntityList(
  parent: EntityType,
  list: EntityList,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const part = `Type "${parent.type}", list "${list.name}"`;
  const known = entityTypes.map(({ type }) => type);
  const child = entityTypes.find(({ type }) => type === list.type);
  if (child === undefined) {
    const advice = adviseName({ name: list.type, known, what: "the types" });
    return [`${part} holds rows of type "${list.type}"; ${advice}`];
  }
  const pointer = child.columns.find(({ name }) => name === list.foreignKey);
  if (pointer === undefined) {
    const names = child.columns.map(({ name }) => name);
    const advice = adviseName({ name: list.foreignKey, known: names, what: "the columns" });
    return [
      `${part} has the foreign key "${list.foreignKey}", which type "${child.type}" does not have; ${advice}`,
    ];
  }
  if (pointer.references === parent.type) return [];
  return [
    `${part}: column "${pointer.name}" of type "${child.type}" does not point at "${parent.type}"; write references: "${parent.type}"`,
  ];
}

function checkRights(type: EntityType): readonly string[] {
  const place = `Type "${type.type}"`;
  const written = (["create", "update", "delete"] as const).filter((right) =>
    hasRight(type, right),
  );
  if (type.ownership === "shared" && written.length > 0) {
    return [
      `${place} is shared and has the rights ${quoteNames(written)}; a shared type can only be read: leave them out`,
    ];
  }
  const columns = [...type.columns, ...listInlineLists(type).flatMap((list) => list.columns)];
  return (["create", "update"] as const)
    .filter((right) => hasRight(type, right))
    .filter((right) => !columns.some((column) => isSettable(column, right)))
    .map(
      (right) =>
        `${place} has the right "${right}", but no column may be set then; write set: "always" at those that may be, or leave the right out`,
    );
}
