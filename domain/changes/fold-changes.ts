import type { Change } from "../../state/change.ts";
import {
  findKey,
  listInlineLists,
  rowKey,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import type { Json, JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import type { RefBook } from "../../state/tool.ts";
import { hideDatabaseIds, isDatabaseId } from "../../text/quote-value.ts";
import { keySql, keyType } from "../table-tools/rows.ts";
import { identifier, tableName } from "../table-tools/sql.ts";
import { keyText } from "./key-text.ts";
import { markFollowers } from "./mark-followers.ts";
import type { NetRow } from "./net-rows.ts";

/** Description, refs and named rows by which changes are told apart. */
export interface FoldOptions {
  readonly entityTypes: readonly EntityType[];
  readonly refs: RefBook;
  /** The rows that the call named, by `rowKey`. */
  readonly named: ReadonlySet<string>;
  /** Names of the columns and lists that the call gave to each row that it created, by `rowKey`. Default: not known. */
  readonly given?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Folds net rows into changes of entities: rows of inline lists into their parent, tables that no
 * entity type describes left out. Reads the parents and lists that the journal does not hold.
 */
export async function foldChanges(
  tx: Queryable,
  net: readonly NetRow[],
  options: FoldOptions,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const entityType of options.entityTypes) {
    const own = net.filter(({ table }) => table === entityType.table);
    const lists = listInlineLists(entityType).map((list) => ({
      list,
      items: net.filter(({ table }) => table === list.table),
    }));
    const ids = [...new Set([...own.map(({ key }) => key), ...lists.flatMap(listParents)])];
    if (ids.length === 0) continue;
    const rows = await fetchPresent(tx, entityType, { ids, own });
    const present = await Promise.all(
      lists.map(async ({ list, items }) => ({
        list,
        items,
        now: await fetchItems(tx, list, ids),
      })),
    );
    for (const id of ids) {
      const change = assemble(entityType, { id, row: rows.get(id), lists: present }, options);
      if (change !== null) changes.push(change);
    }
  }
  return markFollowers(changes, options.entityTypes);
}

interface ChangedList {
  readonly list: InlineList;
  readonly items: readonly NetRow[];
}

interface PresentList extends ChangedList {
  /** The list's rows as they are now, whole. */
  readonly now: readonly JsonObject[];
}

function listParents({ list, items }: ChangedList): string[] {
  return items
    .filter(({ isChanged }) => isChanged)
    .flatMap(({ before, after }) => [before, after])
    .flatMap((row) => (row === null ? [] : [keyText(row[list.foreignKey])]));
}

interface WantedPresent {
  readonly ids: readonly string[];
  readonly own: readonly NetRow[];
}

/** The journal's rows, and rows that the journal does not hold as they are now. */
async function fetchPresent(
  tx: Queryable,
  entityType: EntityType,
  { ids, own }: WantedPresent,
): Promise<ReadonlyMap<string, NetRow>> {
  const rows = new Map(own.map((row) => [row.key, row]));
  const missing = ids.filter((id) => !rows.has(id));
  if (missing.length === 0) return rows;
  const { table } = entityType;
  const found = await tx.query(
    `select to_jsonb(t.*) as row from ${tableName(table)} t
      where ${keySql(entityType)} = any($1::${keyType(entityType)}[])`,
    [missing],
  );
  for (const { row } of found.rows.map(readRow)) {
    const key = keyText(row[findKey(entityType).column]);
    rows.set(key, { table, key, before: row, after: row, isChanged: false, follows: true });
  }
  return rows;
}

async function fetchItems(
  tx: Queryable,
  list: InlineList,
  parents: readonly string[],
): Promise<readonly JsonObject[]> {
  const found = await tx.query(
    `select to_jsonb(c.*) as row from ${tableName(list.table)} c
      where c.${identifier(list.foreignKey)}::text = any($1::text[])`,
    [parents],
  );
  return found.rows.map((row) => readRow(row).row);
}

function readRow(found: Record<string, unknown>): { readonly row: JsonObject } {
  const { row } = found;
  // The server made it with to_jsonb, so it is an object.
  const parsed: JsonObject = JSON.parse(JSON.stringify(row));
  return { row: parsed };
}

interface ChangedRow {
  readonly id: string;
  readonly row: NetRow | undefined;
  readonly lists: readonly PresentList[];
}

function assemble(
  entityType: EntityType,
  { id, row, lists }: ChangedRow,
  { refs, named, given: created }: FoldOptions,
): Change | null {
  if (row === undefined) return null;
  const before =
    row.before === null ? null : contentBefore(entityType, { id, row: row.before, lists });
  const after = row.after === null ? null : contentAfter(entityType, { id, row: row.after, lists });
  const changed = listDifferences(before, after);
  if (changed.length === 0) return null;
  const action = before === null ? "create" : after === null ? "delete" : "update";
  const items = lists.flatMap((list) => list.items.filter((item) => belongsTo(item, list, id)));
  const follows = row.follows && items.every((item) => item.follows);
  const key = rowKey(entityType.type, id);
  const isNamed = named.has(key) || action === "create";
  const given = action === "create" ? created?.get(key) : undefined;
  const ref = refs.refFor(entityType.type, id);
  const { row_version: version } = row.before ?? {};
  return {
    action,
    type: entityType.type,
    id,
    ref,
    label: labelRow(entityType, after ?? before ?? {}, refs),
    before,
    after,
    version: typeof version === "number" ? version : null,
    changed,
    ...(given === undefined ? {} : { given: [...given] }),
    cause: follows ? "follows" : isNamed ? "named" : "found",
  };
}

/** A row's label, or its type's word where the label reads as an id or as the ref of a row. */
function labelRow(entityType: EntityType, values: JsonObject, refs: RefBook): string {
  const label = entityType.label(values).trim();
  const isNameless = label === "" || isDatabaseId(label) || refs.find(label) !== null;
  return isNameless ? entityType.words.one : hideDatabaseIds(label);
}

interface RowOfLists {
  readonly id: string;
  readonly row: JsonObject;
  readonly lists: readonly PresentList[];
}

function contentAfter(entityType: EntityType, { id, row, lists }: RowOfLists): JsonObject {
  return {
    ...pickColumns(entityType, row),
    ...Object.fromEntries(
      lists.map(({ list, now }) => [list.name, pickItems(list, now.filter(isItem(list, id)))]),
    ),
  };
}

/** The lists before: the rows that are there now and were not changed, and the changed ones as they were. */
function contentBefore(entityType: EntityType, { id, row, lists }: RowOfLists): JsonObject {
  return {
    ...pickColumns(entityType, row),
    ...Object.fromEntries(
      lists.map(({ list, items, now }) => {
        const keys = new Set(items.map(({ key }) => key));
        const kept = now.filter((item) => !keys.has(keyText(item["id"])));
        const old = items.flatMap((item) => (item.before === null ? [] : [item.before]));
        return [list.name, pickItems(list, [...kept, ...old].filter(isItem(list, id)))];
      }),
    ),
  };
}

function isItem(list: InlineList, parent: string): (item: JsonObject) => boolean {
  return (item) => keyText(item[list.foreignKey]) === parent;
}

function belongsTo({ before, after }: NetRow, { list }: PresentList, parent: string): boolean {
  return [before, after].some((row) => row !== null && isItem(list, parent)(row));
}

function pickColumns({ columns }: Pick<EntityType, "columns">, row: JsonObject): JsonObject {
  return Object.fromEntries(columns.map(({ name }): [string, Json] => [name, row[name] ?? null]));
}

function pickItems(list: InlineList, items: readonly JsonObject[]): readonly JsonObject[] {
  return items
    .toSorted((one, other) => compareValues(one[list.orderBy], other[list.orderBy]))
    .map((item) => pickColumns(list, item));
}

function compareValues(one: Json | undefined, other: Json | undefined): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return keyText(one).localeCompare(keyText(other));
}

function listDifferences(before: JsonObject | null, after: JsonObject | null): string[] {
  const names = Object.keys(after ?? before ?? {});
  if (before === null || after === null) return names;
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
