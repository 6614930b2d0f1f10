import type { Curation, Registry } from "../state/registry.ts";
import { findEntry } from "./entries.ts";
import { nearRefs } from "./refs.ts";

type Action = "drop" | "demote" | "restore" | "retain";

/** The action to take on one ref. */
interface Decision {
  readonly action: Action;
  readonly ref: string;
  readonly reason: string;
}

/** Number of known refs that a problem suggests. */
const NEAR_LIMIT = 3;

/**
 * Understand's decisions with everything taken out that cannot be carried out, and why, one sentence each.
 *
 * A ref must exist and not be deleted. Repeated refs count once, with their first
 * reason. Of contradicting decisions on one ref, `drop` stands before all others; of demote and
 * restore, the one that changes something (what is out comes back, anything else goes out); of
 * demote and retain, demote, because offering what was excluded is the worse mistake. Clearing
 * everything leaves nothing for other decisions to act on.
 */
export function checkCuration(
  registry: Registry,
  curation: Curation,
): { curation: Curation; problems: string[] } {
  const decisions = listDecisions(curation);
  const problems = new Map(
    decisions.map((decision) => [
      decision,
      curation.clearAll ? cleared(decision) : refProblem(registry, decision),
    ]),
  );
  const possible = decisions.filter((decision) => problems.get(decision) === null);
  for (const decision of possible) {
    problems.set(decision, contradiction(registry, decision, possible));
  }
  const kept = (action: Action): { ref: string; reason: string }[] =>
    possible
      .filter((decision) => decision.action === action && problems.get(decision) === null)
      .map(({ ref, reason }) => ({ ref, reason }));
  return {
    curation: {
      retain: kept("retain"),
      demote: kept("demote"),
      restore: kept("restore"),
      drop: kept("drop").map(({ ref }) => ref),
      clearAll: curation.clearAll,
      summary: curation.summary,
    },
    problems: [...problems.values()].filter((problem) => problem !== null),
  };
}

/** A decision that was asked for and not carried out. */
export interface UndoneDecision {
  readonly action: "demote" | "restore";
  readonly ref: string;
}

/**
 * Lists what was to be left out or brought back and is neither: where decisions contradict one another,
 * the one that stands counts for both. Pure.
 */
export function listUndone(asked: Curation, done: Curation): UndoneDecision[] {
  const stands = new Set([
    ...done.drop,
    ...[...done.demote, ...done.restore].map(({ ref }) => ref),
  ]);
  return listDecisions(asked).flatMap(({ action, ref }) =>
    (action === "demote" || action === "restore") && !stands.has(ref) ? [{ action, ref }] : [],
  );
}

/** Returns true when the curation decides anything. */
export function decidesSomething(curation: Curation): boolean {
  return curation.clearAll || listDecisions(curation).length > 0;
}

function listDecisions(curation: Curation): Decision[] {
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

function cleared({ action, ref }: Decision): string {
  return `Cannot ${action} "${ref}": everything is forgotten in the same turn`;
}

function refProblem(registry: Registry, { action, ref }: Decision): string | null {
  const entry = findEntry(registry, ref);
  if (entry === undefined) {
    const near = nearRefs(registry, ref, NEAR_LIMIT);
    const hint =
      near.length === 0 ? "no such ref is known" : `known refs near it: ${near.join(", ")}`;
    return `Cannot ${action} "${ref}": it does not exist in this conversation; ${hint}`;
  }
  if (entry.action === "deleted" && action !== "drop") {
    return `Cannot ${action} "${ref}": it was deleted ("${entry.label}")`;
  }
  return null;
}

function contradiction(
  registry: Registry,
  { action, ref }: Decision,
  possible: readonly Decision[],
): string | null {
  const wants = (other: Action): boolean =>
    possible.some((decision) => decision.action === other && decision.ref === ref);
  const isOut = (findEntry(registry, ref)?.demotion ?? null) !== null;
  const restores = wants("restore") && (isOut || !wants("demote"));
  const demotes = wants("demote") && !restores;
  const winner = wants("drop") ? "drop" : demotes ? "demote" : restores ? "restore" : action;
  const stands = action === winner || (action === "retain" && winner === "restore");
  return stands
    ? null
    : `Cannot ${action} "${ref}": the same turn asks to ${winner} it, which stands`;
}
