/** A share of items, with the bounds between which the true one lies in 95 of 100 samples. */
export interface Share {
  readonly right: number;
  readonly total: number;
  /** From 0 to 1. */
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % point of the normal distribution: 95 % lie between it and its negative. */
const Z = 1.959_963_985;

/**
 * Computes Wilson's 95 % interval of a share: it stays within 0 and 1, and holds for few items too.
 *
 * @example
 * computeWilson(8, 10); // { right: 8, total: 10, low: 0.4902, high: 0.9433 }
 */
export function computeWilson(right: number, total: number): Share {
  if (total === 0) return { right, total, low: 0, high: 1 };
  const share = right / total;
  const spread = Z ** 2 / total;
  const centre = (share + spread / 2) / (1 + spread);
  const reach = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / total + spread / total / 4);
  return {
    right,
    total,
    low: right === 0 ? 0 : Math.max(0, centre - reach),
    high: right === total ? 1 : Math.min(1, centre + reach),
  };
}

/**
 * Computes McNemar's exact test, two-sided: the probability of pairs that differ at least so unevenly,
 * were better and worse equally likely.
 *
 * @example
 * computeMcNemar({ better: 1, worse: 9 }); // 0.0215
 */
export function computeMcNemar({ better, worse }: Changed): number {
  const pairs = better + worse;
  const fewer = Math.min(better, worse);
  let chance = 0;
  for (let count = 0; count <= fewer; count += 1) {
    chance += Math.exp(logChoose(pairs, count) - pairs * Math.LN2);
  }
  return Math.min(1, 2 * chance);
}

/** Numbers of pairs that differ. */
interface Changed {
  readonly better: number;
  readonly worse: number;
}

function logChoose(items: number, taken: number): number {
  let sum = 0;
  for (let index = 1; index <= taken; index += 1) {
    sum += Math.log((items - taken + index) / index);
  }
  return sum;
}

/** Returns the smallest value that at least the given share (above 0, to 1) of all values reach at most; null for none. */
export function findPercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}
