import type { JsonObject } from "../../state/json.ts";
import type { ModelRequest, NamedSchema } from "../../state/model.ts";
import { countPrompt } from "../client/answer-room.ts";
import type { ReasoningLevel } from "../profile/known-models.ts";
import type { ProfileTraits, StructuredMode, ToolMode } from "../profile/profile.ts";
import { countTokens } from "../tokens.ts";

// The steps of a probe and what each asks (models.md §1). Pure.

/** The nodes whose own prompts are asked. */
export const PROBED_NODES = ["Understand", "Think"] as const;
export type ProbedNode = (typeof PROBED_NODES)[number];

/** A request of one of the product's nodes; its `accept` judges the answer. */
export interface ProbeQuestion {
  readonly node: ProbedNode;
  readonly request: ModelRequest;
}

/** The extent of a probe. */
export interface ProbePlan {
  /** In the order in which they are asked; one that stands there twice shows what is cached. */
  readonly questions: readonly ProbeQuestion[];
  /** New input and output tokens, the window's search left out, from which on little more is asked; null for no bound. */
  readonly tokens: number | null;
  /** True to search the window, which costs about 26,000 tokens. */
  readonly window: boolean;
}

export type ReasoningControl = ProfileTraits["reasoningControl"];

/** One thing that is asked. */
export type ProbeStep =
  | { readonly kind: "text" }
  | { readonly kind: "structured"; readonly mode: StructuredMode }
  | { readonly kind: "tools"; readonly mode: ToolMode }
  | { readonly kind: "two-calls" }
  | { readonly kind: "stream" }
  | {
      readonly kind: "thinking";
      readonly control: ReasoningControl;
      readonly level: ReasoningLevel;
    }
  | { readonly kind: "question"; readonly index: number }
  | { readonly kind: "window"; readonly tokens: number };

/** Prompts of the search for the window, in tokens (models.md §1). */
export const WINDOW_SIZES = [3_500, 7_500, 15_000] as const;

const SHORT: Pick<ModelRequest, "role" | "schema" | "tools" | "toolChoice" | "signal" | "onText"> =
  { role: "reply", schema: null, tools: [], toolChoice: "auto", signal: null, onText: null };

const nullable = (type: string): JsonObject => ({ type: [type, "null"] });

