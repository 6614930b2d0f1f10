import { describeRefs } from "../registry/refs.ts";
import { oneLine } from "../text/fence.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";

/**
 * The last turns' records in brief, for the node that decides what a message refers to; what was said
 * in them stands beside them, and what was stored in the lines of its effects.
 */
export function renderRecords(records: readonly TurnExecutionSummary[]): string {
  return records.map(renderRecord).join("\n\n");
}

/** One line for the rows of an effect that had the same done to them. */
function renderEffects({ effects }: TurnExecutionSummary): string[] {
  const kinds = Map.groupBy(effects, ({ effectId, action }) => `e${effectId}: ${action}`);
  return [...kinds].map(
    ([kind, rows]) => `- ${kind} ${rows.map(({ ref, label }) => `${ref} (${label})`).join(", ")}`,
  );
}

function renderRecord(record: TurnExecutionSummary): string {
  const stored = new Set(record.effects.map(({ ref }) => ref));
  const lines = [
    `Turn ${record.turnNumber}: ${record.goal}`,
    ...record.steps.flatMap(({ outcome, entitiesAffected: refs }) => {
      if (refs.length === 0) return [`- ${outcome}`];
      return refs.every((ref) => stored.has(ref)) ? [] : [`- ${outcome} → ${describeRefs(refs)}`];
    }),
    ...renderEffects(record),
    record.curationSummary === null ? "" : `- ${record.curationSummary}`,
  ];
  return lines
    .filter((line) => line !== "")
    .map(oneLine)
    .join("\n");
}
