import type { ModelRequest, ModelRole } from "../../../state/model.ts";
import { mean, ratio, sum } from "../figures.ts";
import { BLOCK_TURNS, type RecordedTurn } from "../long-recording.ts";
import type { Measurement, ResultTable } from "../measurement.ts";
import {
  addTokens,
  countPromptTokens,
  countTurnTokens,
  priceTokens,
  writeOutput,
  writePrompt,
  type Tokens,
} from "../token-cost.ts";
import { replayAsTranscript } from "../transcript-agent.ts";

/**
 * Cost of a turn: every call of a model, schemas and tools included, output too; beside an agent
 * that sends the whole transcript of the same conversation with every call.
 */
export const turnCost: Measurement = {
  name: "turn-cost",
  about: "Cost of a turn in all, beside an agent that sends the whole transcript",
  async run({ longConversation, progress }) {
    const turns = await longConversation(progress);
    progress("the same conversation as a transcript");
    const own = countOwnTokens(turns, ({ role }) => role);
    // Steps of different parts of the domain have different tools, which stand at the beginning.
    const kept = countOwnTokens(turns, ({ role, tools }) => `${role} ${JSON.stringify(tools)}`);
    const transcript = countTurnTokens(replayAsTranscript(turns));
    return [
      blockTable(own, transcript),
      totalTable([
        { name: "this project", tokens: own },
        { name: "this project, several prefixes cached", tokens: kept },
        { name: "transcript", tokens: transcript },
      ]),
      callTable(turns),
      roleTable(turns),
    ];
  },
};

/** Counts the tokens of this project's calls; those of one `asker` share a prompt cache. */
function countOwnTokens(
  turns: readonly RecordedTurn[],
  asker: (request: ModelRequest) => string,
): readonly Tokens[] {
  return countTurnTokens(
    turns.map(({ calls }) =>
      calls.map(({ request, answer }) => ({
        asker: asker(request),
        prompt: writePrompt(request),
        output: writeOutput(answer.text, answer.toolCalls),
      })),
    ),
  );
}

/** Model calls of a turn, by what its tools did. */
function callTable(turns: readonly RecordedTurn[]): ResultTable {
  const kinds = Map.groupBy(turns, findKind);
  const rows = [["all turns", turns] as const, ...kinds].map(([kind, own]) => [
    kind,
    own.length,
    round(mean(own.map(({ calls }) => calls.length))),
    round(mean(own.map(countBeforeFirstWord))),
    Math.max(...own.map(countBeforeFirstWord)),
  ]);
  return {
    title: "Model calls of a turn",
    columns: ["turns", "number", "calls, mean", "before the first word, mean", "most"],
    rows,
    notes: [
      "Receipts are first words; a reply's are those of its model, whose call counts.",
      "A look-up reads one table, a write changes rows; other reads serve a judgement.",
    ],
  };
}

function findKind({ toolCalls }: RecordedTurn): string {
  if (toolCalls.some(({ effect, ok }) => effect === "write" && ok)) return "writes";
  if (toolCalls.length === 0) return "no tool";
  return new Set(toolCalls.map(({ tool }) => tool)).size === 1 ? "look-ups" : "other reads";
}

/** Calls until the person reads something: receipts need none of Reply. */
function countBeforeFirstWord(turn: RecordedTurn): number {
  const hasReceipts = findKind(turn) === "writes";
  const late = new Set<ModelRole>(hasReceipts ? ["summarize", "reply"] : ["summarize"]);
  return turn.calls.filter(({ request }) => !late.has(request.role)).length;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** Calls and input of each role over all turns. */
function roleTable(turns: readonly RecordedTurn[]): ResultTable {
  const calls = turns.flatMap((turn) => turn.calls);
  const roles = [...new Set(calls.map(({ request }) => request.role))];
  return {
    title: "All turns by role, tokens of input",
    columns: ["role", "calls", "input", "largest prompt"],
    rows: roles.map((role) => {
      const inputs = calls
        .filter(({ request }) => request.role === role)
        .map(({ request }) => countPromptTokens(writePrompt(request)));
      return [role, inputs.length, sum(inputs), Math.max(...inputs)];
    }),
    notes: [],
  };
}

function blockTable(own: readonly Tokens[], transcript: readonly Tokens[]): ResultTable {
  const starts = [1, 21, 41, 81, 121, 181].filter((from) => from + BLOCK_TURNS - 1 <= own.length);
  return {
    title: "Cost of a turn, mean of twenty, in tokens of input",
    columns: ["turns", "this project", "transcript", "ratio"],
    rows: starts.map((from) => {
      const [ours, theirs] = [own, transcript].map((tokens) =>
        Math.round(mean(tokens.slice(from - 1, from - 1 + BLOCK_TURNS).map(priceTokens))),
      );
      return [
        `${from}–${from + BLOCK_TURNS - 1}`,
        ours ?? null,
        theirs ?? null,
        ratio(ours ?? null, theirs ?? null),
      ];
    }),
    notes: [
      "Every twenty turns hold the same messages in another order.",
      "Tokens of input; those from the prompt cache count a tenth, those of output four times. Cached is what begins the same caller's previous prompt, from 1,024 tokens in steps of 128.",
      "In the transcript's favour: it never errs, makes all tool calls of a turn at once, and is spared the database's ids.",
    ],
  };
}

interface Method {
  readonly name: string;
  readonly tokens: readonly Tokens[];
}

function totalTable(methods: readonly Method[]): ResultTable {
  return {
    title: "All turns, tokens",
    columns: ["method", "input", "of it cached", "output", "cost", "most input of a turn"],
    rows: methods.map(({ name, tokens }) => {
      const { input, cached, output } = addTokens(tokens);
      const cost = Math.round(sum(tokens.map(priceTokens)));
      return [name, input, cached, output, cost, Math.max(...tokens.map((turn) => turn.input))];
    }),
    notes: [],
  };
}
