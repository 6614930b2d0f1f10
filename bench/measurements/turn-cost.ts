import { mean, ratio } from "../figures.ts";
import type { Cell, Measurement, ResultTable } from "../measurement.ts";
import {
  addTokens,
  costOf,
  NO_TOKENS,
  tokensPerTurn,
  type Cache,
  type PaidTurn,
  type Prices,
  type Tokens,
} from "../prompts/cost.ts";
import { cheaperFrom } from "../prompts/cheaper-from.ts";
import { holdByAll, type HeldConversation, type Method } from "../rivals/hold-by-all.ts";

/**
 * The whole cost of a turn: every call of a model, schemas and tools counted, output too; beside the
 * same conversation through agents of LangChain.
 *
 * This project's conversation is recorded with the rehearsal model. Then `createAgent` holds it
 * again: a scripted model makes the same reads and writes with the same results and gives the same
 * replies, so that only what has to be sent for it differs.
 */
export const turnCost: Measurement = {
  name: "turn-cost",
  about: "What a turn costs in all, beside the same conversation through LangChain's agents",
  async run({ longConversation, progress }) {
    return turnCostTables(await holdByAll(await longConversation(progress), progress));
  },
};

/**
 * Cached input at a tenth, output at four times the price of input, as with OpenAI's smaller models.
 * Of its newer ones output costs eight times as much; the last table shows what that changes.
 */
const PRICES: Prices = { cached: 0.1, output: 4 };

/** Every twenty turns hold the same messages in another order: their means can be compared. */
const BLOCK = 20;

/** A method's conversation with the tokens of each turn. */
interface Priced {
  readonly method: Method;
  readonly turns: readonly PaidTurn[];
  readonly tokens: readonly Tokens[];
}

/** The tables of a conversation that was held by every method. */
export function turnCostTables(held: readonly HeldConversation[]): readonly ResultTable[] {
  const priced = held.map(({ method, turns }) => ({
    method,
    turns,
    tokens: tokensPerTurn(turns, "last"),
  }));
  const own = priced.find(({ method }) => method === "this project");
  return [
    blockTable(priced),
    markTable(priced),
    totalTable(priced),
    crossingTable(priced),
    ...(own === undefined ? [] : [askerTable(own)]),
  ];
}

const SENT = [
  "transcript: `createAgent` with every message. trimmed: the last 4,000 tokens of them, by `trimMessages` before each call. summarised: `summarizationMiddleware`, at 4,000 tokens, keeps 20 messages.",
  "Cost: tokens of input, those from the prompt cache a tenth, those of output four times. Cached is what begins the same node's or agent's prompt before, from 1,024 tokens in steps of 128.",
];

/** Whether a turn costs the same, however long the conversation is. */
function blockTable(priced: readonly Priced[]): ResultTable {
  const turns = priced[0]?.tokens.length ?? 0;
  const blocks = [1, 21, 41, 81, 121, 181].filter((from) => from + BLOCK - 1 <= turns);
  return {
    title: "Cost of a turn, mean of twenty, in tokens of input",
    columns: ["method", ...blocks.map((from) => `turns ${from}–${from + BLOCK - 1}`)],
    rows: priced.map(({ method, tokens }): Cell[] => [
      method,
      ...blocks.map((from) => whole(mean(costs(tokens.slice(from - 1, from - 1 + BLOCK))))),
    ]),
    notes: [
      ...SENT,
      "Every twenty turns hold the same messages in another order.",
      "The agents make the same reads as this project, though after trimming or summarising they would have to read more often, and are spared the database's ids: they name rows by this project's refs (with ids the transcript costs 4 % more).",
    ],
  };
}

/** Single turns, and all turns up to them. */
function markTable(priced: readonly Priced[]): ResultTable {
  const turns = priced[0]?.tokens.length ?? 0;
  const marks = [1, 10, 50, 100, 200].filter((mark) => mark <= turns);
  return {
    title: "Cost of a turn, and of all turns up to it, in tokens of input",
    columns: ["method", "", ...marks.map((mark) => `turn ${mark}`)],
    rows: priced.flatMap(({ method, tokens }): Cell[][] => [
      [method, "this turn", ...marks.map((mark) => whole(costs(tokens)[mark - 1] ?? null))],
      [method, "up to it", ...marks.map((mark) => whole(sum(costs(tokens.slice(0, mark)))))],
    ]),
    notes: ["A turn of one kind costs more than one of another: compare downwards."],
  };
}

/** What was sent and written in all. */
function totalTable(priced: readonly Priced[]): ResultTable {
  return {
    title: "All turns, tokens",
    columns: ["method", "calls", "input", "of it cached", "output", "cost", "most input of a turn"],
    rows: priced.map(({ method, turns, tokens }): Cell[] => {
      const all = tokens.reduce(addTokens, NO_TOKENS);
      return [
        method,
        sum(turns.map(({ calls }) => calls.length)),
        all.input,
        all.cached,
        all.output,
        whole(costOf(all, PRICES)),
        Math.max(...tokens.map(({ input }) => input)),
      ];
    }),
    notes: ["The last column: all that the calls of one turn sent, schemas and tools each time."],
  };
}

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
function crossingTable(priced: readonly Priced[]): ResultTable {
  const own = priced.find(({ method }) => method === "this project")?.turns ?? [];
  const rows = priced
    .filter(({ method }) => method !== "this project")
    .flatMap(({ method, turns }) =>
      VARIANTS.map(({ name, prices, cache }): Cell[] => {
        const ours = costs(tokensPerTurn(own, cache), prices);
        const theirs = costs(tokensPerTurn(turns, cache), prices);
        return [
          method,
          name,
          cheaperFrom(ours, theirs, { over: BLOCK }),
          cheaperFrom(running(ours), running(theirs), { over: 1 }),
          ratio(sum(ours), sum(theirs)),
          ratio(mean(ours.slice(-BLOCK)), mean(theirs.slice(-BLOCK))),
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

/** Which nodes the cost comes from. */
function askerTable({ turns, tokens }: Priced): ResultTable {
  const askers = [...new Set(turns.flatMap(({ calls }) => calls.map(({ asker }) => asker)))];
  const total = sum(costs(tokens));
  return {
    title: "This project by node, all turns, tokens",
    columns: ["node", "calls", "input", "of it cached", "output", "cost", "share, %"],
    rows: askers.map((asker): Cell[] => {
      const own = turns.map(({ turn, calls }) => ({
        turn,
        calls: calls.filter((call) => call.asker === asker),
      }));
      const { input, cached, output } = tokensPerTurn(own, "last").reduce(addTokens, NO_TOKENS);
      const cost = costOf({ input, cached, output }, PRICES);
      return [
        asker,
        sum(own.map(({ calls }) => calls.length)),
        input,
        cached,
        output,
        whole(cost),
        whole((100 * cost) / total),
      ];
    }),
    notes: [],
  };
}

function costs(tokens: readonly Tokens[], prices: Prices = PRICES): readonly number[] {
  return tokens.map((one) => costOf(one, prices));
}

function running(values: readonly number[]): readonly number[] {
  let total = 0;
  return values.map((value) => (total += value));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
