import { DirectedGraph } from "graphology";
import { bfsFromNode } from "graphology-traversal";
import { groupCycles } from "./cycles.ts";
import type { MapGraph } from "./map-graph.ts";

/** The prerequisite edges of a map; claims that need each other form one group. */
export interface Needs {
  /** Per claim, the claims that need it directly, ascending. */
  readonly next: readonly (readonly number[])[];
  /** Claims that need each other; most are alone. A group comes after every group that needs it. */
  readonly groups: readonly (readonly number[])[];
  /** Per group, the groups that need it directly. */
  readonly groupNext: readonly (readonly number[])[];
  /** Per claim, how many others need it, directly or through others: 0 to n − 1. */
  readonly dependents: readonly number[];
  /** The positions of the claims that need it, or that it needs, directly or through others; ascending. */
  readonly reach: (claim: number, direction: "dependents" | "prerequisites") => number[];
}

/** Reads what needs what from a map's prerequisite edges. */
export function readNeeds(map: MapGraph): Needs {
  const graph = new DirectedGraph();
  for (const position of map.claims.keys()) graph.addNode(String(position));
  const next: number[][] = map.claims.map(() => []);
  for (const { from, to, type } of map.edges) {
    if (type !== "prerequisite") continue;
    graph.addEdge(String(from), String(to));
    next[from]?.push(to);
  }
  for (const targets of next) targets.sort((a, b) => a - b);
  const groups = groupCycles(next);
  const groupNext = joinGroups(next, groups);
  return {
    next,
    groups,
    groupNext,
    dependents: countDependents({ groups, groupNext, claims: map.claims.length }),
    reach: (claim, direction) => findReachable(graph, { claim, direction }),
  };
}

interface ReachStart {
  readonly claim: number;
  readonly direction: "dependents" | "prerequisites";
}

function findReachable(graph: DirectedGraph, from: ReachStart): number[] {
  const found: number[] = [];
  const mode = from.direction === "dependents" ? "outbound" : "inbound";
  bfsFromNode(graph, String(from.claim), (key) => void found.push(Number(key)), { mode });
  return found.filter((claim) => claim !== from.claim).toSorted((a, b) => a - b);
}

function joinGroups(
  next: readonly (readonly number[])[],
  groups: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const groupByClaim = new Map(
    groups.flatMap((group, at) => group.map((claim) => [claim, at] as const)),
  );
  return groups.map((group, at) => {
    const targets = new Set<number>();
    for (const claim of group) {
      for (const target of next[claim] ?? []) targets.add(groupByClaim.get(target) ?? at);
    }
    targets.delete(at);
    return [...targets].toSorted((a, b) => a - b);
  });
}

const BLOCK_WORDS = 32;
const BLOCK = BLOCK_WORDS * 32;

interface GroupedNeeds {
  readonly groups: Needs["groups"];
  readonly groupNext: Needs["groupNext"];
  readonly claims: number;
}

/**
 * Counts for every claim what it reaches, a block of claims at a time with a bit each: 5,000 claims
 * in a chain take milliseconds and little memory, where a walk from each would take seconds.
 */
function countDependents(needs: GroupedNeeds): number[] {
  const reached = new Uint32Array(needs.groups.length);
  for (let first = 0; first < needs.claims; first += BLOCK) {
    const rows = new Uint32Array(needs.groups.length * BLOCK_WORDS);
    for (const [at, group] of needs.groups.entries()) {
      const row = at * BLOCK_WORDS;
      for (const claim of group) {
        const bit = claim - first;
        if (bit < 0 || bit >= BLOCK) continue;
        const word = row + (bit >>> 5);
        rows[word] = (rows[word] ?? 0) | (1 << (bit & 31));
      }
      for (const target of needs.groupNext[at] ?? []) {
        for (let word = 0; word < BLOCK_WORDS; word += 1) {
          rows[row + word] = (rows[row + word] ?? 0) | (rows[target * BLOCK_WORDS + word] ?? 0);
        }
      }
      for (let word = 0; word < BLOCK_WORDS; word += 1) {
        reached[at] = (reached[at] ?? 0) + countBits(rows[row + word] ?? 0);
      }
    }
  }
  const dependents = Array.from<number>({ length: needs.claims }).fill(0);
  for (const [at, group] of needs.groups.entries()) {
    for (const claim of group) dependents[claim] = (reached[at] ?? 1) - 1;
  }
  return dependents;
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55);
  const nibbles = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return (((nibbles + (nibbles >>> 4)) & 0x0f_0f_0f_0f) * 0x01_01_01_01) >>> 24;
}
