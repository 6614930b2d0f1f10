/**
 * Returns the first item of each type, then the second of each, and so on; within a round they keep
 * their order. Where only the first ones find room, every type has its share. Pure.
 */
export function alternateTypes<T>(items: readonly T[], findType: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  const rounds = items.map((item) => {
    const type = findType(item);
    const round = counts.get(type) ?? 0;
    counts.set(type, round + 1);
    return { item, round };
  });
  return rounds.toSorted((a, b) => a.round - b.round).map(({ item }) => item);
}
