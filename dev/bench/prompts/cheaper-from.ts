import { mean } from "../figures.ts";

/**
 * The turn (from 1) from which on `ours` is below `theirs`, to the end: with `over` more than 1, the
 * first of so many turns whose mean is, as is that of all that follow. Null where it never is.
 */
export function cheaperFrom(
  ours: readonly number[],
  theirs: readonly number[],
  { over }: { readonly over: number },
): number | null {
  let from: number | null = null;
  for (let first = Math.min(ours.length, theirs.length) - over; first >= 0; first -= 1) {
    const own = mean(ours.slice(first, first + over));
    const other = mean(theirs.slice(first, first + over));
    if (own === null || other === null || own >= other) break;
    from = first + 1;
  }
  return from;
}
