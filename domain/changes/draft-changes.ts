import type { Change } from "../../state/change.ts";
import {
  listInlineLists,
  type Column,
  type EntityRow,
  type EntityType,
} from "../../state/entity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../state/json.ts";
import type { RefBook } from "../../state/tool.ts";

/** The content of a draft, with refs where it points at other rows. */
export interface DraftContent {
  readonly type: string;
  /** Null for a new draft. */
  readonly ref: string | null;
  readonly values: JsonObject;
}

/** The creations that saving the drafts would be, with ids in place of the refs of saved rows. Pure. */
export function toDraftChanges(
  drafts: readonly DraftContent[],
  entityTypes: readonly EntityType[],
  refs: RefBook,
): readonly Change[] {
  return drafts.flatMap(({ type, ref, values }): Change[] => {
    const entityType = entityTypes.find((candidate) => candidate.type === type);
    if (entityType === undefined) return [];
    const after = withIds(entityType, values, refs);
    return [
      {
        action: "create",
        type,
        id: "",
        ref,
        label: entityType.label(values) || entityType.words.one,
        before: null,
        after,
        version: null,
        changed: Object.keys(after),
        cause: "named",
      },
    ];
  });
}

/** The drafts that drafts point at, as rows by their refs. */
export function collectDraftRows(
  drafts: readonly DraftContent[],
  entityTypes: readonly EntityType[],
  refs: RefBook,
): ReadonlyMap<string, EntityRow> {
  const named = drafts.flatMap(({ type, values }) => {
    const entityType = entityTypes.find((candidate) => candidate.type === type);
    return entityType === undefined ? [] : listPointers(entityType, values);
  });
  return new Map(
    named.flatMap((ref): [string, EntityRow][] => {
      const found = refs.find(ref);
      if (found === null || found.id !== null) return [];
      const { draft } = refs.resolve(ref);
      return draft === null ? [] : [[ref, { id: ref, rowVersion: 0, values: draft }]];
    }),
  );
}

function listPointers({ columns }: EntityType, values: JsonObject): string[] {
  return columns
    .filter(({ references }) => references !== undefined)
    .map(({ name }) => values[name])
    .filter((value): value is string => typeof value === "string");
}

function withIds(entityType: EntityType, values: JsonObject, refs: RefBook): JsonObject {
  const lists = new Map(listInlineLists(entityType).map((list) => [list.name, list.columns]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, Json]): [string, Json] => {
      const columns = lists.get(name);
      if (columns === undefined)
        return [name, toId(value, { name, columns: entityType.columns, refs })];
      if (!Array.isArray(value)) return [name, value];
      return [name, value.map((item: Json) => itemWithIds(item, columns, refs))];
    }),
  );
}

function itemWithIds(item: Json, columns: readonly Column[], refs: RefBook): Json {
  if (!isJsonObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([name, value]: [string, Json]) => [
      name,
      toId(value, { name, columns, refs }),
    ]),
  );
}

interface Pointer {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly refs: RefBook;
}

function toId(value: Json, { name, columns, refs }: Pointer): Json {
  const column = columns.find((candidate) => candidate.name === name);
  if (column?.references === undefined || typeof value !== "string") return value;
  return refs.find(value)?.id ?? value;
}
