import type { Curation } from "../state/registry.ts";
import { oneLine } from "../text/fence.ts";
import { describeRefs } from "../registry/refs.ts";
import { clip } from "../registry/shorten.ts";
import { quoteNamed } from "./quote.ts";

const REASON_CHARACTERS = 120;

type Decision = Curation["demote"][number];

/**
 * Describes the decisions of Understand about refs on one line: "Demoted recipe_1, recipe_2, recipe_7 (contain
 * cod)". Refs with one reason stand together; without a reason their labels are named. Null where
 * nothing was decided.
 */
export function summarizeCuration(
  curation: Curation | null,
  labels: Readonly<Record<string, string>>,
): string | null {
  if (curation === null) return null;
  const dropped = curation.drop.map((ref) => ({ ref, reason: "" }));
  const parts = [
    ...(curation.clearAll ? ["Cleared everything"] : []),
    ...decided("Demoted", curation.demote, labels),
    ...decided("Restored", curation.restore, labels),
    ...decided("Retained", curation.retain, labels),
    ...decided("Dropped", dropped, labels),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

function decided(
  what: string,
  decisions: readonly Decision[],
  labels: Readonly<Record<string, string>>,
): string[] {
  return [...Map.groupBy(decisions, ({ reason }) => clip(oneLine(reason), REASON_CHARACTERS))].map(
    ([reason, group]) => {
      const refs = group.map(({ ref }) => ref);
      const names = refs.map((ref) => ({ ref, label: labels[ref] ?? "" }));
      return `${what} ${reason === "" ? quoteNamed(names) : `${describeRefs(refs)} (${reason})`}`;
    },
  );
}
