/** One line of the report, and what differs from what it should be. */
export interface Statement {
  readonly text: string;
  readonly differences: readonly string[];
}

/** Most differences that a statement names. */
const NAMED = 3;

/** Returns a statement in a line, and its first differences in one each. */
export function renderStatement({ text, differences }: Statement): string {
  const more = differences.length - NAMED;
  return [
    `${differences.length === 0 ? "ok  " : "FAIL"} ${text}`,
    ...differences.slice(0, NAMED).map((difference) => `       ${difference}`),
    ...(more > 0 ? [`       and ${more} more`] : []),
  ].join("\n");
}
