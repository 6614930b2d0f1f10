import { expect, test } from "vitest";
import { openModels } from "../app/open-models.ts";
import type { Stage } from "../cli/scenarios/conversation.ts";
import { playScenario } from "../cli/scenarios/judge.ts";
import { countWordings, loadScenarios, wordsOf } from "../cli/scenarios/load.ts";
import { strayThens } from "../cli/scenarios/then.ts";
import { mealsDomain } from "../meals/index.ts";
import { checkPlay } from "./support/check-play.ts";
import { testDatabase } from "./support/database.ts";

const { scenarios, wordings: others } = await loadScenarios();
const database = await testDatabase();
const stage: Stage = {
  database,
  domain: mealsDomain,
  ...(await openModels({ kind: "simulated" })),
};

// As they are written they are played in `rehearsal-law.test.ts`, before anything is left out.
const wordings = scenarios.flatMap((scenario) =>
  Array.from({ length: countWordings(scenario, others) }, (_, index) => ({
    scenario,
    id: scenario.id,
    wording: index + 1,
  })),
);

test.each(wordings)("scenario $id holds in wording $wording", async ({ scenario, wording }) => {
  const words = wordsOf(scenario, { wordings: others, wording });
  const report = await playScenario(stage, { scenario, words });
  expect(checkPlay(report)).toEqual([]);
});

test("every assertion belongs to a sentence of a scenario", () => {
  expect(
    strayThens(scenarios).map(({ scenario, turn, text }) => ({ scenario, turn, text })),
  ).toEqual([]);
});
