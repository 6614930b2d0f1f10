import { BLOCK_TURNS } from "../conversation/block.ts";
import { mean, ratio, sum } from "../figures.ts";
import type { Cell, ResultTable } from "../measurement.ts";
import type { HeldConversation } from "../rivals/hold-by-all.ts";
import { cheaperFrom } from "./cheaper-from.ts";
import { costsOf, PRICES, tokensPerTurn, type Cache, type Prices } from "./cost.ts";

/** What may be different from `PRICES` and a cache that keeps the prompt before. */
const VARIANTS: readonly {
  readonly name: string;
  readonly prices: Prices;
  readonly cache: Cache;
}[] = [
  { name: "output × 4", prices: PRICES, cache: "last" },
  { name: "output × 8", prices: { ...PRICES, output: 8 }, cache: "last" },
  { name: "cache keeps a prompt of each step type", prices: PRICES, cache: "same-tools" },
  { name: "cache keeps one turn", prices: PRICES, cache: "one-turn" },
  { name: "no cache", prices: { ...PRICES, cached: 1 }, cache: "last" },
];

/** From which turn on this project is cheaper. */
export function crossingTable(held: readonly HeldConversation[]): ResultTable {
  const own = held.find(({ method }) => method === "this project")?.turns ?? [];
  const rows = held
    .filter(({ method }) => method !== "this project")
    .flatMap(({ method, turns }) =>
      VARIANTS.map(({ name, prices, cache }): Cell[] => {
        const ours = costsOf(tokensPerTurn(own, cache), prices);
        const theirs = costsOf(tokensPerTurn(turns, cache), prices);
        return [
          method,
          name,
          cheaperFrom(ours, theirs, { over: BLOCK_TURNS }),
          cheaperFrom(running(ours), running(theirs), { over: 1 }),
          ratio(sum(ours), sum(theirs)),
          ratio(mean(ours.slice(-BLOCK_TURNS)), mean(theirs.slice(-BLOCK_TURNS))),
        ];
      }),
    );
  return {
    title: "From which turn on this project is cheaper",
    columns: [
      "than",
      "prices",
      "a turn (mean of twenty), from turn",
      "all turns up to it, from turn",
      "cost of all turns, ratio",
      "cost of the last twenty, ratio",
    ],
    rows,
    notes: [
      "– where it is not cheaper within the conversation. A ratio under 1: this project costs less.",
      "cache keeps one turn: the person takes longer to answer than the endpoint keeps prompts (minutes).",
    ],
  };
}

function running(values: readonly number[]): readonly number[] {
  let total = 0;
  return values.map((value) => (total += value));
}
