import type { Change } from "../../state/change.ts";
import {
  findKey,
  listInlineLists,
  type Column,
  type EntityRow,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { fetchRows, idSql } from "../table-tools/rows.ts";
import { identifier, tableName } from "../table-tools/sql.ts";
import { keyText } from "./key-text.ts";

/** Gives the rows at the end of a path from a change. */
export type Links = (change: Change, path: string) => readonly JsonObject[];

interface LinkRequest {
  readonly changes: readonly Change[];
  readonly paths: readonly string[];
  readonly entityTypes: readonly EntityType[];
  /** Rows that are not stored yet, by what stands for their id: drafts that others point at. */
  readonly drafts?: ReadonlyMap<string, EntityRow>;
}

/** A place on a path: a row, or an item of a row's list, and the changes that lead there. */
interface Place {
  readonly origin: Change;
  /** Null for an item of a list, which has no links back. */
  readonly type: EntityType | null;
  readonly id: string;
  readonly columns: readonly Column[];
  readonly values: JsonObject;
}

/**
 * Loads the rows at the end of each path, as they are after the changes: one query a step of a path.
 *
 * @throws RangeError for a path that names no column, list or type.
 */
export async function loadLinks(
  tx: Queryable,
  { changes, paths, entityTypes, drafts = new Map() }: LinkRequest,
): Promise<Links> {
  const found = new Map<string, Map<Change, JsonObject[]>>();
  for (const path of new Set(paths)) {
    let places = changes.flatMap((origin) => startAt(origin, { path, entityTypes }));
    for (const segment of path.split(".")) {
      places = await follow(tx, places, { segment, path, entityTypes, drafts });
    }
    const rows = new Map<Change, JsonObject[]>();
    for (const { origin, values } of places) {
      rows.set(origin, [...(rows.get(origin) ?? []), values]);
    }
    found.set(path, rows);
  }
  return (change, path) => {
    const rows = found.get(path);
    if (rows === undefined) {
      throw new RangeError(`Cannot follow "${path}": the check does not declare it in its links`);
    }
    return rows.get(change) ?? [];
  };
}

interface Start {
  readonly path: string;
  readonly entityTypes: readonly EntityType[];
}

/** A path is followed from each change whose type it fits: a check may look at several types. */
function startAt(origin: Change, { path, entityTypes }: Start): Place[] {
  const type = entityTypes.find((candidate) => candidate.type === origin.type);
  const values = origin.after ?? origin.before;
  if (type === undefined || values === null) return [];
  const [first = ""] = path.split(".");
  if (!first.includes("<") && !hasName(type, first)) return [];
  return [{ origin, type, id: origin.id, columns: type.columns, values }];
}

function hasName(type: EntityType, name: string): boolean {
  return [...type.columns, ...listInlineLists(type)].some((part) => part.name === name);
}

interface Segment {
  readonly segment: string;
  readonly drafts: ReadonlyMap<string, EntityRow>;
  readonly path: string;
  readonly entityTypes: readonly EntityType[];
}

async function follow(tx: Queryable, places: Place[], step: Segment): Promise<Place[]> {
  const { segment, path, entityTypes, drafts } = step;
  const [backType, backColumn] = segment.split("<");
  if (backType !== undefined && backColumn !== undefined) {
    return followBack(tx, places, { type: findType(entityTypes, backType, path), via: backColumn });
  }
  const reached = places.flatMap((place) => listItems(place, segment));
  const byTarget = Map.groupBy(
    places,
    ({ columns }) => columns.find(({ name }) => name === segment)?.references,
  );
  for (const [target, own] of byTarget) {
    if (target === undefined) continue;
    const type = findType(entityTypes, target, path);
    const ids = own.map(({ values }) => keyText(values[segment]));
    const stored = ids.filter((id) => id !== "" && !drafts.has(id));
    const rows = new Map([...drafts, ...(await fetchById(tx, type, stored))]);
    for (const [index, { origin }] of own.entries()) {
      const row = rows.get(ids[index] ?? "");
      if (row !== undefined) reached.push(placeAt(origin, type, row));
    }
  }
  return reached;
}

function placeAt(origin: Change, type: EntityType, { id, values }: EntityRow): Place {
  // Rows carry their key, so that a check can join them.
  const { column } = findKey(type);
  return { origin, type, id, columns: type.columns, values: { ...values, [column]: id } };
}

function listItems({ origin, type, id, values }: Place, name: string): Place[] {
  const list = type === null ? undefined : listInlineLists(type).find((one) => one.name === name);
  const items = values[name];
  if (list === undefined || !Array.isArray(items)) return [];
  return items
    .filter((item: Json): item is JsonObject => isJsonObject(item))
    .map((item) => ({ origin, type: null, id, columns: list.columns, values: item }));
}

/** Stands for a column in a path: all rows of the type, whatever they point at. */
const ALL = "*";

async function followAll(tx: Queryable, places: Place[], type: EntityType): Promise<Place[]> {
  if (places.length === 0) return [];
  const { rows } = await tx.query(`select ${idSql(type)} as id from ${tableName(type.table)} t`);
  const found = await fetchById(
    tx,
    type,
    rows.map((row) => String(row["id"])),
  );
  return places.flatMap(({ origin }) =>
    [...found.values()].map((row) => placeAt(origin, type, row)),
  );
}

interface Back {
  readonly type: EntityType;
  /** A column of the type, or one of its lists, that points at the place's type; or `*`. */
  readonly via: string;
}

async function followBack(tx: Queryable, places: Place[], { type, via }: Back): Promise<Place[]> {
  if (via === ALL) return followAll(tx, places, type);
  const list = listInlineLists(type).find(({ name }) => name === via);
  const columns = list?.columns ?? type.columns.filter(({ name }) => name === via);
  const reached: Place[] = [];
  for (const column of columns) {
    const own = places.filter((place) => place.type?.type === column.references);
    reached.push(...(await followPointer(tx, own, { type, list, column })));
  }
  return reached;
}

/** A column of a type, or of one of its lists, that points at the type of a place. */
interface Pointer {
  readonly type: EntityType;
  readonly list: InlineList | undefined;
  readonly column: Column;
}

async function followPointer(
  tx: Queryable,
  places: Place[],
  { type, list, column }: Pointer,
): Promise<Place[]> {
  // Nothing points at what is not stored yet.
  const ids = [...new Set(places.map(({ id }) => id))].filter((id) => id !== "");
  if (ids.length === 0) return [];
  const pointer = `${list === undefined ? "t" : "c"}.${identifier(column.name)}::text`;
  const join =
    list === undefined
      ? ""
      : `join ${tableName(list.table)} c on c.${identifier(list.foreignKey)}::text = ${idSql(type)}`;
  const { rows } = await tx.query(
    `select distinct ${idSql(type)} as id, ${pointer} as target
       from ${tableName(type.table)} t ${join} where ${pointer} = any($1::text[])`,
    [ids],
  );
  const found = await fetchById(
    tx,
    type,
    rows.map((row) => String(row["id"])),
  );
  return places.flatMap(({ origin, id }) =>
    rows
      .filter((row) => row["target"] === id)
      .flatMap((row) => found.get(String(row["id"])) ?? [])
      .map((row) => placeAt(origin, type, row)),
  );
}

async function fetchById(
  tx: Queryable,
  type: EntityType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, EntityRow>> {
  const rows = await fetchRows(tx, type, { ids: [...new Set(ids)], detail: "full" });
  return new Map(rows.map((row) => [row.id, row]));
}

function findType(entityTypes: readonly EntityType[], name: string, path: string): EntityType {
  const found = entityTypes.find(({ type }) => type === name);
  if (found !== undefined) return found;
  throw new RangeError(`Cannot follow "${path}": there is no entity type "${name}"`);
}
