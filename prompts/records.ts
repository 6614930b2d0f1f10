import { describeRefs } from "../registry/refs.ts";
import { oneLine } from "../text/fence.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";

/** The last turns' records in brief, for the node that decides what a message refers to. */
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
  const lines = [
    `Turn ${record.turnNumber}: ${record.goal}`,
    ...record.steps.map(
      (step) =>
        `- ${step.outcome}${step.entitiesAffected.length === 0 ? "" : ` → ${describeRefs(step.entitiesAffected)}`}`,
    ),
    ...renderEffects(record),
    record.curationSummary === null ? "" : `- ${record.curationSummary}`,
    record.responseSummary === "" ? "" : `- Said: ${record.responseSummary}`,
    record.naturalNext === "" ? "" : `- Expected next: ${record.naturalNext}`,
  ];
  return lines
    .filter((line) => line !== "")
    .map(oneLine)
    .join("\n");
}
