import type { Change } from "../../state/change.ts";
import { rowKey, type EntityType } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
import { fetchLinked } from "../table-tools/links.ts";

/** Labels of rows, by `rowKey`. */
export type RowLabels = ReadonlyMap<string, string>;

/** Loads the labels of the rows that changed rows point at or pointed at, and adds those of the changed rows. */
export async function loadLabels(
  tx: Queryable,
  changes: readonly Change[],
  entityTypes: readonly EntityType[],
): Promise<RowLabels> {
  const sources = entityTypes.map((entityType) => ({
    entityType,
    rows: changes
      .filter(({ type }) => type === entityType.type)
      .flatMap(({ id, before, after }) =>
        [before, after].flatMap((values) =>
          values === null ? [] : [{ id, rowVersion: 1, values }],
        ),
      ),
  }));
  const linked = await fetchLinked(tx, entityTypes, sources);
  const labels = linked.flatMap(({ type, rows }) => {
    const entityType = entityTypes.find((one) => one.type === type);
    return rows.map(({ id, values }): [string, string] => [
      rowKey(type, id),
      hideDatabaseIds(entityType?.label(values) ?? ""),
    ]);
  });
  return new Map([
    ...labels,
    ...changes.map(({ type, id, label }): [string, string] => [rowKey(type, id), label]),
  ]);
}
