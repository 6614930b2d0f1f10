import { listInlineLists, type EntityType } from "../../state/entity.ts";
import { keyText } from "./key-text.ts";
import type { NetRow } from "./net-rows.ts";

/** The place of a row among those of all tables. */
export function placeRow({ table, key }: Pick<NetRow, "table" | "key">): string {
  return `${table}\n${key}`;
}

/** Returns the places of the rows that a row belongs to: a list's row to those it hangs on, every other one to itself. */
export function listOwners(
  { table, key, before, after }: Pick<NetRow, "table" | "key" | "before" | "after">,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const owners = entityTypes.flatMap((type) =>
    listInlineLists(type)
      .filter((list) => list.table === table)
      .flatMap(({ foreignKey }) =>
        [before, after].flatMap((row) =>
          row === null ? [] : [placeRow({ table: type.table, key: keyText(row[foreignKey]) })],
        ),
      ),
  );
  return owners.length > 0 ? owners : [placeRow({ table, key })];
}
