import { neighboursBy, type MapGraph } from "./map-graph.ts";
import type { Needs } from "./needs.ts";

/** Conditional claims and what hangs on each of them alone. */
export interface Branches {
  /** One for each conditional claim that gates something or excludes another, by position. */
  readonly branches: readonly Branch[];
  /** Conflicts between two conditional claims. */
  readonly exclusions: readonly (readonly [number, number])[];
  /** True when two conditions exclude each other, or gate different claims of which neither needs the other. */
  readonly divide: boolean;
}

/** A conditional claim with the claims that need it before any other conditional claim. */
export interface Branch {
  readonly condition: number;
  readonly claims: readonly number[];
}

/** Two conditions come first: the claim waits for both, and belongs to neither branch. */
const SEVERAL = -2;
const NONE = -1;

/** Finds the branches of a map, in time that grows with its claims and edges alone. */
export function findBranches(map: MapGraph, needs: Needs): Branches {
  const gated = new Map<number, number[]>();
  for (const [claim, gate] of nearestGates(map, needs).entries()) {
    if (gate < 0) continue;
    const claims = gated.get(gate);
    if (claims === undefined) gated.set(gate, [claim]);
    else claims.push(claim);
  }
  const exclusions = findExclusions(map);
  const conditions = [...new Set([...gated.keys(), ...exclusions.flat()])].toSorted(
    (a, b) => a - b,
  );
  return {
    branches: conditions.map((condition) => ({ condition, claims: gated.get(condition) ?? [] })),
    exclusions,
    divide: exclusions.length > 0 || gated.size > longestRow(needs, gated),
  };
}

/** Per claim, the one conditional claim that comes last before it; `NONE` or `SEVERAL` otherwise. */
function nearestGates(map: MapGraph, needs: Needs): number[] {
  const isConditional = conditionalIn(map);
  const incoming = needs.groups.map(() => NONE);
  const gates = map.claims.map(() => NONE);
  // What needs a group comes before it, so the other way round each group's own gates are known.
  for (const at of [...needs.groups.keys()].toReversed()) {
    const group = needs.groups[at] ?? [];
    const inside = group.filter(isConditional);
    for (const claim of group) {
      // Three conditions in a cycle are as good as two: one of them may be the claim itself.
      const others = inside.slice(0, 3).filter((gate) => gate !== claim);
      gates[claim] = others.reduce(joinGates, incoming[at] ?? NONE);
    }
    const outgoing = inside.length === 0 ? (incoming[at] ?? NONE) : inside.reduce(joinGates, NONE);
    for (const target of needs.groupNext[at] ?? []) {
      incoming[target] = joinGates(incoming[target] ?? NONE, outgoing);
    }
  }
  return gates;
}

function joinGates(a: number, b: number): number {
  if (a === NONE || a === b) return b;
  return b === NONE ? a : SEVERAL;
}

/** The most conditions that stand one after the other, each needed by the next. */
function longestRow(needs: Needs, gated: ReadonlyMap<number, unknown>): number {
  const rows = needs.groups.map(() => 0);
  for (const [at, group] of needs.groups.entries()) {
    const onward = (needs.groupNext[at] ?? []).map((target) => rows[target] ?? 0);
    const own = group.filter((claim) => gated.has(claim)).length;
    rows[at] = own + onward.reduce((longest, row) => Math.max(longest, row), 0);
  }
  return rows.reduce((longest, row) => Math.max(longest, row), 0);
}

function findExclusions(map: MapGraph): (readonly [number, number])[] {
  const isConditional = conditionalIn(map);
  return neighboursBy(map, "conflicts").flatMap((others, claim) =>
    others
      .filter((other) => claim < other && [claim, other].every(isConditional))
      .map((other) => [claim, other] as const),
  );
}

function conditionalIn(map: MapGraph): (claim: number) => boolean {
  return (claim) => map.claims[claim]?.type === "conditional";
}
