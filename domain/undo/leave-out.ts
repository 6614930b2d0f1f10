import { z } from "zod";
import type { EntityType } from "../../state/entity.ts";
import { JsonObjectSchema } from "../../state/json.ts";
import type { Queryable } from "../../state/store.ts";
import { listOwners, placeRow } from "../changes/list-owners.ts";
import type { Conflict } from "./find-conflicts.ts";
import { NET } from "./undo-tables.ts";

const NetRowSchema = z.object({
  table: z.string(),
  key: z.string(),
  before: JsonObjectSchema.nullable(),
  after: JsonObjectSchema.nullable(),
});

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
    .map((row) => ({ place: placeRow(row), owners: listOwners(row, entityTypes) }));
  const changed = new Set(conflicts.map(placeRow));
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
