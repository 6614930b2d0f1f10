import { expect, test } from "vitest";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { serveEndpoint } from "../../support/scripted-endpoint.ts";

// Groq's words for what its model wrote wrong.
test.each([
  ["tool_use_failed", "Failed to call a function. See 'failed_generation' for more details."],
  ["json_validate_failed", "Generated JSON does not match the expected schema."],
  ["tool_use_failed", "tool call validation failed: parameters did not match schema"],
])("complete() asks again in the same way after %s (%s)", async (code, message) => {
  const value = { decision: "ask" };
  const endpoint = await serveEndpoint({
    answer: ({ tools }) =>
      tools.length > 0
        ? { kind: "calls", calls: [{ name: DECISION.name, args: value }] }
        : { kind: "json", name: DECISION.name, value },
    readRole: () => "act",
  });
  const fails = { kind: "status", status: 400, body: { error: { message, code } } } as const;
  const { act } = createOpenAIModels(openAIConfig(endpoint.hostedUrl));
  for (const form of [
    { schema: DECISION },
    { tools: [DECISION], toolChoice: "required" as const },
  ]) {
    endpoint.disturb({ role: null, times: 1, character: { fails } });
    const { json, toolCalls, call } = await act.complete(modelRequest(form));

    expect(json ?? toolCalls[0]?.args).toEqual(value);
    expect(call?.learned).toEqual([]);
  }
  expect(endpoint.requests).toHaveLength(4);
});
