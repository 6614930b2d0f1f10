import { expect, test } from "vitest";
import { createOpenAIModels } from "../../../models/client/openai.ts";
import type { LanguageModel } from "../../../state/model.ts";
import { modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { serveEndpoint } from "../../support/scripted-endpoint.ts";

const WINDOW = 8_192;

/** Opens a model that thinks and has a narrow window. Each character of a prompt is a token. */
async function openNarrow() {
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "text", text: "Soup." }),
    readRole: () => "act",
  });
  const config = openAIConfig(endpoint.hostedUrl, { window: WINDOW, reasoningTokens: 4_096 });
  const model = createOpenAIModels(config, { countTokens: (text) => text.length }).act;
  return { endpoint, model };
}

/** Asks for an answer of up to 4,000 tokens about a prompt of so many. */
function askAbout(tokens: number, model: LanguageModel) {
  const messages = [{ role: "user", text: "x".repeat(tokens) }] as const;
  return model.complete(modelRequest({ messages, maxOutputTokens: 4_000 }));
}

test("traits() of a model that thinks leave five eighths of a narrow window to the prompt", async () => {
  const { model } = await openNarrow();

  const rooms = [500, 4_000].map((answer) => model.traits?.().promptTokens(answer));

  expect(rooms).toEqual([5_120, 5_120]);
});

test("complete() bounds an answer by what the prompt leaves of the window", async () => {
  const { endpoint, model } = await openNarrow();

  const answers = [await askAbout(10, model), await askAbout(5_000, model)];

  expect(answers.map(({ text }) => text)).toEqual(["Soup.", "Soup."]);
  expect(endpoint.requests.map(({ request }) => request.max_tokens)).toEqual([8_096, 3_192]);
});

test("complete() does not send a prompt that leaves the answer no room", async () => {
  const { endpoint, model } = await openNarrow();

  await expect(askAbout(5_121, model)).rejects.toMatchObject({ code: "model_context_too_long" });

  expect(endpoint.requests).toEqual([]);
});
