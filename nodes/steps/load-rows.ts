import { toRegistryEvents } from "../../registry/outcome-events.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** Most rows that are loaded whole; of more of them those that are named. */
const WHOLE_ROWS = 8;

interface NeededRows {
  readonly registry: Registry;
  readonly refs: readonly string[];
  /** Those of the refs that are spoken of: a summary is not enough of them. */
  readonly named: readonly string[];
  readonly services: Pick<NodeServices, "data">;
}

/**
 * Loads the rows that a prompt needs and the registry does not hold, by ref, without asking a model:
 * what can be chosen is fetched again rather than carried from checkpoint to checkpoint. Rows that
 * are named are loaded where only their summary is held, too. Returns the registry events of the
 * rows; a row that no longer exists has none.
 */
export async function loadRows(
  state: TurnState,
  { registry, refs, named, services }: NeededRows,
): Promise<RegistryEvent[]> {
  const [needed, spokenOf] = [new Set(refs), new Set(named)];
  const missing = registry.entries.flatMap(({ ref, type, id, row, detail, action }) => {
    const isNamed = spokenOf.has(ref);
    const isHeld = row !== null && (detail === "full" || !isNamed);
    if (!needed.has(ref) || isHeld || id === null || action === "deleted") return [];
    const isWhole = isNamed || needed.size <= WHOLE_ROWS;
    return [{ type, id, detail: isWhole ? ("full" as const) : ("summary" as const) }];
  });
  const loaded = await Promise.all(
    [...Map.groupBy(missing, (row) => row.detail)].map(([detail, rows]) => {
      const byType = Map.groupBy(rows, ({ type }) => type);
      const wanted = [...byType].map(([type, own]) => ({ type, ids: own.map(({ id }) => id) }));
      return services.data.fetchRows(requireRun(state).userId, wanted, detail);
    }),
  );
  return loaded.flatMap((found) =>
    toRegistryEvents({ ...found, writes: [] }, { turn: state.turn }),
  );
}
