import { adviceConversation } from "../conversation/advice-conversation.ts";
import { recordConversation, type RecordedTurn } from "../conversation/record-conversation.ts";
import { largest, quantile, ratio, tally } from "../figures.ts";
import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import type { Cell, Measurement, ResultTable } from "../measurement.ts";
import { newParts } from "../prompts/new-part.ts";
import { sectionTable } from "../prompts/section-table.ts";
import { shownPrompts, type ShownPrompt } from "../prompts/shown-prompt.ts";

/**
 * Tokens of each node's prompts in a long conversation.
 *
 * 200 turns in the demo kitchen are held with the simulated model, and every call of a model is
 * recorded. Counted is what an endpoint reads: answer schema, tools and messages, in OpenAI's o200k
 * encoding.
 */
export const promptSize: Measurement = {
  name: "prompt-size",
  about:
    "Tokens of each node's prompts over a long conversation, by section, and what is new in them",
  async run({ quick, openDatabase, longConversation, progress }) {
    const turns = await longConversation(progress);
    progress("a talk with the concierge");
    const database = await openDatabase();
    try {
      const talk = await recordConversation(database, {
        messages: adviceConversation(quick ? 20 : 200),
        progress,
      });
      return [...promptSizeTables(turns), conciergeTable(talk.turns)];
    } finally {
      await database.close();
    }
  },
};

/** The nodes of the task lane, in the order of a turn. */
const NODES = ["understand", "think", "act", "reply", "summarize", "fold"] as const;
type Node = (typeof NODES)[number];

/** What is to be held. */
const MOST_GROWTH = 1.1;
const MOST_TOKENS: Readonly<Record<string, number>> = {
  think: 4_000,
  act: 4_000,
  reply: 4_000,
  starter: DEFAULT_LIMITS.conciergeThreadTokens,
  explorer: DEFAULT_LIMITS.conciergeThreadTokens,
  executor: DEFAULT_LIMITS.conciergeThreadTokens,
};
const MOST_NEW: Partial<Record<Node, number>> = { understand: 900, think: 900, act: 900 };

/** The tables of a conversation. */
function promptSizeTables(turns: readonly RecordedTurn[]): readonly ResultTable[] {
  const prompts = shownPrompts(turns);
  return [
    growthTable(prompts, { turns: turns.length, nodes: NODES }),
    newPartTable(turns),
    ...NODES.map((node) => sectionTable(node, { prompts, turns: turns.length })),
  ];
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The nodes of a talk with the concierge. */
const CONCIERGE_NODES = [
  "understand",
  "starter",
  "explorer",
  "executor",
  "expert",
  "mapper",
  "summarize",
  "roll-over",
] as const;

/** The largest prompts of a talk with the concierge. */
function conciergeTable(turns: readonly RecordedTurn[]): ResultTable {
  const table = growthTable(shownPrompts(turns), { turns: turns.length, nodes: CONCIERGE_NODES });
  return {
    ...table,
    title: "Largest prompt of each node, in a talk with the concierge",
    notes: [
      ...table.notes,
      "A concierge's prompt holds its instance's own thread: it grows until a fresh instance goes on from the phase's document, and which part of that a range of turns shows is chance. What it may not pass is the limit.",
    ],
  };
}

/** Whether the prompts of late turns are as large as those of early ones. */
function growthTable(
  prompts: readonly ShownPrompt[],
  { turns, nodes }: { readonly turns: number; readonly nodes: readonly string[] },
): ResultTable {
  const half = Math.floor(turns / 2);
  const early: Range = turns < 200 ? { from: 1, to: half } : { from: 40, to: 60 };
  const late: Range = turns < 200 ? { from: half + 1, to: turns } : { from: 150, to: 200 };
  const most = (node: string, { from, to }: Range): number | null =>
    largest(
      prompts
        .filter((prompt) => prompt.node === node && prompt.turn >= from && prompt.turn <= to)
        .map(({ tokens }) => tokens),
    );
  return {
    title: "Largest prompt of each node",
    columns: [
      "node",
      "all turns, tokens",
      `turns ${early.from}–${early.to}, tokens`,
      `turns ${late.from}–${late.to}, tokens`,
      "ratio",
      "ratio to hold",
      "tokens to hold",
    ],
    rows: nodes.map((node) => {
      const before = most(node, early);
      const after = most(node, late);
      const all = most(node, { from: 1, to: turns });
      const limit = MOST_TOKENS[node] ?? null;
      return [node, all, before, after, ratio(after, before), MOST_GROWTH, limit];
    }),
    notes: ["All that an endpoint reads is counted: answer schema, tools, messages."],
  };
}

/** What of a prompt an endpoint has not read before. */
function newPartTable(turns: readonly RecordedTurn[]): ResultTable {
  const anyTools = newParts(turns, { sameTools: false });
  const sameTools = newParts(turns, { sameTools: true });
  const row = (node: Node, { name, parts }: { name: string; parts: typeof anyTools }): Cell[] => {
    const own = parts.filter((part) => part.node === node && !part.afterFold);
    const tokens = own.map((part) => part.tokens);
    const limit = MOST_NEW[node] ?? null;
    const over = limit === null ? [] : own.filter((part) => part.tokens > limit);
    return [
      name,
      own.length,
      quantile(tokens, 0.5),
      quantile(tokens, 0.9),
      largest(tokens),
      limit,
      limit === null ? null : over.length,
      tally(own.map(({ from }) => from))
        .slice(0, 3)
        .map(([from, count]) => `${from} ${count}`)
        .join(", "),
    ];
  };
  return {
    title: "Tokens that are not the beginning of the same node's previous prompt, no fold between",
    columns: [
      "node",
      "prompts",
      "median",
      "90 %",
      "largest",
      "to hold",
      "over it",
      "differs from (prompts)",
    ],
    rows: [
      ...NODES.map((node) => row(node, { name: node, parts: sameTools })),
      row("act", { name: "act, whatever the step before was", parts: anyTools }),
    ],
    notes: [
      "A prompt is compared with the node's last one that had the same schema and tools; endpoints read these first, and steps of another type have others. The last row compares with the last one of any step.",
      "Left out are prompts between which and the one before the history was folded.",
    ],
  };
}
