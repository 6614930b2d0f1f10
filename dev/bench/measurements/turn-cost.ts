import { BLOCK_TURNS } from "../conversation/block.ts";
import { mean, sum } from "../figures.ts";
import type { Cell, Measurement, ResultTable } from "../measurement.ts";
import {
  addTokens,
  costOf,
  costsOf,
  NO_TOKENS,
  PRICES,
  tokensPerTurn,
  type PaidTurn,
  type Tokens,
} from "../prompts/cost.ts";
import { crossingTable } from "../prompts/crossing-table.ts";
import { holdByAll, type HeldConversation, type Method } from "../rivals/hold-by-all.ts";

/**
 * The whole cost of a turn: every call of a model, schemas and tools counted, output too; beside the
 * same conversation through agents of LangChain.
 *
 * This project's conversation is recorded with the simulated model. Then `createAgent` holds it
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

/** A method's conversation with the tokens of each turn. */
interface Priced {
  readonly method: Method;
  readonly turns: readonly PaidTurn[];
  readonly tokens: readonly Tokens[];
}

/** The tables of a conversation that was held by every method. */
function turnCostTables(held: readonly HeldConversation[]): readonly ResultTable[] {
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
    crossingTable(held),
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
  const blocks = [1, 21, 41, 81, 121, 181].filter((from) => from + BLOCK_TURNS - 1 <= turns);
  return {
    title: "Cost of a turn, mean of twenty, in tokens of input",
    columns: ["method", ...blocks.map((from) => `turns ${from}–${from + BLOCK_TURNS - 1}`)],
    rows: priced.map(({ method, tokens }): Cell[] => [
      method,
      ...blocks.map((from) => whole(mean(costsOf(tokens.slice(from - 1, from - 1 + BLOCK_TURNS))))),
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
      [method, "this turn", ...marks.map((mark) => whole(costsOf(tokens)[mark - 1] ?? null))],
      [method, "up to it", ...marks.map((mark) => whole(sum(costsOf(tokens.slice(0, mark)))))],
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

/** Which nodes the cost comes from. */
function askerTable({ turns, tokens }: Priced): ResultTable {
  const askers = [...new Set(turns.flatMap(({ calls }) => calls.map(({ asker }) => asker)))];
  const total = sum(costsOf(tokens));
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

function whole(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
