import type { Item } from "./report.ts";
import { computeMcNemar } from "./statistics.ts";

/** The same items of two runs: those that only one of them has right. */
export interface Comparison {
  /** Items of both runs that say the same; others have no pair. */
  readonly pairs: number;
  readonly better: readonly Item[];
  readonly worse: readonly Item[];
  /** The probability of such a difference by chance (McNemar's exact test). */
  readonly chance: number;
  readonly isWorse: boolean;
}

/** Differences that chance makes in fewer than one of twenty comparisons count. */
const SIGNIFICANT = 0.05;

/**
 * Pairs the items of two runs by set, id and message. A conversation that has gone another way after a
 * wrong turn says other things, and its later turns have no pair.
 */
export function compareItems(before: readonly Item[], after: readonly Item[]): Comparison {
  const known = new Map(before.map((item) => [nameItem(item), item.right]));
  const paired = after.filter((item) => known.has(nameItem(item)));
  const differing = paired.filter((item) => known.get(nameItem(item)) !== item.right);
  const better = differing.filter(({ right }) => right);
  const worse = differing.filter(({ right }) => !right);
  const chance = computeMcNemar({ better: better.length, worse: worse.length });
  const isWorse = worse.length > better.length && chance < SIGNIFICANT;
  return { pairs: paired.length, better, worse, chance, isWorse };
}

function nameItem({ set, id, message }: Item): string {
  return JSON.stringify([set, id, message]);
}
