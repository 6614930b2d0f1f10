import type { Curation, Registry } from "../state/registry.ts";
import { entryOf } from "./entries.ts";
import { nearRefs } from "./refs.ts";

type Action = "drop" | "demote" | "restore" | "retain";

/** A decision on one ref, and what stands in its way. */
interface Judged {
  readonly action: Action;
  readonly ref: string;
  readonly reason: string;
  readonly problem: string | null;
}

/** How many known refs a problem offers. */
const NEAR_LIMIT = 3;

/**
 * Understand's decisions with everything taken out that cannot be carried out, and why, one sentence each.
 *
 * A ref must exist, not be deleted, and have been shown. Repeated refs count once, with their first
 * reason. Of contradicting decisions on one ref, `drop` stands before all others; of demote and
 * restore, the one that changes something (what is out comes back, anything else goes out); of
 * demote and retain, demote, because offering what was excluded is the worse mistake. Clearing
 * everything leaves nothing for other decisions to act on.
 */
export function checkCuration(
  registry: Registry,
  curation: Curation,
  shown: ReadonlySet<string>,
): { curation: Curation; problems: string[] } {
  const decisions = decisionsOf(curation);
  const judged = decisions.map((decision) => ({
    ...decision,
    problem: curation.clearAll
      ? `Cannot ${decision.action} "${decision.ref}": everything is forgotten in the same turn`
      : (refProblem(registry, decision, shown) ?? null),
  }));
  const possible = judged.filter((decision) => decision.problem === null);
  const settled = judged.map((decision) => ({
    ...decision,
    problem: decision.problem ?? contradiction(registry, decision, possible),
  }));
  const kept = settled.filter((decision) => decision.problem === null);
  const keptOf = (action: Action): { ref: string; reason: string }[] =>
    kept
      .filter((decision) => decision.action === action)
      .map(({ ref, reason }) => ({ ref, reason }));
  return {
    curation: {
      retain: keptOf("retain"),
      demote: keptOf("demote"),
      restore: keptOf("restore"),
      drop: keptOf("drop").map(({ ref }) => ref),
      clearAll: curation.clearAll,
      summary: curation.summary,
    },
    problems: settled.flatMap((decision) => decision.problem ?? []),
  };
}

/** Whether the curation decides anything. */
export function decidesSomething(curation: Curation): boolean {
  return curation.clearAll || decisionsOf(curation).length > 0;
}

function decisionsOf(curation: Curation): Omit<Judged, "problem">[] {
  const all = [
    ...curation.drop.map((ref) => ({ action: "drop" as const, ref, reason: "" })),
    ...curation.demote.map((decision) => ({ action: "demote" as const, ...decision })),
    ...curation.restore.map((decision) => ({ action: "restore" as const, ...decision })),
    ...curation.retain.map((decision) => ({ action: "retain" as const, ...decision })),
  ];
  return all.filter(
    (decision, index) =>
      all.findIndex(({ action, ref }) => action === decision.action && ref === decision.ref) ===
      index,
  );
}

function refProblem(
  registry: Registry,
  { action, ref }: Omit<Judged, "problem">,
  shown: ReadonlySet<string>,
): string | null {
  const entry = entryOf(registry, ref);
  if (entry === undefined) {
    const near = nearRefs(registry, ref, NEAR_LIMIT);
    const hint =
      near.length === 0 ? "no such ref is known" : `known refs near it: ${near.join(", ")}`;
    return `Cannot ${action} "${ref}": it does not exist in this conversation; ${hint}`;
  }
  if (entry.action === "deleted" && action !== "drop") {
    return `Cannot ${action} "${ref}": it was deleted ("${entry.label}")`;
  }
  return shown.has(ref) ? null : `Cannot ${action} "${ref}": it was not shown in this turn`;
}

function contradiction(
  registry: Registry,
  { action, ref }: Judged,
  possible: readonly Judged[],
): string | null {
  const wants = (other: Action): boolean =>
    possible.some((decision) => decision.action === other && decision.ref === ref);
  const isOut = (entryOf(registry, ref)?.demotion ?? null) !== null;
  const restores = wants("restore") && (isOut || !wants("demote"));
  const demotes = wants("demote") && !restores;
  const winner = wants("drop") ? "drop" : demotes ? "demote" : restores ? "restore" : action;
  const stands = action === winner || (action === "retain" && winner === "restore");
  return stands
    ? null
    : `Cannot ${action} "${ref}": the same turn asks to ${winner} it, which stands`;
}
