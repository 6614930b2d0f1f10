import { UndirectedGraph } from "graphology";
import { connectedComponents } from "graphology-components";
import type { MapGraph } from "./map-graph.ts";

/** The connected groups of claims, whatever the types of their edges. */
export interface Groups {
  /** Claims that are connected, at least two together; the largest group first. */
  readonly groups: readonly (readonly number[])[];
  /** Claims without an edge, ascending. */
  readonly alone: readonly number[];
}

/** Finds the groups of connected claims, and the claims that stand alone. */
export function findGroups(map: MapGraph): Groups {
  const graph = new UndirectedGraph();
  for (const claim of map.claims.keys()) graph.addNode(String(claim));
  for (const { from, to } of map.edges) graph.mergeEdge(String(from), String(to));
  const components = connectedComponents(graph)
    .map((keys) => keys.map(Number).toSorted((a, b) => a - b))
    .toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  return {
    groups: components.filter((component) => component.length > 1),
    alone: components.filter((component) => component.length === 1).flat(),
  };
}
