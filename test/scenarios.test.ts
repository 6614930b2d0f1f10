import { describe, expect, test } from "vitest";
import { openModels } from "../cli/open-models.ts";
import type { Stage } from "../cli/scenarios/conversation.ts";
import { failuresOf, playScenario } from "../cli/scenarios/judge.ts";
import { blocksShown } from "../cli/scenarios/then/concierge.ts";
import { countWordings, loadScenarios, wordsOf } from "../cli/scenarios/load.ts";
import { strayThens } from "../cli/scenarios/then.ts";
import { mealsDomain } from "../domains/meals/index.ts";
import { testDatabase } from "./support/database.ts";
import { checkEventOrder } from "./support/event-order.ts";
import { idsShown } from "./support/ids-shown.ts";

const { scenarios, wordings } = await loadScenarios();
const database = await testDatabase();
const stage: Stage = {
  database,
  domain: mealsDomain,
  ...(await openModels({ kind: "rehearsal" })),
};

describe.each(scenarios)("scenario $id", (scenario) => {
  const plays = [
    { name: "as written", wording: null },
    ...Array.from({ length: countWordings(scenario, wordings) }, (_, index) => ({
      name: `wording ${index + 1}`,
      wording: index + 1,
    })),
  ];

  test.each(plays)("holds $name", async ({ wording }) => {
    const words = wordsOf(scenario, { wordings, wording });
    const report = await playScenario(stage, { scenario, words });
    expect(failuresOf(report)).toEqual([]);
    expect(idsShown(report.turns)).toEqual([]);
    expect(report.turns.flatMap(blocksShown)).toEqual([]);
    expect(report.turns.flatMap(({ events }) => checkEventOrder(events))).toEqual([]);
  });
});

test("every assertion belongs to a sentence of a scenario", () => {
  expect(
    strayThens(scenarios).map(({ scenario, turn, text }) => ({ scenario, turn, text })),
  ).toEqual([]);
});
