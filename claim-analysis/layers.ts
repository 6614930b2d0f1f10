import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import { groupCycles } from "./cycles.ts";

/** Claims in the order in which they can be acted on. */
export interface Layers {
  /** Each layer needs something of the one before it; claims that need each other share a layer. */
  readonly layers: readonly (readonly AnalyzedClaim[])[];
  /** Claims that need nothing and that nothing needs. */
  readonly free: readonly AnalyzedClaim[];
}

/** Groups claims by their prerequisite edges, in the order of `claims` within a group. */
export function findLayers(
  claims: readonly AnalyzedClaim[],
  edges: StructuralAnalysis["edges"],
): Layers {
  const positions = new Map(claims.map(({ id }, at) => [id, at]));
  const next: number[][] = claims.map(() => []);
  const tied = new Set<number>();
  for (const { from, to, type } of edges) {
    const [need, needing] = [positions.get(from), positions.get(to)];
    if (type !== "prerequisite" || need === undefined || needing === undefined) continue;
    if (need === needing) continue;
    next[need]?.push(needing);
    tied.add(need).add(needing);
  }
  const depth = claims.map(() => 0);
  // A group comes after every group that it leads to: from the last on, depths are final.
  for (const group of groupCycles(next).toReversed()) {
    const own = Math.max(...group.map((claim) => depth[claim] ?? 0));
    for (const claim of group) depth[claim] = own;
    for (const target of group.flatMap((claim) => next[claim] ?? [])) {
      if (!group.includes(target)) depth[target] = Math.max(depth[target] ?? 0, own + 1);
    }
  }
  const layers: AnalyzedClaim[][] = [];
  for (const [at, claim] of claims.entries()) {
    if (tied.has(at)) (layers[depth[at] ?? 0] ??= []).push(claim);
  }
  return { layers: layers.filter(Boolean), free: claims.filter((_, at) => !tied.has(at)) };
}
