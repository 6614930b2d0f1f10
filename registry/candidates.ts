import type { Candidates, Registry, RegistryEntry } from "../state/registry.ts";
import { isInPlay } from "./entries.ts";

/** The refs of one entity type that still can be chosen. */
export interface ViableRefs {
  readonly type: string;
  readonly refs: readonly string[];
}

/** The candidates after an analysis: the types it judged are replaced, others stay. */
export function setCandidates(
  candidates: readonly Candidates[],
  judged: readonly Candidates[],
): Candidates[] {
  const latest = new Map(judged.map((one) => [one.type, one]));
  const known = new Set(candidates.map((one) => one.type));
  return [
    ...candidates.map((one) => latest.get(one.type) ?? one),
    ...[...latest.values()].filter((one) => !known.has(one.type)),
  ];
}

/**
 * Returns the choices of a type: its candidates in their order and what was restored since, less
 * what is demoted or deleted. Without an analysis: every saved entry that is held.
 */
export function viableRefs(
  registry: Registry,
  candidates: readonly Candidates[],
  type: string,
): string[] {
  const entries = registry.entries.filter((entry) => entry.type === type && isInPlay(entry));
  const analysis = candidates.find((one) => one.type === type);
  if (analysis === undefined) {
    return entries.filter((entry) => entry.id !== null && entry.row !== null).map(entryRef);
  }
  const inPlay = new Set(entries.map(entryRef));
  const restored = entries
    .filter((entry) => (entry.restoredTurn ?? 0) >= analysis.turn)
    .map(entryRef);
  return [...new Set([...analysis.refs, ...restored])].filter((ref) => inPlay.has(ref));
}

/** The viable refs of every type that an analysis judged or something was taken out of, in order of appearance. */
export function viableByType(registry: Registry, candidates: readonly Candidates[]): ViableRefs[] {
  const judged = new Set(candidates.map((one) => one.type));
  const narrowed = new Set(
    registry.entries.filter((entry) => entry.demotion !== null).map((entry) => entry.type),
  );
  const types = new Set([...registry.entries.map((entry) => entry.type), ...judged]);
  return [...types]
    .filter((type) => judged.has(type) || narrowed.has(type))
    .map((type) => ({ type, refs: viableRefs(registry, candidates, type) }));
}

function entryRef(entry: RegistryEntry): string {
  return entry.ref;
}
