import type { Claim, ClaimEdge, EdgeType } from "../state/claims.ts";
import { compareTexts } from "../registry/refs.ts";

/** The analysis's input: claims by position in a canonical order, and the edges between them. */
export interface MapGraph {
  /** By id; whatever order they came in. Ids may repeat: the first then owns the edges. */
  readonly claims: readonly Claim[];
  /** Distinct edges between two claims of the map, ordered. */
  readonly edges: readonly JoinedEdge[];
  /** Per claim, how many of the experts say it: 0 to `experts`. */
  readonly counts: readonly number[];
  /** Number of experts that answered. */
  readonly experts: number;
}

/** An edge with the positions of its claims. */
export interface JoinedEdge {
  readonly from: number;
  readonly to: number;
  readonly type: EdgeType;
  readonly edge: ClaimEdge;
}

export interface MapGraphInput {
  readonly claims: readonly Claim[];
  readonly edges: readonly ClaimEdge[];
  readonly experts: number;
}

/**
 * Puts claims and edges in the order that the analysis keeps, whatever order they came in.
 *
 * Supporters become distinct and ascending. Edges that join nothing, or a claim with itself, and
 * edges that say the same once more are left out: a conflict or a tradeoff says the same both ways.
 */
export function buildMapGraph(map: MapGraphInput): MapGraph {
  const experts = Number.isFinite(map.experts) ? Math.max(0, Math.floor(map.experts)) : 0;
  const claims = map.claims.map(withOrderedSupporters).toSorted(compareClaims);
  return {
    claims,
    edges: joinEdges(claims, map.edges),
    counts: claims.map((claim) => Math.min(experts, claim.supporters.length)),
    experts,
  };
}

/** Returns true when an edge of this type means the same in both directions. */
export function isMutual(type: EdgeType): boolean {
  return type === "conflicts" || type === "tradeoff";
}

/** Per claim, the positions it is joined to by edges of this type, in either direction, each once. */
export function neighboursBy(graph: MapGraph, type: EdgeType): readonly (readonly number[])[] {
  const neighbours = graph.claims.map(() => new Set<number>());
  for (const edge of graph.edges) {
    if (edge.type !== type) continue;
    neighbours[edge.from]?.add(edge.to);
    neighbours[edge.to]?.add(edge.from);
  }
  return neighbours.map((found) => [...found].toSorted((a, b) => a - b));
}

function withOrderedSupporters(claim: Claim): Claim {
  const supporters = [...new Set(claim.supporters)].toSorted((a, b) => a - b);
  return { ...claim, supporters };
}

function compareClaims(a: Claim, b: Claim): number {
  return (
    compareTexts(a.id, b.id) ||
    compareTexts(a.text, b.text) ||
    compareTexts(a.label, b.label) ||
    compareTexts(a.type, b.type) ||
    compareTexts(a.supporters.join(), b.supporters.join())
  );
}

function joinEdges(claims: readonly Claim[], edges: readonly ClaimEdge[]): JoinedEdge[] {
  const positions = new Map<string, number>();
  for (const [position, { id }] of claims.entries()) {
    if (!positions.has(id)) positions.set(id, position);
  }
  const joined = new Map<string, JoinedEdge>();
  for (const edge of edges.toSorted(compareEdges)) {
    const from = positions.get(edge.from);
    const to = positions.get(edge.to);
    if (from === undefined || to === undefined || from === to) continue;
    const ends = isMutual(edge.type) && from > to ? [to, from] : [from, to];
    const key = `${edge.type} ${ends.join(" ")}`;
    if (!joined.has(key)) joined.set(key, { from, to, type: edge.type, edge });
  }
  return [...joined.values()];
}

function compareEdges(a: ClaimEdge, b: ClaimEdge): number {
  return (
    compareTexts(a.type, b.type) ||
    compareTexts(a.from, b.from) ||
    compareTexts(a.to, b.to) ||
    compareTexts(a.reason, b.reason)
  );
}
