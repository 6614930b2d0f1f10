import type { AnalyzedClaim, StructuralAnalysis } from "../state/analysis.ts";
import type { ClaimMap } from "../state/claims.ts";
import { measureClaims } from "./claim-metrics.ts";
import { compareTexts } from "../registry/refs.ts";
import { decideShape } from "./decide-shape.ts";
import { readFacts, type MapFacts } from "./facts.ts";
import { findPatterns, type FoundPattern } from "./find-patterns.ts";
import { buildMapGraph } from "./map-graph.ts";

/** A map of claims and how many experts answered. */
export interface StructuralAnalysisInput extends ClaimMap {
  readonly experts: number;
}

/**
 * Analyses a map of claims: what is well supported, what hangs on what, what form the whole has.
 *
 * Contract: pure and total (no claims, cycles, edges that join nothing, no experts). Nothing depends
 * on the order of claims, edges, gaps or supporters, nor on which expert has which number; ids and
 * texts decide the order of lists alone. Metrics: `measureClaims`, `MapRatios`; shapes and
 * confidence: `decideShape` and `shapes/`; patterns: `findPatterns`.
 *
 * @example
 * const claim = (id, label, supporters) => ({ id, label, text: label, supporters, type: "prescriptive" });
 * const analysis = computeStructuralAnalysis({
 *   claims: [claim("c1", "Sell the car", [1, 2, 3]), claim("c2", "Keep it a year", [2])],
 *   edges: [{ from: "c1", to: "c2", type: "conflicts", reason: "one car" }],
 *   gaps: [],
 *   experts: 3,
 * });
 * analysis.shape.name; // "settled"
 */
export function computeStructuralAnalysis(input: StructuralAnalysisInput): StructuralAnalysis {
  const map = buildMapGraph(withSoundSupport(input));
  const facts = readFacts(map);
  const claims = analyzeClaims(facts);
  const shape = decideShape(facts);
  const { core, pairs = [], branches = [] } = shape.evidence;
  return {
    claims: claims.toSorted(mostTellingFirst),
    edges: map.edges.map(({ edge }) => edge),
    gaps: [...new Set(input.gaps)].toSorted(compareTexts),
    metrics: {
      experts: map.experts,
      components: facts.groups.length,
      chain: claimIds(facts.chain),
      hub: findHub(facts),
      ...facts.ratios,
    },
    shape: {
      name: shape.name,
      confidence: shape.confidence,
      runnerUp: shape.runnerUp,
      data: {
        core: claimIds(core),
        pairs: pairs.map(({ a, b, reason }) => ({ a: claimId(a), b: claimId(b), reason })),
        branches: branches.map((branch) => ({
          condition: branch.condition === null ? null : claimId(branch.condition),
          claims: claimIds(branch.claims),
        })),
      },
    },
    patterns: findPatterns(facts, shape.name).map(({ name, claims }) => ({
      name,
      claims: claimIds(byLeverage({ name, claims })),
    })),
  };

  function claimId(position: number): string {
    return map.claims[position]?.id ?? "";
  }

  function claimIds(positions: readonly number[]): string[] {
    return positions.map(claimId);
  }

  function findHub({ keystone, needs }: MapFacts): string | null {
    if (keystone !== null) return claimId(keystone.claim);
    const most = needs.dependents.reduce((most, count) => Math.max(most, count), 0);
    return most === 0 ? null : claimId(needs.dependents.indexOf(most));
  }

  /** A chain's links keep its order; elsewhere that comes first on which most turns. */
  function byLeverage({ name, claims: found }: FoundPattern): readonly number[] {
    if (name === "chain") return found;
    return found.toSorted((a, b) => (claims[b]?.leverage ?? 0) - (claims[a]?.leverage ?? 0));
  }
}

function analyzeClaims(facts: MapFacts): AnalyzedClaim[] {
  const measured = measureClaims(facts);
  return facts.map.claims.flatMap((claim, position) => {
    const metrics = measured[position];
    return metrics === undefined ? [] : [{ ...claim, ...metrics }];
  });
}

function mostTellingFirst(a: AnalyzedClaim, b: AnalyzedClaim): number {
  return b.support - a.support || b.leverage - a.leverage;
}

/** Only numbers of experts that answered count as support, each once: callers from outside may pass any. */
function withSoundSupport(input: StructuralAnalysisInput): StructuralAnalysisInput {
  const isExpert = (number: number): boolean =>
    Number.isInteger(number) && number >= 1 && number <= input.experts;
  return {
    ...input,
    claims: input.claims.map((claim) =>
      Object.assign({}, claim, { supporters: [...new Set(claim.supporters.filter(isExpert))] }),
    ),
  };
}
