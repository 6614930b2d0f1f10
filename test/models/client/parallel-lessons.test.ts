import { expect, test } from "vitest";
import { createOpenAIExperts, createOpenAIModels } from "../../../models/client/openai.ts";
import type { ExpertConfig } from "../../../models/expert-config.ts";
import type { LanguageModel } from "../../../state/model.ts";
import { DECISION, modelRequest, openAIConfig } from "../../support/model-requests.ts";
import { serveEndpoint, type CharacterInput } from "../../support/scripted-endpoint.ts";

const EXPERTS = ["one", "two"].map((id): ExpertConfig => ({
  id,
  lens: null,
  model: "gpt-test",
  baseUrl: null,
  apiKey: null,
  apiKeyEnv: null,
}));

/** Asks a model twice at once: its endpoint refuses no call before both have come. */
async function askTwice(character: CharacterInput) {
  const together = Promise.withResolvers<void>();
  const endpoint = await serveEndpoint({
    answer: () => ({ kind: "json", name: "decision", value: { decision: "ask" } }),
    readRole: () => "expert",
    character,
    hold: async () => {
      if (endpoint.requests.length === 2) together.resolve();
      await together.promise;
    },
  });
  const { think } = createOpenAIModels(openAIConfig(endpoint.hostedUrl));
  const answers = await Promise.all([ask(think), ask(think)]);
  return { answers: answers.map(({ json }) => json), endpoint };
}

function ask(model: LanguageModel) {
  return model.complete(modelRequest({ schema: DECISION, accept: checkDecision }));
}

function checkDecision({ json }: { readonly json: unknown }): readonly string[] {
  return JSON.stringify([json]).includes("decision") ? [] : ["no decision"];
}

const ANSWER = { decision: "ask" };

test.each<[string, CharacterInput, string | undefined]>([
  ["response_format json_schema", { refuses: [{ field: "json_schema" }] }, undefined],
  ["strict", { refuses: [{ field: "strict" }] }, "json_schema"],
  ["max_tokens", { refuses: [{ field: "max_tokens" }] }, "json_schema"],
  ["a schema, by ignoring it", { enforces: false, guesses: true }, "json_object"],
])("two first calls at once learn one refusal once: %s", async (_what, character, format) => {
  const { answers, endpoint } = await askTwice(character);

  expect(answers).toEqual([ANSWER, ANSWER]);
  expect(endpoint.requests).toHaveLength(4);
  const sent = endpoint.requests.slice(2).map(({ request }) => request.response_format?.type);
  expect(sent).toEqual([format, format]);
});

/** Serves an endpoint that refuses `strict`. */
function serveLenient() {
  return serveEndpoint({
    answer: () => ({ kind: "json", name: "decision", value: { decision: "ask" } }),
    readRole: () => "expert",
    character: { refuses: [{ field: "strict" }] },
  });
}

test("a call that waits for its place is made as the one before it has learned", async () => {
  const endpoint = await serveLenient();
  // A server on this machine takes one call at a time.
  const { think } = createOpenAIModels(openAIConfig(endpoint.localUrl));
  const answers = await Promise.all([ask(think), ask(think)]);

  expect(answers.map(({ json }) => json)).toEqual([ANSWER, ANSWER]);
  expect(endpoint.requests).toHaveLength(3);
});

test("experts know what another one of the same model has learned", async () => {
  const endpoint = await serveLenient();
  const [one, two] = createOpenAIExperts({
    ...openAIConfig(endpoint.hostedUrl),
    experts: EXPERTS,
  });
  if (one === undefined || two === undefined) throw new Error("Cannot ask: there are no experts");
  const answers = [await ask(one.model), await ask(two.model)];

  expect(answers.map(({ json }) => json)).toEqual([ANSWER, ANSWER]);
  expect(endpoint.requests).toHaveLength(3);
});
