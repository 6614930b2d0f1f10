import type { CountTokens } from "../state/model.ts";
import { fitLongest } from "./shorten.ts";

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
  const render = (count: number): string =>
    joinLines([...lines.slice(0, count), ending(lines.length - count)]);
  const all = render(lines.length);
  if (countTokens(all) <= budget) return { text: all, fitting: lines.length };
  const longest = fitLongest(lines.length - 1, render, { tokens: budget, countTokens });
  return longest === null
    ? { text: render(0), fitting: 0 }
    : { text: longest.text, fitting: longest.size };
}

/** The lines that are not empty, one below the other. */
export function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}
