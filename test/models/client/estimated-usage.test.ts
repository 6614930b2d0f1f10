import { expect, test } from "vitest";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import { countRoughly } from "../../support/arbitraries.ts";
import { modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { serveEndpoint, type CharacterInput } from "../../support/scripted-endpoint.ts";

const TEXT = "Soup on Monday, salad on Tuesday.";

/** Asks for a streamed reply, with a counter of tokens. */
async function reply(character: CharacterInput) {
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "text", text: TEXT }),
    readRole: () => "reply",
    character,
  });
  const services = { countTokens: countRoughly };
  const model = createOpenAIModels(openAIConfig(endpoint.hostedUrl), services).reply;
  const { usage, call } = await model.complete(modelRequest({ onText: () => undefined }));
  return { ...usage, estimated: call?.estimated };
}

test.each<[string, CharacterInput, number]>([
  ["counts nothing", { withoutUsage: true }, countRoughly(TEXT)],
  [
    "counts nothing, thoughts included",
    { withoutUsage: true, thinks: { place: "reasoning_content", tokens: 300 } },
    countRoughly(TEXT) + countRoughly("Hmm, ".repeat(40).trim()),
  ],
])("complete() estimates the tokens of an endpoint that %s", async (_what, character, output) => {
  expect(await reply(character)).toEqual({ input: 11, cached: 0, output, estimated: true });
});

const ABSURD = { prompt_tokens: 9e15, completion_tokens: 9e15, total_tokens: 18e15 };
const DETAILS = { completion_tokens_details: { reasoning_tokens: 9e15 } };

test("complete() counts itself where an endpoint counts more than anybody can have read or written", async () => {
  const usage = { ...ABSURD, ...DETAILS };

  expect(await reply({ usage })).toEqual({
    input: 11,
    cached: 0,
    output: countRoughly(TEXT),
    estimated: true,
  });
});

test("complete() takes the tokens that an endpoint counts as they are", async () => {
  expect((await reply({})).estimated).toBeUndefined();
});
