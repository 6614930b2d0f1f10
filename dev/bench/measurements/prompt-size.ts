import { DEFAULT_LIMITS } from "../../../state/limits.ts";
import { JOURNEY } from "../conversation.ts";
import { largest, ratio } from "../figures.ts";
import { recordConversation, type RecordedTurn, type RecordingOptions } from "../long-recording.ts";
import type { BenchContext, Measurement, ResultTable } from "../measurement.ts";

/**
 * Largest prompt of each node, early and late in a long conversation: all that an endpoint reads
 * (answer schema, tools, messages), in OpenAI's o200k encoding. Once in the demo kitchen, once in a
 * talk with the concierge.
 */
export const promptSize: Measurement = {
  name: "prompt-size",
  about: "Tokens of each node's largest prompt, early and late in a long conversation",
  async run(context) {
    const { longConversation, progress } = context;
    const kitchen = await longConversation(progress);
    progress("a talk with the concierge");
    return [
      judgeGrowth(growthTable("in the demo kitchen", kitchen, KITCHEN)),
      growthTable("in a talk with the concierge", await recordTalk(context), CONCIERGE),
    ];
  },
};

/** The nodes of a table, with the tokens that none of their prompts may pass. */
type Nodes = Readonly<Record<string, number | null>>;

const MOST_GROWTH = 1.1;
const { conciergeThreadTokens } = DEFAULT_LIMITS;
const KITCHEN: Nodes = {
  // 700 of them for the descriptions of its fields and its example.
  understand: 4_300,
  // 370 of them for descriptions and example: 20 % of its constant part.
  think: 4_370,
  act: 4_000,
  reply: 4_000,
  summarize: null,
};
const CONCIERGE: Nodes = {
  understand: null,
  starter: conciergeThreadTokens,
  explorer: conciergeThreadTokens,
  executor: conciergeThreadTokens,
  expert: null,
  mapper: null,
  summarize: null,
  "roll-over": null,
};

/** The nodes of both lanes. */
export const ALL_NODES: Nodes = { ...CONCIERGE, ...KITCHEN };

/** The messages that lead to a plan, and into it. */
export const OPENING = [
  ...JOURNEY,
  "looks good. can we keep fridays free though?",
  "step 1 is done, what now?",
];
/** Repeated to the end, so that what grows, grows with time alone. */
const AFTERWARDS = [
  "what should we watch out for with step 2? the neighbours come round and the oven is slow",
  "where were we?",
  "what if one of us is ill on the day of the next step?",
  "what's in my fridge?",
] as const;

/** Holds a talk with the concierge, 200 turns or 20. */
export async function recordTalk(
  { quick, openDatabase, progress }: BenchContext,
  options: Pick<RecordingOptions, "wrap"> = {},
): Promise<readonly RecordedTurn[]> {
  const database = await openDatabase();
  try {
    const messages = listTalk(quick ? 20 : 200);
    return (await recordConversation(database, messages, { progress, ...options })).turns;
  } finally {
    await database.close();
  }
}

/** Lists the person's messages of a talk with the concierge. */
export function listTalk(count: number): readonly string[] {
  return Array.from(
    { length: count },
    (_, index) => OPENING[index] ?? AFTERWARDS[index % AFTERWARDS.length] ?? AFTERWARDS[0],
  );
}

/** Makes the table of the largest prompts of nodes, early and late in a conversation. */
export function growthTable(
  where: string,
  turns: readonly RecordedTurn[],
  nodes: Nodes,
): ResultTable {
  const half = Math.floor(turns.length / 2);
  const [early, late] =
    turns.length < 200
      ? [
          [1, half],
          [half + 1, turns.length],
        ]
      : [
          [40, 60],
          [150, 200],
        ];
  const most = (node: string, [from = 1, to = turns.length]: readonly number[] = []) =>
    largest(
      turns
        .slice(from - 1, to)
        .flatMap(({ prompts }) => prompts)
        .filter((prompt) => prompt.node === node)
        .map(({ tokens }) => tokens),
    );
  return {
    title: `Largest prompt of each node, ${where}`,
    columns: [
      "node",
      "all turns, tokens",
      `turns ${early?.join("–")}, tokens`,
      `turns ${late?.join("–")}, tokens`,
      "ratio",
      "ratio to hold",
      "tokens to hold",
    ],
    rows: Object.entries(nodes).map(([node, limit]) => {
      const [before, after] = [most(node, early), most(node, late)];
      return [node, most(node), before, after, ratio(after, before), MOST_GROWTH, limit];
    }),
    notes: [
      "A concierge's prompt holds its instance's own thread, which grows until a fresh instance goes on: its ratio is chance, what it may not pass is the limit.",
    ],
  };
}

/** Adds the promises that the figures are to keep. */
function judgeGrowth(table: ResultTable): ResultTable {
  const bars = table.rows.flatMap(([node, tokens, , , growth, , most]) => [
    ...(typeof growth === "number"
      ? [{ figure: `growth of the prompt of ${node}`, measured: growth, most: MOST_GROWTH }]
      : []),
    ...(typeof tokens === "number" && typeof most === "number"
      ? [{ figure: `tokens of the prompt of ${node}`, measured: tokens, most }]
      : []),
  ]);
  return { ...table, bars };
}
