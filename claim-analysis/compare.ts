/** Orders texts by their code units: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Orders by the first comparison that tells the two apart. */
export function firstDifference(...differences: readonly number[]): number {
  return differences.find((difference) => difference !== 0) ?? 0;
}
