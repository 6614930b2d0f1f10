/** The value at a share of the way (0.5: the median) through sorted numbers; null of none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

/** The median. @throws RangeError of no values. */
export function median(values: readonly number[]): number {
  const middle = quantile(values, 0.5);
  if (middle === null) throw new RangeError("Cannot take the median of no values");
  return middle;
}

/** The largest of numbers; null of none. */
export function largest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

/** One number by another, to two decimals; null where there is nothing to divide. */
export function ratio(value: number | null, by: number | null): number | null {
  if (value === null || by === null || by === 0) return null;
  return Math.round((100 * value) / by) / 100;
}

/** How often each text occurs, most often first. */
export function tally(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** The mean; null of none. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return sum(values) / values.length;
}

/** All of them together. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Bytes in thousands. */
export function kB(bytes: number): number {
  return bytes / 1_000;
}
