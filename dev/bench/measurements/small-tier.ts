import { LEAST_WINDOW, NARROW_PROMPT_TOKENS } from "../../../state/limits.ts";
import type { JsonObject } from "../../../state/json.ts";
import type { LanguageModel } from "../../../state/model.ts";
import { longConversation } from "../../../test/support/long-conversation.ts";
import { largest } from "../figures.ts";
import { recordConversation, type RecordedTurn } from "../long-recording.ts";
import type { BenchContext, Measurement, ResultTable } from "../measurement.ts";
import { recordTalk } from "./prompt-size.ts";

/**
 * Largest prompt of each node for a small model with the least window, in the conversations of
 * `prompt-size`: the same rule-based model plays, and says of itself that it is small. What a small
 * concierge is asked after its answer is answered from a list.
 */
export const smallTier: Measurement = {
  name: "small-tier",
  about: "Tokens of each node's largest prompt for a small model with a window of 8,192",
  async run(context) {
    context.progress("in the demo kitchen");
    const kitchen = await recordKitchen(context);
    context.progress("a talk with the concierge");
    const talk = await recordTalk(context, { wrap: shrink });
    return [
      sizeTable("in the demo kitchen", kitchen),
      sizeTable("in a talk with the concierge", talk),
    ];
  },
};

/** The part of a window that an answer may keep from the prompt. */
const ANSWER_TOKENS = 3_072;

/** The words of the talk at which the plan begins. */
const COMMITMENT = "give me a plan";

/** Answers that the rule-based model, which writes control blocks, does not know. */
const SIGNALS: Readonly<Record<string, JsonObject>> = {
  handover: {
    keyFindings: ["Takeout costs too much"],
    impliedGoal: "Cook at home on weeknights",
    revealedConstraints: ["Home after seven", "No leftovers"],
    acceptedFraming: "They take it up",
    resistedFraming: null,
    unpromptedReveals: [],
    stillUnclear: ["Which evenings"],
    effectiveStance: "decide",
  },
  workflow_request: {
    goal: "Cook at home on weeknights",
    problemSummary: "Takeout on weeknights costs too much.",
    situation: "Two people who come home after seven",
    constraints: ["No leftovers"],
    priorities: ["Cost"],
    decisionsMade: ["Prepare on Sundays"],
    openQuestions: [],
    prompt: "You are a cook for working couples. Make a plan for weeknights without takeout.",
  },
  step_help_request: {
    step: "Step 1",
    context: "Two people who come home after seven",
    prompt: "You are a cook for working couples. How do they begin with Step 1?",
  },
};

/** Wraps a model as one of the small tier with the least window. */
function shrink(model: LanguageModel): LanguageModel {
  return {
    ...model,
    async complete(request) {
      const signal = request.schema === null ? undefined : SIGNALS[request.schema.name];
      if (signal === undefined) return model.complete(request);
      const isMeant = request.messages.some(({ text }) => text.includes(COMMITMENT));
      const usage = { input: 0, cached: 0, output: 0 };
      const json = { ...signal, isMeant };
      return { text: "", json, toolCalls: [], truncated: false, usage };
    },
    traits: () => ({
      endpoint: null,
      slots: 64,
      callMs: null,
      modelSeconds: null,
      ...model.traits?.(),
      tier: "small",
      window: LEAST_WINDOW,
      promptTokens: (answer) => LEAST_WINDOW - Math.min(answer, ANSWER_TOKENS),
    }),
  };
}

async function recordKitchen({
  quick,
  seed,
  openDatabase,
  progress,
}: BenchContext): Promise<readonly RecordedTurn[]> {
  const database = await openDatabase();
  try {
    const messages = longConversation(quick ? 40 : 200, seed);
    return (await recordConversation(database, messages, { progress, wrap: shrink })).turns;
  } finally {
    await database.close();
  }
}

/** From this turn on the promise is judged; a quick run judges its second half. */
const LATE_TURN = 150;

function sizeTable(where: string, turns: readonly RecordedTurn[]): ResultTable {
  const from = turns.length > LATE_TURN ? LATE_TURN : Math.ceil(turns.length / 2);
  const late = turns.slice(from - 1).flatMap(({ prompts }) => prompts);
  const all = turns.flatMap(({ prompts }) => prompts);
  const nodes = [...new Set(all.map(({ node }) => node))].toSorted();
  const most = (prompts: typeof all, node: string): number | null =>
    largest(prompts.filter((prompt) => prompt.node === node).map(({ tokens }) => tokens));
  return {
    title: `Largest prompt of each node for a small model, ${where}`,
    columns: [
      "node",
      "all turns, tokens",
      `turns ${from}–${turns.length}, tokens`,
      "tokens to hold",
    ],
    rows: nodes.map((node) => [node, most(all, node), most(late, node), NARROW_PROMPT_TOKENS]),
    notes: [
      "Answer schema or tools, with the ids that may be named, and messages, in OpenAI's o200k encoding.",
    ],
    bars: nodes.flatMap((node) => {
      const measured = most(late, node);
      return measured === null
        ? []
        : [
            {
              figure: `tokens of the prompt of ${node} for a small model, ${where}`,
              measured,
              most: NARROW_PROMPT_TOKENS,
            },
          ];
    }),
  };
}
