import {
  listInlineLists,
  type Column,
  type EntityRow,
  type EntityType,
  type InlineList,
} from "../../state/entity.ts";
import { isJsonObject, type Json } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import type { ToolOutcome } from "../../state/tool.ts";
import { fetchRows } from "./rows.ts";

/** Rows of one type whose foreign keys are to be followed. */
export interface LinkSource {
  readonly entityType: EntityType;
  readonly rows: readonly EntityRow[];
}

/** Fetches the rows that foreign keys of the given rows point at: one query for each type. */
export async function fetchLinked(
  tx: Queryable,
  entityTypes: readonly EntityType[],
  sources: readonly LinkSource[],
): Promise<ToolOutcome["linked"]> {
  const wanted = new Map<string, Set<string>>();
  for (const { type, id } of sources.flatMap(foreignKeys)) {
    wanted.set(type, (wanted.get(type) ?? new Set()).add(id));
  }
  const linked: ToolOutcome["linked"] = [];
  for (const [type, ids] of wanted) {
    const entityType = entityTypes.find((candidate) => candidate.type === type);
    if (entityType === undefined) continue;
    const rows = await fetchRows(tx, entityType, { ids: [...ids], detail: "summary" });
    linked.push({ type, rows });
  }
  return linked;
}

interface ForeignKey {
  readonly type: string;
  readonly id: string;
}

function foreignKeys({ entityType, rows }: LinkSource): ForeignKey[] {
  return rows.flatMap(({ values }) => [
    ...readForeignKeys(entityType.columns, values),
    ...listInlineLists(entityType).flatMap((child) => {
      const list: Json = values[child.name] ?? [];
      return Array.isArray(list)
        ? list.flatMap((item: Json) => readForeignKeys(child.columns, toObject(child, item)))
        : [];
    }),
  ]);
}

/** At summary detail an item is the value of its first column. */
function toObject({ columns: [first] }: InlineList, item: Json): Json {
  return isJsonObject(item) ? item : { [first?.name ?? ""]: item };
}

function readForeignKeys(columns: readonly Column[], values: Json): ForeignKey[] {
  if (typeof values !== "object" || values === null) return [];
  const fields = new Map(Object.entries(values));
  return columns.flatMap(({ name, references }) => {
    const id = fields.get(name);
    const isKey = typeof id === "string" || typeof id === "number";
    return references !== undefined && isKey ? [{ type: references, id: String(id) }] : [];
  });
}
