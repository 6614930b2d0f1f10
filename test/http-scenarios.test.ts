import { afterAll, expect, test } from "vitest";
import type { Stage } from "../cli/scenarios/conversation.ts";
import { failuresOf, playScenario } from "../cli/scenarios/judge.ts";
import { loadScenarios } from "../cli/scenarios/load.ts";
import { mealsDomain } from "../meals/index.ts";
import { createOpenAIModels } from "../models/openai.ts";
import { SIMULATED_WORDS } from "../meals/simulated.ts";
import { createSimulatedModel } from "../simulated-model/index.ts";
import { strictSchemaProblems } from "../state/strict-schema.ts";
import { testDatabase } from "./support/database.ts";
import { everyRole } from "./support/every-role.ts";
import { chatModelAnswers, startOpenAIMock, type ChatRequest } from "./support/openai-mock.ts";

const { scenarios } = await loadScenarios();
const database = await testDatabase();
const endpoint = await startOpenAIMock({ answer: chatModelAnswers(createSimulatedModel({ words: SIMULATED_WORDS })) });
afterAll(() => endpoint.close());

const MODEL = "simulated-over-http";
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

/** The scenarios, with the forms of their requests; experts are asked for plain text. */
const OVER_HTTP: Readonly<Record<string, readonly string[]>> = {
  narrowing: ["json_schema", "stream", "tools"],
  "draft-lifecycle": ["json_schema", "stream", "tools"],
  "honest-failure": ["json_schema", "stream", "tools"],
  "question-to-plan": ["json_schema", "stream", "text", "tools"],
  // For the roll-over's answer, which no other one needs.
  "long-talk": ["json_schema", "stream", "text"],
};
const overHttp = scenarios.filter(({ id }) => id in OVER_HTTP);

test.each(overHttp)("scenario $id holds through the OpenAI client", async (scenario) => {
  const asked = endpoint.requests.length;

  const words = scenario.turns.map(({ say }) => say);
  const report = await playScenario(stage, { scenario, words });

  expect(failuresOf(report)).toEqual([]);
  const forms = new Set(endpoint.requests.slice(asked).map(formOf));
  expect([...forms].toSorted()).toEqual(OVER_HTTP[scenario.id]);
});

test("the scenarios are among those that are played", () => {
  expect(overHttp).toHaveLength(Object.keys(OVER_HTTP).length);
});

test("every structured answer was asked for with a strict schema, those of the concierge lane among them", () => {
  const schemas = endpoint.requests.flatMap(
    ({ response_format }) => response_format?.json_schema ?? [],
  );
  const names = [...new Set(schemas.map(({ name }) => name))];
  expect(names).toEqual(expect.arrayContaining(["map", "workflow", "handover_patch"]));
  expect(schemas.filter(({ strict }) => !strict)).toEqual([]);
  expect(schemas.flatMap(({ schema }) => strictSchemaProblems(schema))).toEqual([]);
});

test("concierges are streamed", () => {
  const forms = new Set(
    endpoint.requests
      .filter(({ messages }) => /^You are the concierge\b/u.test(messages[0]?.content ?? ""))
      .map(formOf),
  );
  expect([...forms]).toEqual(["stream"]);
});

function formOf({ stream, tools, response_format }: ChatRequest): string {
  if (tools.length > 0) return "tools";
  return stream ? "stream" : (response_format?.type ?? "text");
}
