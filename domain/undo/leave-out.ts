import { z } from "zod";
import { listInlineLists, type EntityType } from "../../state/entity.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { keyText } from "../changes/key-text.ts";
import type { Conflict } from "./find-conflicts.ts";
import { NET } from "./undo-tables.ts";

const NetRowSchema = z.object({
  table: z.string(),
  key: z.string(),
  before: JsonObjectSchema.nullable(),
  after: JsonObjectSchema.nullable(),
});
type NetRow = z.infer<typeof NetRowSchema>;

interface LeaveOutOptions {
  readonly effectIds: readonly number[];
  readonly conflicts: readonly Conflict[];
  readonly entityTypes: readonly EntityType[];
}

/**
 * Leaves rows out of what the transaction takes back (`NET`): those of the conflicts, each together
 * with its inline lists, so that no row is left half as it was.
 */
export async function leaveOut(
  tx: Queryable,
  { effectIds, conflicts, entityTypes }: LeaveOutOptions,
): Promise<void> {
  const found = await tx.query(
    `with ${NET} select table_name as "table", row_key as key, before, after from net`,
    [effectIds],
  );
  const rows = NetRowSchema.array()
    .parse(found.rows)
    .map((row) => ({ place: placeRow(row.table, row.key), owners: listOwners(row, entityTypes) }));
  const changed = new Set(conflicts.map(({ table, key }) => placeRow(table, key)));
  const left = new Set(
    rows.filter(({ place }) => changed.has(place)).flatMap(({ owners }) => owners),
  );
  // A list's row that moved joins the row it left and the row it came to.
  for (let size = 0; size < left.size;) {
    size = left.size;
    for (const { owners } of rows) {
      if (owners.some((owner) => left.has(owner))) for (const owner of owners) left.add(owner);
    }
  }
  const without = rows
    .filter(({ owners }) => owners.some((owner) => left.has(owner)))
    .map(({ place }) => place);
  await tx.query("select set_config('concierge.undo_without', $1, true)", [
    JSON.stringify(without),
  ]);
}

function placeRow(table: string, key: string): string {
  return `${table}\n${key}`;
}

/** Returns the rows that a row belongs to: a list's row to those it hangs on, every other one to itself. */
function listOwners(
  { table, key, before, after }: NetRow,
  entityTypes: readonly EntityType[],
): readonly string[] {
  const owners = entityTypes.flatMap((type) =>
    listInlineLists(type)
      .filter((list) => list.table === table)
      .flatMap(({ foreignKey }) =>
        [before, after].flatMap((row) =>
          row === null ? [] : [placeRow(type.table, keyText(row[foreignKey]))],
        ),
      ),
  );
  return owners.length > 0 ? owners : [placeRow(table, key)];
}
