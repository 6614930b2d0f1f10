import type { Effect } from "../state/step.ts";
import type { LedgerLine } from "../state/turn-summary.ts";
import { describeRefs } from "../registry/refs.ts";
import { clip } from "../registry/shorten.ts";
import { oneLine } from "../text/fence.ts";

/** Effects are named with label and facts up to this many, beyond it by their refs. */
const NAMED_EFFECTS = 6;
const FACTS_CHARACTERS = 80;

/** Describes the stored rows by action: "created meal_7 (Lentil Soup: 2026-01-13, dinner); deleted shop_1 through shop_9". */
export function describeEffects(effects: readonly Effect[]): string {
  const describe = effects.length > NAMED_EFFECTS ? effectRefs : namedEffects;
  return [...Map.groupBy(effects, (effect) => effect.action)]
    .map(([action, group]) => `${action} ${describe(group)}`)
    .join("; ");
}

/** Groups the stored rows by action, with their refs alone: for lines that must stay short. */
export function groupEffects(effects: readonly Effect[]): LedgerLine["stored"] {
  return [...Map.groupBy(effects, (effect) => effect.action)].map(([action, group]) => ({
    action,
    refs: effectRefs(group),
  }));
}

/** Describes rows that are grouped by action: "created meal_7, meal_8; deleted shop_1 through shop_9". */
export function describeStored(stored: LedgerLine["stored"]): string {
  return stored.map(({ action, refs }) => `${action} ${refs}`).join("; ");
}

function effectRefs(effects: readonly Effect[]): string {
  return describeRefs([...new Set(effects.map((effect) => effect.ref))]);
}

function namedEffects(effects: readonly Effect[]): string {
  return effects
    .map(({ ref, label, facts }) => {
      const about = facts === "" ? label : `${label}: ${facts}`;
      return `${ref} (${clip(oneLine(about), FACTS_CHARACTERS)})`;
    })
    .join(", ");
}
