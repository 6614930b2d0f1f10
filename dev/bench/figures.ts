/** Returns the value at a share of the way (0.5: the median) through sorted numbers; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

/** Returns the median. @throws RangeError of no values. */
export function median(values: readonly number[]): number {
  const middle = quantile(values, 0.5);
  if (middle === null) throw new RangeError("Cannot take the median of no values");
  return middle;
}

/** Returns the largest of numbers; null of none. */
export function largest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

/** Divides, to two decimals; null where there is nothing to divide. */
export function ratio(value: number | null, by: number | null): number | null {
  if (value === null || by === null || by === 0) return null;
  return Math.round((100 * value) / by) / 100;
}

/** Returns the mean. @throws RangeError of no values. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("Cannot take the mean of no values");
  return sum(values) / values.length;
}

/** Adds numbers up. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
