import { mean, ratio, sum } from "../figures.ts";
import { BLOCK_TURNS, type RecordedTurn } from "../long-recording.ts";
import type { BenchContext, Cell, Measurement, ResultTable } from "../measurement.ts";
import { playRival, RIVALS, type Rival, type RivalTools } from "../rivals.ts";
import { recordThinkingMore } from "../thinking-more.ts";
import {
  addTokens,
  countCalls,
  priceTokens,
  type PaidCall,
  type Tokens,
  writeCall,
} from "../token-cost.ts";

/**
 * Cost of a turn: every call of a model, schemas and tools included, output too; beside agents that
 * hold the same conversation with one list of messages. Then the same where more messages need a plan
 * than the simulated model thinks.
 */
export const turnCost: Measurement = {
  name: "turn-cost",
  about: "Model calls and cost of a turn, beside agents with one list of messages",
  async run(context) {
    const turns = await context.longConversation(context.progress);
    context.progress("the same conversation by other agents");
    const methods = priceMethods(turns);
    const short = priceRival("summarising", turns, "short");
    const [own = short, , , summarising = own] = methods;
    return [
      blockTable(methods),
      totalTable([...methods, short]),
      await curveTable(context, { turns, own, rival: summarising }),
      callTable(turns),
      nodeTable(turns, own),
    ];
  },
};

/** A conversation as one method held it, priced in three ways. */
interface PricedMethod {
  readonly name: string;
  readonly calls: number;
  readonly tokens: Tokens;
  readonly costOfTurns: readonly number[];
  readonly costs: Readonly<Record<PriceName, number>>;
}

const PRICES = {
  "×4": { output: 4, cache: "all" },
  "×8": { output: 8, cache: "all" },
  "one turn": { output: 4, cache: "one turn" },
} as const;
type PriceName = keyof typeof PRICES;
const PRICE_NAMES = ["×4", "×8", "one turn"] as const;

/** Prices a conversation as this project held it, and as each of the agents would. */
export function priceMethods(turns: readonly RecordedTurn[]): readonly PricedMethod[] {
  const own = priceMethod("this project", listPaidCalls(turns));
  return [own, ...RIVALS.map((rival) => priceRival(rival, turns, "typed"))];
}

function priceMethod(name: string, turns: readonly (readonly PaidCall[])[]): PricedMethod {
  const counted = { all: countCalls(turns, "all"), "one turn": countCalls(turns, "one turn") };
  const price = (way: PriceName): number => {
    const { output, cache } = PRICES[way];
    return priceTokens(addTokens(counted[cache].flat()), output);
  };
  return {
    name,
    calls: turns.flat().length,
    tokens: addTokens(counted.all.flat()),
    costOfTurns: counted.all.map(priceCalls),
    costs: { "×4": price("×4"), "×8": price("×8"), "one turn": price("one turn") },
  };
}

function priceCalls(calls: readonly Tokens[]): number {
  return priceTokens(addTokens(calls), PRICES["×4"].output);
}

function listPaidCalls(turns: readonly RecordedTurn[]): readonly (readonly PaidCall[])[] {
  return turns.map(({ calls }) => calls.map(writeCall));
}

function priceRival(rival: Rival, turns: readonly RecordedTurn[], tools: RivalTools): PricedMethod {
  const name = tools === "typed" ? rival : `${rival}, ${tools} tools`;
  return priceMethod(
    name,
    playRival(rival, turns, tools).map(({ calls }) => calls),
  );
}

