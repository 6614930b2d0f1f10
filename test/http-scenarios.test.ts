import { afterAll, expect, test } from "vitest";
import type { Stage } from "../cli/scenarios/conversation.ts";
import { failuresOf, playScenario } from "../cli/scenarios/judge.ts";
import { loadScenarios } from "../cli/scenarios/load.ts";
import { mealsDomain } from "../domains/meals/index.ts";
import { createOpenAIModels } from "../models/openai.ts";
import { createRehearsalModel } from "../models/rehearsal/index.ts";
import { testDatabase } from "./support/database.ts";
import { everyRole } from "./support/every-role.ts";
import { chatModelAnswers, startOpenAIMock } from "./support/openai-mock.ts";

const { scenarios } = await loadScenarios();
const database = await testDatabase();
const endpoint = await startOpenAIMock({ answer: chatModelAnswers(createRehearsalModel()) });
afterAll(() => endpoint.close());

const MODEL = "rehearsal-over-http";
const stage: Stage = {
  database,
  domain: mealsDomain,
  models: createOpenAIModels({
    kind: "openai",
    apiKey: "sk-test",
    baseUrl: endpoint.baseUrl,
    models: everyRole(MODEL),
    structuredOutput: "json_schema",
    timeoutMs: 20_000,
    maxRetries: 0,
    maxOutputTokens: null,
    reasoningTokens: null,
  }),
};

const overHttp = scenarios.filter(({ id }) =>
  ["narrowing", "draft-lifecycle", "honest-failure"].includes(id),
);

test.each(overHttp)("scenario $id holds through the OpenAI client", async (scenario) => {
  const asked = endpoint.requests.length;

  const words = scenario.turns.map(({ say }) => say);
  const report = await playScenario(stage, { scenario, words });

  expect(failuresOf(report)).toEqual([]);
  const requests = endpoint.requests.slice(asked);
  const forms = requests.map(({ stream, tools, response_format }) => {
    if (tools.length > 0) return "tools";
    return stream ? "stream" : (response_format?.type ?? "text");
  });
  expect([...new Set(forms)].toSorted()).toEqual(["json_schema", "stream", "tools"]);
});

test("the three scenarios are among those that are played", () => {
  expect(overHttp).toHaveLength(3);
});
