import { share, type MapFacts } from "./facts.ts";

/** Measurements of one claim's place in the map. */
export interface ClaimMetrics {
  /** Its supporters ÷ experts; 0 to 1, 0 without experts. */
  readonly support: number;
  /** Said by at least half of the experts and at least two of them. */
  readonly strong: boolean;
  /** In conflict with another claim. */
  readonly contested: boolean;
  /** Without an edge. */
  readonly isolated: boolean;
  /** Number of claims that need it, directly or through others: 0 to n − 1. */
  readonly dependents: number;
  /** (Dependents + claims in conflict with it) × (1 − support): 0 to 2 (n − 1). Unanimity leaves none. */
  readonly leverage: number;
  /** Not strong, and at least two claims and a fifth of the others need it. */
  readonly inverted: boolean;
}

/** Measures every claim of a map, in the map's order. */
export function measureClaims(facts: MapFacts): readonly ClaimMetrics[] {
  const { map, needs, support, opponents } = facts;
  const alone = new Set(facts.alone);
  return map.claims.map((_, claim) => {
    const ratio = share(map.counts[claim] ?? 0, map.experts);
    const dependents = needs.dependents[claim] ?? 0;
    const conflicts = opponents[claim]?.length ?? 0;
    const strong = support.strong[claim] === true;
    return {
      support: ratio,
      strong,
      contested: conflicts > 0,
      isolated: alone.has(claim),
      dependents,
      leverage: (dependents + conflicts) * (1 - ratio),
      inverted: !strong && dependents >= 2 && dependents * 5 >= map.claims.length - 1,
    };
  });
}