/** Makes the table of the cost of a turn, by blocks of turns. */
export function blockTable(methods: readonly PricedMethod[]): ResultTable {
  const turns = methods[0]?.costOfTurns.length ?? 0;
  const starts = [1, 21, 41, 81, 121, 181].filter((from) => from + BLOCK_TURNS - 1 <= turns);
  return {
    title: "Cost of a turn, mean of twenty, in tokens of input",
    columns: ["turns", ...methods.map(({ name }) => name)],
    rows: starts.map((from) => {
      const row: Cell[] = [`${from}–${from + BLOCK_TURNS - 1}`];
      return row.concat(
        methods.map(({ costOfTurns }) =>
          Math.round(mean(costOfTurns.slice(from - 1, from - 1 + BLOCK_TURNS))),
        ),
      );
    }),
    notes: [
      "Every twenty turns hold the same messages in another order.",
      "Tokens of input; those from the prompt cache count a tenth, those of output four times. Cached is what begins an earlier prompt, from 1,024 tokens in steps of 128.",
      "plain sends all messages, trimming the latest (4,000 tokens, cut to 2,000), summarising folds all but 20 messages into a summary of 400 tokens when they have 4,000.",
      "In their favour: they never err, ask by themselves before they delete, make all tool calls of a turn at once and write no empty argument; a summary is written after the reply, without tool results. They read again only rows whose refs their messages no longer show.",
    ],
  };
}

/** Makes the table of calls, tokens and cost of all turns. */
export function totalTable(
  methods: readonly PricedMethod[],
  notes: readonly string[] = [],
): ResultTable {
  return {
    title: "All turns, tokens",
    columns: ["method", "calls", "input", "of it cached", "output", ...PRICE_NAMES.map(nameCost)],
    rows: methods.map(({ name, calls, tokens, costs }) => [
      name,
      calls,
      tokens.input,
      tokens.cached,
      tokens.output,
      ...PRICE_NAMES.map((way) => Math.round(costs[way])),
    ]),
    notes: [
      "×4, ×8: the price of output; one turn: a cache that remembers the prompts of this turn and the one before, output ×4.",
      "The agents are offered this project's tools, each typed by its table; “short tools” are four for rows of any table and the list of columns, which promise nothing of their arguments.",
      ...notes,
    ],
  };
}

function nameCost(way: PriceName): string {
  return `cost, ${way}`;
}

const SHARES = [0, 1 / 6, 1 / 3, 1 / 2, 1] as const;
/** Share at which the promises are kept. */
const JUDGED_SHARE = SHARES[2];
const MOST_COST: Readonly<Record<PriceName, number>> = { "×4": 1, "×8": 1, "one turn": 1.05 };
const MOST_CALLS = 2.4;

interface Contest {
  readonly turns: readonly RecordedTurn[];
  readonly own: PricedMethod;
  readonly rival: PricedMethod;
}

/** Prices the conversation again, where a share of the messages that need no plan is taken to need one. */
async function curveTable(context: BenchContext, contest: Contest): Promise<ResultTable> {
  const { turns, own, rival } = contest;
  const points = [{ share: 0, more: 0, method: own }];
  for (const share of SHARES.slice(1)) {
    context.progress(`a share of ${round(share)} more needs a plan`);
    const { turns: played, more } = await recordThinkingMore(context, turns.length, share);
    points.push({ share, more, method: priceMethod(`${share}`, listPaidCalls(played)) });
  }
  const rows = points.map(({ share, more, method: { calls, costs } }): Cell[] => [
    round(share),
    more,
    round(calls / turns.length),
    ...PRICE_NAMES.map((way) => ratio(costs[way], rival.costs[way])),
  ]);
  const judged = points.find(({ share }) => share === JUDGED_SHARE)?.method ?? own;
  return {
    title: "Cost beside the summarising agent, where more messages need a plan",
    columns: [
      "share",
      "turns with Think added",
      "calls a turn",
      ...PRICE_NAMES.map((way) => `of its cost, ${way}`),
    ],
    rows,
    notes: [
      "share: of the turns that Understand leads past Think with a look-up or words alone, that many go through Think all the same. The last line adds Think to all of them.",
    ],
    bars: [
      {
        figure: "model calls a turn at a third",
        measured: judged.calls / turns.length,
        most: MOST_CALLS,
      },
      ...PRICE_NAMES.map((way) => ({
        figure: `of the summarising agent's cost at a third, ${way},`,
        measured: judged.costs[way] / rival.costs[way],
        most: MOST_COST[way],
      })),
    ],
  };
}

