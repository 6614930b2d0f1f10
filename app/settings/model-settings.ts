import { z } from "zod";
import {
  ReasoningSchema,
  StructuredOutputSchema,
  type StructuredOutput,
} from "../../models/config.ts";
import { isHttpUrl } from "../../models/expert-config.ts";
import { ModelTierSchema } from "../../state/model.ts";
import { budget } from "./budget.ts";
import { choice, path, text, textOrNull, whole } from "./schemas.ts";
import { defineSetting, type ProgramCommand } from "./setting.ts";

/** The commands that ask a model. */
const commands: readonly ProgramCommand[] = [
  "chat",
  "start",
  "models",
  "studio",
  "simulate",
  "evaluate",
  "library",
];

const baseUrl = textOrNull.refine((value) => value === null || isHttpUrl(value), {
  message: 'must be a URL that begins with "http://" or "https://"',
});

const structuredOutput = text.transform((value, context): StructuredOutput => {
  const mode = StructuredOutputSchema.safeParse(value?.toLowerCase() ?? "auto");
  if (mode.success) return mode.data;
  context.addIssue(
    value?.toLowerCase() === "json"
      ? "is no longer a form; write text"
      : `must be one of ${StructuredOutputSchema.options.join(", ")}`,
  );
  return z.NEVER;
});

/** The endpoint, what it is asked for, and what it may cost. (models.md §6) */
export const MODEL_SETTINGS = [
  defineSetting({
    name: "OPENAI_API_KEY",
    schema: textOrNull,
    commands,
    secret: true,
    help: "Key for an endpoint that speaks OpenAI's API. Default: none",
    details:
      "Such endpoints are OpenAI, Ollama, vLLM, llama.cpp, OpenRouter and others. Endpoint, key and model are checked at the start by a list of models and a completion of one token, which is asked for once an hour at most (docs/operating.md). With neither key nor URL the model that was chosen at the first `npm run chat` answers (`model.json` in the data folder), else the simulated one; a server with authentication or on another address than loopback then does not start.",
  }),
  defineSetting({
    name: "OPENAI_BASE_URL",
    schema: baseUrl,
    commands,
    help: "Address of the endpoint. Default: https://api.openai.com/v1",
    details:
      "On this machine it is asked once at the start whether it is Ollama, which is then spoken to in its own dialect.",
    example: "http://localhost:11434/v1",
  }),
  defineSetting({
    name: "OPENAI_MODEL",
    schema: textOrNull,
    commands,
    help: "Model for every role. Default at OpenAI: gpt-4.1-mini; elsewhere it must be set",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_UNDERSTAND",
    schema: textOrNull,
    commands,
    help: "Another model, at the same endpoint, that reads messages. Default: OPENAI_MODEL",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_THINK",
    schema: textOrNull,
    commands,
    help: "Another model that plans. Default: OPENAI_MODEL",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_ACT",
    schema: textOrNull,
    commands,
    help: "Another model that chooses tool calls. Default: OPENAI_MODEL",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_REPLY",
    schema: textOrNull,
    commands,
    help: "Another model that writes replies. Default: OPENAI_MODEL",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_SUMMARIZE",
    schema: textOrNull,
    commands,
    help: "Another model that summarizes turns. Default: OPENAI_MODEL",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_CONCIERGE",
    schema: textOrNull,
    commands,
    help: "Another model that leads an open question. Default: OPENAI_MODEL, else that of replies",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_EXPERT",
    schema: textOrNull,
    commands,
    help: "Another model for the experts. Default: OPENAI_MODEL, else that of the concierge",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_MAPPER",
    schema: textOrNull,
    commands,
    help: "Another model that maps experts' claims. Default: OPENAI_MODEL, else the concierge's",
  }),
  defineSetting({
    name: "CONCIERGE_EXPERTS",
    schema: textOrNull,
    commands,
    // Somebody may have written a key into an entry.
    secret: true,
    help: "The experts of a batch, 1 to 64: a JSON list, or the path of a JSON or YAML file with one. Default: the expert role's model under several lenses",
    details:
      'Each has a unique "id" and a "model", and may have a "lens" (the view it takes), a "baseUrl" (another endpoint) and an "apiKeyEnv" (the variable with that endpoint\'s key). OPENAI_API_KEY is sent only to the host of OPENAI_BASE_URL. The simulated model ignores this setting.',
    example: '[{"id":"risk","model":"gpt-4.1","lens":"What can go wrong?"}]',
  }),
  defineSetting({
    name: "CONCIERGE_STRUCTURED_OUTPUT",
    schema: structuredOutput,
    commands,
    help: `Form in which structured answers are requested: ${StructuredOutputSchema.options.join(", ")}. Default: auto, which tries each`,
  }),
  defineSetting({
    name: "CONCIERGE_REASONING",
    schema: choice(ReasoningSchema.options),
    commands,
    help: "Thinking before an answer: off, low, medium or high. Default: chosen for each role",
  }),
  defineSetting({
    name: "CONCIERGE_REASONING_TOKENS",
    schema: whole({ min: 0, max: 1_000_000, fallback: null }),
    commands,
    help: "Tokens for thinking, in addition to the answer, 0 to 1000000. Default: what the model is seen to need",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_TIER",
    schema: choice(ModelTierSchema.options),
    commands,
    help: "full, or small for a small model: shorter plans, fewer tools and views, one call at a time. Default: by the model's name and window",
    details:
      "Schemas of the small tier list the refs that an answer may use, which costs the endpoint's prompt cache.",
  }),
  defineSetting({
    name: "CONCIERGE_MODEL_WINDOW",
    schema: whole({ min: 1, max: 100_000_000, fallback: null }),
    commands,
    help: "Tokens that prompt and answer may have together, 1 to 100000000. Default: what is known of the model, and 8192 on this machine where nothing is",
  }),
  defineSetting({
    name: "CONCIERGE_BUDGET",
    schema: budget,
    commands,
    help: "What a turn and a conversation may use, in tokens (t) or money ($). Default: 60000 tokens a turn",
    details:
      "At 80 % of a turn's budget no more experts are asked; when it is used up, the turn ends and offers to go on. When a conversation's budget is used up, the person is asked before the next call of a model.",
    example: "turn=60000t, thread=$1",
  }),
  defineSetting({
    name: "CONCIERGE_PRICES",
    schema: path,
    commands,
    help: "Path of a JSON file with your own prices of models, in the form of models/prices.json. Default: the program's prices",
  }),
] as const;
