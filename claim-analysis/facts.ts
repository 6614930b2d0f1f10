import { findBranches, type Branches } from "./branches.ts";
import { findGroups, type Groups } from "./groups.ts";
import { findKeystone, type Keystone } from "./keystone.ts";
import { findLongestChain } from "./longest-chain.ts";
import { neighboursBy, type MapGraph } from "./map-graph.ts";
import { readNeeds, type Needs } from "./needs.ts";
import { readSupport, type Support } from "./support.ts";

/** The facts from which metrics, shapes and patterns are computed. Claims are positions in `map.claims`. */
export interface MapFacts extends Groups {
  readonly map: MapGraph;
  readonly needs: Needs;
  readonly support: Support;
  readonly keystone: Keystone | null;
  /** The longest prerequisite chain, first claim first; empty without one. */
  readonly chain: readonly number[];
  readonly branches: Branches;
  /** Per claim, the claims it is in conflict with. */
  readonly opponents: readonly (readonly number[])[];
  readonly ratios: MapRatios;
}

/** Four ratios of a map, each from 0 to 1. */
export interface MapRatios {
  /** Support on the core (strong claims in conflict with no strong one) ÷ all support; 0 without any. */
  readonly alignment: number;
  /** Conflicts and tradeoffs ÷ all edges; 0 without edges. */
  readonly tension: number;
  /** (Connected components − 1) ÷ (claims − 1), a lone claim being a component; 0 for up to one claim. */
  readonly fragmentation: number;
  /** Claims of the longest prerequisite chain ÷ claims with an edge; 0 without a chain. */
  readonly depth: number;
}

/** Reads the facts of a map, each once. */
export function readFacts(map: MapGraph): MapFacts {
  const needs = readNeeds(map);
  const support = readSupport(map);
  const groups = findGroups(map);
  const chain = findLongestChain(needs);
  return {
    map,
    needs,
    support,
    ...groups,
    keystone: findKeystone(needs),
    chain,
    branches: findBranches(map, needs),
    opponents: neighboursBy(map, "conflicts"),
    ratios: {
      alignment: share(support.tally.core, support.tally.total),
      tension: share(
        map.edges.filter(({ type }) => type === "conflicts" || type === "tradeoff").length,
        map.edges.length,
      ),
      fragmentation: share(groups.groups.length + groups.alone.length - 1, map.claims.length - 1),
      depth: share(chain.length, map.claims.length - groups.alone.length),
    },
  };
}

/** A part of a whole, from 0 to 1; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : part / whole;
}
