import type { TurnExecutionSummary } from "../../state/turn-summary.ts";

/** Every ref that a record names. */
export function collectRecordRefs(record: TurnExecutionSummary): string[] {
  return [
    ...record.steps.flatMap((step) => step.entitiesAffected),
    ...record.effects.map(({ ref }) => ref),
    ...record.retainedRefs,
    ...record.demotedRefs,
  ];
}
