import { toRegistryEvents } from "../../registry/outcome-events.ts";
import type { Registry, RegistryEvent } from "../../state/registry.ts";
import type { TurnState } from "../../state/turn.ts";
import type { NodeServices } from "../node.ts";
import { requireRun } from "../require-run.ts";

/** Most rows that are loaded whole; more of them are loaded at summary detail. */
const WHOLE_ROWS = 8;

interface NeededRows {
  readonly registry: Registry;
  readonly refs: readonly string[];
  readonly services: Pick<NodeServices, "data">;
}

/**
 * Loads the rows that a prompt needs and the registry does not hold, by ref, without asking a model:
 * what can be chosen is fetched again rather than carried from checkpoint to checkpoint. Returns the
 * registry events of the rows; a row that no longer exists has none.
 */
export async function loadRows(
  state: TurnState,
  { registry, refs, services }: NeededRows,
): Promise<RegistryEvent[]> {
  const needed = new Set(refs);
  const missing = registry.entries.flatMap(({ ref, type, id, row, action }) =>
    needed.has(ref) && row === null && id !== null && action !== "deleted" ? [{ type, id }] : [],
  );
  if (missing.length === 0) return [];
  const byType = Map.groupBy(missing, ({ type }) => type);
  const wanted = [...byType].map(([type, rows]) => ({ type, ids: rows.map(({ id }) => id) }));
  const detail = needed.size > WHOLE_ROWS ? "summary" : "full";
  const found = await services.data.fetchRows(requireRun(state).userId, wanted, detail);
  return toRegistryEvents({ ...found, writes: [] }, { turn: state.turn });
}
