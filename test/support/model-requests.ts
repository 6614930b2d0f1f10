import type { OpenAIConfig } from "../../models/config.ts";
import type { ModelRequest, NamedSchema } from "../../state/model.ts";
import { everyRole } from "./every-role.ts";

/** A request of Think for a text, with the given parts in place. */
export function modelRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: "think",
    messages: [
      { role: "system", text: "You plan meals." },
      { role: "user", text: "Something quick on Tuesday" },
    ],
    schema: null,
    tools: [],
    toolChoice: "auto",
    maxOutputTokens: 500,
    onText: null,
    signal: null,
    ...changes,
  };
}

/** A schema that leaves a choice of two. */
export const DECISION: NamedSchema = {
  name: "decision",
  description: "What to do.",
  schema: {
    type: "object",
    properties: { decision: { type: "string", enum: ["act", "ask"] } },
    required: ["decision"],
    additionalProperties: false,
  },
};

/** An endpoint that is asked for one model in every role, with the given settings in place. */
export function openAIConfig(baseUrl: string, changes: Partial<OpenAIConfig> = {}): OpenAIConfig {
  return {
    kind: "openai",
    apiKey: null,
    baseUrl,
    models: everyRole("gpt-test"),
    structuredOutput: "auto",
    reasoning: null,
    reasoningTokens: null,
    tier: null,
    window: null,
    budget: { turn: null, thread: null },
    prices: null,
    ...changes,
  };
}
