import type { ShapeName } from "../../state/analysis.ts";
import type { MapFacts } from "../facts.ts";
import type { SupportTally } from "../support.ts";

/** One form that a map can have, and the evidence for it. */
export interface Shape {
  readonly name: ShapeName;
  /**
   * Returns true when the evidence for the shape is there.
   *
   * Contract: of support it looks at the tally alone, which may be another than the map's: that is
   * how the decision is tried with one supporter more or less.
   */
  readonly holds: (facts: MapFacts, tally: SupportTally) => boolean;
  /** Returns how far the evidence exceeds its threshold, from 0 (just met) to 1; called only when the shape holds. */
  readonly clarity: (facts: MapFacts) => number;
  /** Returns the claims and pairs that make up the evidence, most important first. */
  readonly evidence: (facts: MapFacts) => Evidence;
}

/** Evidence as positions of claims; what is left out is empty. */
export interface Evidence {
  readonly core: readonly number[];
  readonly pairs?: readonly EvidencePair[];
  readonly branches?: readonly EvidenceBranch[];
}

/** Two claims that stand against each other, and why. */
interface EvidencePair {
  readonly a: number;
  readonly b: number;
  readonly reason: string;
}

interface EvidenceBranch {
  readonly condition: number | null;
  readonly claims: readonly number[];
}

/** The claims by support, the most first; as they come where it is equal. */
export function bySupport(facts: MapFacts, claims: readonly number[]): number[] {
  const { counts } = facts.map;
  return claims.toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
}

export interface PairFilter {
  readonly type: "conflicts" | "tradeoff";
  readonly accepts: (claim: number) => boolean;
}

/** The edges of this type that join two of these claims, by the support of both together. */
export function pairsAmong(facts: MapFacts, within: PairFilter): EvidencePair[] {
  const { counts, edges } = facts.map;
  const countPairSupport = ({ a, b }: EvidencePair) => (counts[a] ?? 0) + (counts[b] ?? 0);
  return edges
    .filter(({ type, from, to }) => type === within.type && [from, to].every(within.accepts))
    .map(({ from, to, edge }) => {
      const [a = from, b = to] = bySupport(facts, [Math.min(from, to), Math.max(from, to)]);
      return { a, b, reason: edge.reason };
    })
    .toSorted((one, other) => countPairSupport(other) - countPairSupport(one));
}
