import { describeRefs } from "../registry/refs.ts";
import { oneLine } from "../text/fence.ts";
import type { TurnExecutionSummary } from "../state/turn-summary.ts";

/** The last turns' records in brief, for the node that decides what a message refers to. */
export function renderRecords(records: readonly TurnExecutionSummary[]): string {
  return records.map(renderRecord).join("\n\n");
}

function renderRecord(record: TurnExecutionSummary): string {
  const lines = [
    `Turn ${record.turnNumber}: ${record.goal}`,
    ...record.steps.map(
      (step) =>
        `- ${step.outcome}${step.entitiesAffected.length === 0 ? "" : ` → ${describeRefs(step.entitiesAffected)}`}`,
    ),
    ...record.effects.map((effect) => `- ${effect.action} ${effect.ref} (${effect.label})`),
    record.curationSummary === null ? "" : `- ${record.curationSummary}`,
    record.responseSummary === "" ? "" : `- Said: ${record.responseSummary}`,
    record.naturalNext === "" ? "" : `- Expected next: ${record.naturalNext}`,
  ];
  return lines
    .filter((line) => line !== "")
    .map(oneLine)
    .join("\n");
}
