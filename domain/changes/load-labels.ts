import type { Change } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import type { Queryable } from "../../state/store.ts";
import { hideDatabaseIds } from "../../text/quote-value.ts";
import { fetchLinked } from "../table-tools/links.ts";

/** Labels of rows, by type and id. */
export type RowLabels = ReadonlyMap<string, string>;

/** The key of a row among labels. */
export function labelKey(type: string, id: string): string {
  return `${type}\n${id}`;
}

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
      labelKey(type, id),
      hideDatabaseIds(entityType?.label(values) ?? ""),
    ]);
  });
  return new Map([
    ...labels,
    ...changes.map(({ type, id, label }): [string, string] => [labelKey(type, id), label]),
  ]);
}
