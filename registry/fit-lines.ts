import type { CountTokens } from "../state/model.ts";

export interface FittingLinesOptions {
  readonly budget: number;
  readonly countTokens: CountTokens;
  readonly ending: (left: number) => string;
}

/**
 * Returns as many of the first lines as fit the budget, joined by line ends and followed by
 * `ending` (given the number left out).
 *
 * Contract: the joined text never counts more than the budget, unless the ending alone does.
 */
export function fittingLines(
  lines: readonly string[],
  options: FittingLinesOptions,
): { text: string; fitting: number } {
  const { budget, countTokens, ending } = options;
  const textWithFirst = (count: number): string =>
    joinLines([...lines.slice(0, count), ending(lines.length - count)]);
  let sum = 0;
  let fitting = 0;
  while (fitting < lines.length && sum <= budget) {
    sum += countTokens(`${lines[fitting]}\n`);
    fitting += 1;
  }
  while (fitting > 0 && countTokens(textWithFirst(fitting)) > budget) fitting -= 1;
  return { text: textWithFirst(fitting), fitting };
}

/** The lines that are not empty, one below the other. */
export function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}