function strictObject(properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** A schema with nested nullables, an enum and a list. */
export const DISH_SCHEMA: NamedSchema = {
  name: "dish",
  description: "A dish as it is described.",
  schema: strictObject({
    name: { type: "string" },
    minutes: nullable("integer"),
    serving: {
      anyOf: [
        strictObject({
          temperature: { type: "string", enum: ["hot", "cold"] },
          note: nullable("string"),
        }),
        { type: "null" },
      ],
    },
    ingredients: {
      type: "array",
      items: strictObject({ name: { type: "string" }, grams: nullable("number") }),
    },
  }),
};

export const PROBE_TOOLS: readonly NamedSchema[] = [
  {
    name: "find_recipes",
    description: "Finds recipes by words.",
    schema: strictObject({ words: { type: "string" } }),
  },
  {
    name: "read_stock",
    description: "Reads how much of one item there is.",
    schema: strictObject({ item: { type: "string" } }),
  },
  {
    name: "add_to_list",
    description: "Adds items to the shopping list.",
    schema: strictObject({ items: { type: "array", items: { type: "string" } } }),
  },
];

const SUM = "A train leaves at 14:50 and arrives at 16:05. How many minutes does it take?";

/** Builds the request of a step. Pure; the same step, the same bytes. */
export function buildProbeRequest(step: ProbeStep, { questions }: ProbePlan): ModelRequest {
  switch (step.kind) {
    case "text":
    case "thinking":
      return ask("Answer with a number and nothing else.", SUM, 300);
    case "structured": {
      const dish = "Tomato soup: 20 minutes, served hot, from 400 g of tomatoes and some salt.";
      return { ...ask("Describe the dish that the person names.", dish, 500), schema: DISH_SCHEMA };
    }
    case "tools":
      return {
        ...ask(CALL_RULE, "Is there any milk?", 300),
        tools: PROBE_TOOLS,
        toolChoice: "required",
      };
    case "two-calls": {
      const both = "Is there any milk, and are there any eggs? Look both up at once.";
      return { ...ask(CALL_RULE, both, 400), tools: PROBE_TOOLS, toolChoice: "required" };
    }
    case "stream":
      return ask(
        "Answer with the words and nothing else.",
        "Write the numbers from one to forty in words, with commas between them.",
        500,
      );
    case "question": {
      const question = questions[step.index];
      if (question === undefined) throw new RangeError(`Cannot ask question ${step.index}`);
      return question.request;
    }
    case "window":
      return buildWindowRequest(step.tokens);
    default:
      return step satisfies never;
  }
}

const CALL_RULE = "You look after a kitchen. Call the tool that answers the person.";

function ask(rule: string, message: string, maxOutputTokens: number): ModelRequest {
  return {
    ...SHORT,
    messages: [
      { role: "system", text: rule },
      { role: "user", text: message },
    ],
    maxOutputTokens,
  };
}

/** Tells for a window step the word that stands at the beginning of its prompt. */
export function findHiddenWord(tokens: number): string {
  return WORDS[tokens] ?? "anchor";
}

/** A word for each size: a model that repeats an earlier answer is found out. */
const WORDS: Readonly<Record<number, string>> = {
  3_500: "marigold",
  7_500: "porcupine",
  15_000: "lighthouse",
};

function buildWindowRequest(tokens: number): ModelRequest {
  const line = "On this shelf there are jars of beans, bags of rice and a box of tea.";
  const count = Math.ceil(tokens / (countTokens(`${line}\n`) || 1));
  return ask(
    `The word to remember is "${findHiddenWord(tokens)}".`,
    [
      ...Array.from({ length: count }, () => line),
      "Which word were you to remember? Answer with that word and nothing else.",
    ].join("\n"),
    60,
  );
}

/** The fields that a step forces, whatever is known. */
export function forceTraits(step: ProbeStep): Partial<ProfileTraits> {
  switch (step.kind) {
    case "structured":
      return { structured: step.mode };
    case "tools":
      return { tools: step.mode };
    case "two-calls":
      // The small tier asks for one call at a time.
      return { tier: "full" };
    case "thinking":
      return { reasoningControl: step.control };
    case "text":
    case "stream":
    case "question":
    case "window":
      return {};
    default:
      return step satisfies never;
  }
}

/** Tokens that a probe is expected to use. */
export interface ProbeEstimate {
  readonly input: number;
  readonly output: number;
}

/** Tokens of a usual answer, by kind of step. */
const USUAL_OUTPUT: Readonly<Record<ProbeStep["kind"], number>> = {
  text: 10,
  structured: 90,
  tools: 30,
  "two-calls": 60,
  stream: 130,
  thinking: 40,
  question: 300,
  window: 10,
};

/** Estimates a probe of a model about which nothing has to be tried twice. Nothing counts as cached. */
export function estimateProbe(plan: ProbePlan): ProbeEstimate {
  const short: readonly ProbeStep[] = [
    { kind: "text" },
    { kind: "structured", mode: "json_schema" },
    { kind: "tools", mode: "required" },
    { kind: "two-calls" },
    { kind: "stream" },
    { kind: "thinking", control: "effort", level: "medium" },
  ];
  const asked = short.map((step) => estimateStep(step, plan));
  const nodes = new Set<ProbedNode>();
  for (const [index, { node }] of plan.questions.entries()) {
    const used = asked.reduce((sum, { input, output }) => sum + input + output, 0);
    const isSpentBy = plan.tokens !== null && used >= plan.tokens;
    if (isSpentBy && nodes.has(node)) continue;
    nodes.add(node);
    asked.push(estimateStep({ kind: "question", index }, plan));
  }
  if (plan.window) {
    asked.push(...WINDOW_SIZES.map((tokens) => ({ input: tokens, output: USUAL_OUTPUT.window })));
  }
  return {
    input: asked.reduce((sum, { input }) => sum + input, 0),
    output: asked.reduce((sum, { output }) => sum + output, 0),
  };
}

function estimateStep(step: ProbeStep, plan: ProbePlan): ProbeEstimate {
  const request = buildProbeRequest(step, plan);
  return { input: countPrompt(request, countTokens), output: USUAL_OUTPUT[step.kind] };
}
