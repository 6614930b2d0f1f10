import type { PatternName, ShapeName } from "../state/analysis.ts";
import type { MapFacts } from "./facts.ts";

/** A pattern with its claims as positions, in the map's order (of a chain: in the chain's). */
export interface FoundPattern {
  readonly name: PatternName;
  readonly claims: readonly number[];
}

/**
 * Returns the patterns of a map in a fixed order, without those that its shape already states.
 *
 * - dissent: said by someone, not strong, and in conflict with a strong claim;
 * - keystone: the claim that the shape of that name needs (see `findKeystone`);
 * - chain: the claims that are not strong, of a prerequisite chain of at least three;
 * - fragile: strong claims that directly need one that is not;
 * - challenged: strong claims in conflict with one that is not;
 * - conditional: conditional claims;
 * - orphaned: strong claims without an edge, in a map that has edges.
 */
export function findPatterns(facts: MapFacts, shape: ShapeName): readonly FoundPattern[] {
  const { map, needs, support, opponents } = facts;
  const claims = [...map.claims.keys()];
  const isStrong = (claim: number) => support.strong[claim] === true;
  const isWeak = (claim: number) => !isStrong(claim);
  const meets = (claim: number, accepts: (other: number) => boolean) =>
    opponents[claim]?.some(accepts) === true;
  const onWeak = new Set(claims.filter(isWeak).flatMap((claim) => needs.next[claim] ?? []));

  const found: readonly FoundPattern[] = [
    {
      name: "dissent",
      claims: claims.filter(
        (claim) => isWeak(claim) && (map.counts[claim] ?? 0) > 0 && meets(claim, isStrong),
      ),
    },
    {
      name: "keystone",
      claims: facts.keystone === null || shape === "keystone" ? [] : [facts.keystone.claim],
    },
    { name: "chain", claims: facts.chain.length < 3 ? [] : facts.chain.filter(isWeak) },
    { name: "fragile", claims: claims.filter((claim) => isStrong(claim) && onWeak.has(claim)) },
    {
      name: "challenged",
      claims: claims.filter((claim) => isStrong(claim) && meets(claim, isWeak)),
    },
    {
      name: "conditional",
      claims:
        shape === "contextual"
          ? []
          : claims.filter((claim) => map.claims[claim]?.type === "conditional"),
    },
    { name: "orphaned", claims: map.edges.length === 0 ? [] : facts.alone.filter(isStrong) },
  ];
  return found.filter((pattern) => pattern.claims.length > 0);
}