/** Makes the table of the model calls of a turn, by what its tools did. */
export function callTable(turns: readonly RecordedTurn[]): ResultTable {
  const kinds = Map.groupBy(turns, findKind);
  const simple = turns.filter((turn) => SIMPLE.has(findKind(turn)));
  const roles = new Set<string>(ROLES);
  const others = turns
    .flatMap(({ calls }) => calls)
    .filter(({ request }) => !roles.has(request.role));
  return {
    title: "Model calls of a turn",
    columns: ["turns", "number", "calls, mean", "before the first word, mean", "most"],
    rows: [["all turns", turns] as const, ...kinds].map(([kind, own]) => [
      kind,
      own.length,
      round(mean(own.map(({ calls }) => calls.length))),
      round(mean(countToFirstWord(own))),
      Math.max(...countToFirstWord(own)),
    ]),
    notes: [
      "The first word is of code's lines or of the reply, whose call counts once it streams.",
      "A look-up reads one table, a simple write knows its rows; other reads serve a judgement.",
    ],
    bars: [
      {
        figure: "calls before the first word of a look-up or simple write",
        measured: Math.max(...countToFirstWord(simple)),
        most: 2,
      },
      { figure: "calls that fold older turns", measured: others.length, most: 0 },
    ],
  };
}

function countToFirstWord(turns: readonly RecordedTurn[]): readonly number[] {
  return turns.map(({ firstWord }) => firstWord.begun);
}

/** The roles that a turn of the task lane asks; a fold would be another's. */
const ROLES = ["understand", "think", "act", "reply", "summarize"] as const;
const SIMPLE: ReadonlySet<string> = new Set(["simple writes", "look-ups"]);

function findKind({ toolCalls }: RecordedTurn): string {
  const reads = toolCalls.filter(({ effect }) => effect === "read");
  const writes = toolCalls.filter(({ effect }) => effect === "write");
  if (writes.some(({ ok }) => ok))
    return reads.length === 0 ? "simple writes" : "writes after a look-up";
  if (writes.length > 0) return "questions before a change";
  if (reads.length === 0) return "words alone";
  return new Set(reads.map(({ tool }) => tool)).size === 1 ? "look-ups" : "other reads";
}

/**
 * Tokens of a turn, mean of these 200, when every step was offered one untyped set of tools (commit
 * 198d03c0): the input of all calls of Act, and the cost of all calls, ×4.
 */
const UNTYPED = { actInput: 914_158 / 200, cost: 895_514 / 200 };

/** Tokens and cost of each node over all turns. */
function nodeTable(turns: readonly RecordedTurn[], { costs }: PricedMethod): ResultTable {
  const roles = turns.flatMap(({ calls }) => calls.map(({ request }) => request.role));
  const counted = countCalls(listPaidCalls(turns), "all").flat();
  const actInput = sum(counted.map(({ input }, index) => (roles[index] === "act" ? input : 0)));
  return {
    title: "By node, tokens a call",
    columns: ["node", "calls", "not cached", "cached", "output", "cost in all", "share, %"],
    rows: [...new Set(roles)].map((role) => {
      const own = counted.filter((_, index) => roles[index] === role);
      const a = (pick: (tokens: Tokens) => number): number =>
        Math.round(sum(own.map(pick)) / own.length);
      return [
        role,
        own.length,
        a(({ input, cached }) => input - cached),
        a(({ cached }) => cached),
        a(({ output }) => output),
        Math.round(priceCalls(own)),
        Math.round((100 * priceCalls(own)) / priceCalls(counted)),
      ];
    }),
    notes: [
      "Steps of different kinds begin with different tools; the cache keeps the beginning of each.",
    ],
    bars: [
      {
        figure: "of Act's input with one untyped set of tools",
        measured: actInput / turns.length / UNTYPED.actInput,
        most: 0.75,
      },
      {
        figure: "of the cost with one untyped set of tools, several beginnings cached,",
        measured: costs["×4"] / turns.length / UNTYPED.cost,
        most: 1.05,
      },
    ],
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
