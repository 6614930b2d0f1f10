import type { Needs } from "./needs.ts";

/** A claim on which a good part of the map rests. */
export interface Keystone {
  readonly claim: number;
  /** Number of claims that need it. */
  readonly dependents: number;
  /** Number of claims that need the runner-up, among those it does not itself depend on. */
  readonly next: number;
}

const FEWEST_DEPENDENTS = 3;
/** The minimum ratio of its dependents to those of the runner-up. */
const LEAD = 2;

/**
 * The claim that at least three others and a third of all claims need, at least twice as many as
 * need the next; null where there is none.
 *
 * What leads up to it is not "the next", for everything that needs the keystone needs that too. So a
 * plain chain has none: each claim of it is followed by one that nearly as many need.
 */
export function findKeystone(needs: Needs): Keystone | null {
  const { dependents } = needs;
  const ranked = [...dependents.entries()].toSorted((a, b) => b[1] - a[1]);
  for (const [rank, [claim, count]] of ranked.entries()) {
    if (count < FEWEST_DEPENDENTS || count * 3 < dependents.length) return null;
    // The gap below comes first, for it is cheap and leaves few: counts halve from one to the next.
    const below = ranked[rank + 1]?.[1] ?? 0;
    if (count < below * LEAD) continue;
    const leadingUp = new Set(needs.reach(claim, "prerequisites"));
    // Claims that need each other have as many dependents: none of them is ahead.
    const isAhead = ranked
      .slice(0, rank)
      .every(([other, more]) => more > count && leadingUp.has(other));
    if (isAhead) return { claim, dependents: count, next: countNextDependents(claim, leadingUp) };
  }
  return null;

  function countNextDependents(claim: number, leadingUp: ReadonlySet<number>): number {
    const rival = ranked.find(([other]) => other !== claim && !leadingUp.has(other));
    return rival?.[1] ?? 0;
  }
}
