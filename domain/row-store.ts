import type { EntityType } from "../state/entity.ts";
import type { RowStore, UserData } from "../state/store.ts";
import type { ToolRead } from "../state/tool.ts";
import { completeOutcome } from "./run-tool.ts";
import { fetchRows } from "./table-tools/rows.ts";

/** Makes the row store over the tables of the entity types. */
export function createRowStore(
  userData: Pick<UserData, "read">,
  entityTypes: readonly EntityType[],
): RowStore {
  return {
    fetchRows: (userId, wanted, detail) =>
      userData.read(userId, async (tx) => {
        const reads: ToolRead[] = [];
        for (const { type, ids } of wanted) {
          const entityType = entityTypes.find((candidate) => candidate.type === type);
          if (entityType === undefined) continue;
          const rows = await fetchRows(tx, entityType, { ids, detail });
          const found = rows.map(({ id }) => id);
          reads.push({ type, ids: found, rows, detail, total: found.length, suppressed: false });
        }
        const outcome = { reads, text: null, writes: [], failures: [] };
        return completeOutcome(tx, outcome, { entityTypes });
      }),
  };
}
