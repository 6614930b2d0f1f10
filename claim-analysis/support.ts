import { neighboursBy, type MapGraph } from "./map-graph.ts";

/**
 * Everything about support that a shape may depend on, as whole numbers.
 *
 * Shapes ask nothing else about supporters: so `survivesAnyChange` can try every change.
 */
export interface SupportTally {
  /** Conflicts between two strong claims. */
  readonly conflicts: number;
  /** Tradeoffs between two strong claims. */
  readonly tradeoffs: number;
  /** Supporters of the core together. */
  readonly core: number;
  /** Supporters of all claims together. */
  readonly total: number;
}

/** The support of the claims, by their position. */
export interface Support {
  /** Said by at least half of the experts and at least two. */
  readonly strong: readonly boolean[];
  /** Strong, and in conflict with no strong claim. */
  readonly core: readonly boolean[];
  readonly tally: SupportTally;
  /** The tally after one supporter more or less of one claim, for every such change there is. */
  readonly changes: () => Iterable<SupportTally>;
}

/** Returns the number of supporters that make a claim strong: half of the experts, rounded up, and at least two. */
export function strongFrom(experts: number): number {
  return Math.max(2, Math.ceil(experts / 2));
}

/** Reads from a map which claims are strong, and how shapes could change with one supporter. */
export function readSupport(map: MapGraph): Support {
  const { counts } = map;
  const bound = strongFrom(map.experts);
  const strong = counts.map((count) => count >= bound);
  const opposed = strongNeighbours("conflicts");
  const traded = strongNeighbours("tradeoff");
  const opponents = opposed.map((claims) => claims.length);
  const core = strong.map((is, claim) => is && opponents[claim] === 0);
  const tally: SupportTally = {
    conflicts: countStrongPairs(opposed),
    tradeoffs: countStrongPairs(traded),
    core: sum(counts.filter((_, claim) => core[claim])),
    total: sum(counts),
  };
  return { strong, core, tally, changes };

  /** Per claim, the strong claims it is joined to, whether it is strong itself or not. */
  function strongNeighbours(type: "conflicts" | "tradeoff"): number[][] {
    return neighboursBy(map, type).map((claims) => claims.filter((claim) => strong[claim]));
  }

  function countStrongPairs(neighbours: readonly (readonly number[])[]): number {
    return sum(neighbours.map((claims, claim) => (strong[claim] ? claims.length : 0))) / 2;
  }

  function* changes(): Iterable<SupportTally> {
    for (const [claim, count] of counts.entries()) {
      if (count > 0) yield after(claim, -1);
      if (count < map.experts) yield after(claim, 1);
    }
  }

  function after(claim: number, change: 1 | -1): SupportTally {
    const count = (counts[claim] ?? 0) + change;
    const isStrong = count >= bound;
    const turned = Number(isStrong) - Number(strong[claim]);
    const rivals = opposed[claim] ?? [];
    const before = core[claim] ? count - change : 0;
    const own = isStrong && rivals.length === 0 ? count : 0;
    return {
      conflicts: tally.conflicts + turned * rivals.length,
      tradeoffs: tally.tradeoffs + turned * (traded[claim]?.length ?? 0),
      core: tally.core - before + own + sum(rivals.map((rival) => coreChange(rival, turned))),
      total: tally.total + change,
    };
  }

  /** Computes the change a strong claim makes to the core when it gains or loses a strong opponent. */
  function coreChange(claim: number, opponentsMore: number): number {
    const now = opponents[claim] === 0;
    const then = (opponents[claim] ?? 0) + opponentsMore === 0;
    return (Number(then) - Number(now)) * (counts[claim] ?? 0);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
