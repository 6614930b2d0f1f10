import { expect, test } from "vitest";
import { failuresOf, playScenario } from "../../../cli/scenarios/judge.ts";
import { loadScenarios } from "../../../cli/scenarios/load.ts";
import type { Scenario } from "../../../cli/scenarios/schema.ts";
import type { Models } from "../../../app/open-models.ts";
import { mealsDomain } from "../../../meals/index.ts";
import { testDatabase } from "../../support/database.ts";
import { narrowingModels } from "../../support/narrowing-script.ts";
import { NARRATED, planned, understood } from "../../support/scripted-answers.ts";
import { scriptedModel, type ScriptedAnswer } from "../../support/scripted-model.ts";

const database = await testDatabase();
const { scenarios } = await loadScenarios();

function scenarioNamed(id: string): Scenario {
  const found = scenarios.find((scenario) => scenario.id === id);
  if (found === undefined) throw new Error(`Cannot find scenario "${id}"`);
  return found;
}

function play(scenario: Scenario, models: Models) {
  const words = scenario.turns.map(({ say }) => say);
  return playScenario({ database, domain: mealsDomain, models }, { scenario, words });
}

const DISHES = ["Pasta al Limone", "Pasta Aglio e Olio", "Pasta alla Norma"];

function call(name: string, args: unknown): ScriptedAnswer {
  return { toolCalls: [{ name, args }] };
}

function complete(resultSummary: string, more: object = {}): ScriptedAnswer {
  return call("complete_step", { resultSummary, noteForNextStep: null, refs: [], ...more });
}

function save(drafts: readonly string[]): ScriptedAnswer {
  return call("db_create", { table: "recipes", rows: [], drafts });
}

const ARTIFACTS = DISHES.map((name) => ({
  type: "recipe",
  ref: null,
  fields: [{ name: "name", value: name }],
  children: [{ list: null, fields: [{ name: "name", value: "spaghetti" }] }],
}));

function honestModels(reply: string): Models {
  return {
    understand: scriptedModel([understood({}), understood({}), understood({})]),
    think: scriptedModel([
      planned([["generate", "recipes", 1]]),
      planned([["write", "recipes", 1]]),
      planned([["write", "recipes", 1]]),
    ]),
    act: scriptedModel([
      complete("Drafted three dishes", { artifacts: ARTIFACTS }),
      save(["gen_recipe_1", "gen_recipe_2", "gen_recipe_3"]),
      save(["gen_recipe_2"]),
      complete("Saved two of three"),
      save(["gen_recipe_2"]),
      complete("Saved it"),
    ]),
    reply: scriptedModel([`Here are ${DISHES.join(", ")}.`, reply, "Now it is saved."]),
    summarize: scriptedModel([NARRATED, NARRATED, NARRATED]),
  };
}

test("playScenario() lets the fault happen, plays the follow-up and finds that all holds", async () => {
  const models = honestModels("I saved two of the three; Pasta Aglio e Olio could not be saved.");

  const report = await play(scenarioNamed("honest-failure"), models);

  expect(failuresOf(report)).toEqual([]);
  expect(report.turns.map(({ said }) => said)).toEqual([
    "draft three quick pasta dishes",
    "save all three",
    "save the missing one too",
  ]);
});

test("playScenario() finds a reply that claims what did not happen", async () => {
  const report = await play(scenarioNamed("honest-failure"), honestModels("All is saved."));

  expect(failuresOf(report)).toEqual([
    expect.stringMatching(
      /^turn 2 "save all three": then the reply says two of three .*: the reply does not say two of three: All is saved\.; the reply does not name "Pasta Aglio e Olio": All is saved\.$/u,
    ),
  ]);
});

test("playScenario() finds a sentence that nobody wrote an assertion for", async () => {
  const scenario: Scenario = {
    id: "narrowing",
    turns: [
      { say: "can you help me plan some meals?", expect: JSON.parse('{"then":"it is well"}') },
    ],
  };

  const report = await play(scenario, narrowingModels());

  expect(failuresOf(report)).toEqual([
    'turn 1 "can you help me plan some meals?": then it is well: nobody wrote an assertion for it',
  ]);
});
