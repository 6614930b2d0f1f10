import { describeRefs } from "../registry/refs.ts";
import { clip } from "../registry/shorten.ts";
import type { Constraint } from "../state/constraint.ts";
import { omitQuestion } from "../summaries/step-outcome.ts";
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

/** One line for the wishes that were changed: they are taken back as effects are. */
function renderWishes({ turnNumber, wishes }: TurnExecutionSummary): string[] {
  if (wishes == null) return [];
  const { before, after } = wishes;
  const parts = [
    ...(after.length === 0 ? [] : [`noted ${nameWishes(after)}`]),
    ...(before.length === 0 ? [] : [`in place of ${nameWishes(before)}`]),
  ];
  const change = after.length === 0 ? `forgot ${nameWishes(before)}` : parts.join(" ");
  return [`- w${turnNumber}: ${change}`];
}

function nameWishes(wishes: readonly Constraint[]): string {
  return clip(wishes.map(({ text }) => text).join(", "), WISHES_CHARACTERS);
}

const WISHES_CHARACTERS = 120;

function renderRecord(record: TurnExecutionSummary): string {
  const stored = new Set(record.effects.map(({ ref }) => ref));
  const lines = [
    `Turn ${record.turnNumber}: ${record.goal}`,
    ...record.steps.flatMap(({ outcome, entitiesAffected: refs }) => {
      if (refs.length === 0) return [`- ${omitQuestion(outcome)}`];
      return refs.every((ref) => stored.has(ref)) ? [] : [`- ${outcome} → ${describeRefs(refs)}`];
    }),
    ...renderEffects(record),
    ...renderWishes(record),
    record.curationSummary === null ? "" : `- ${record.curationSummary}`,
  ];
  return lines
    .filter((line) => line !== "")
    .map(oneLine)
    .join("\n");
}
