import { median } from "./figures.ts";

/** One round of each contender, by name, resolving with its figure (milliseconds, runs a second …). */
export type Contenders<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

/** The figures of each contender, one a round. */
export type Rounds<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Lets each contender run once a round, side by side in time and in turns at being first, so that
 * what else the machine does affects all of them. A first round is not counted.
 */
export async function playRounds<Name extends string>(
  contenders: Contenders<Name>,
  rounds: number,
): Promise<Rounds<Name>> {
  const names = Object.keys(contenders).filter((name): name is Name => name in contenders);
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    const first = (round + 1) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const figure = await contenders[name]();
      if (round >= 0) figures.get(name)?.push(figure);
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` forgets the keys.
  return Object.fromEntries(figures) as Record<Name, number[]>;
}

/** Returns the median of the ratios of two contenders' figures, round by round. */
export function compareRounds(figures: readonly number[], others: readonly number[]): number {
  return median(figures.map((figure, round) => figure / (others[round] ?? Number.NaN)));
}

/** Times some work, in milliseconds. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
