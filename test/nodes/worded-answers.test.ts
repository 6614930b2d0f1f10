import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, toolOutcome } from "../../domain/define-tool.ts";
import { mealsDomain } from "../../meals/index.ts";
import { startPlan } from "../../nodes/steps/plan-progress.ts";
import { carryOut } from "../support/carry-out.ts";
import { testDatabase } from "../support/database.ts";
import { freshKitchen } from "../support/fresh-kitchen.ts";
import { testServices } from "../support/node-services.ts";
import { call, complete, stepScripts } from "../support/step-script.ts";
import { planOf, stepOf, turnState, understandingOf } from "../support/turn-state.ts";

const database = await testDatabase();

/** A tool that knows something which no row holds. */
const askOven = defineTool({
  name: "ask_oven",
  description: "Asks the oven how warm it is.",
  parameters: z.object({}),
  effect: "read",
  selectTable: () => "recipes",
  run: async () => toolOutcome({ text: "The oven has 180 degrees" }),
});

test("what a tool tells in words ends a read step only by its model, which has been told it", async () => {
  const run = await freshKitchen(database);
  const step = stepOf({ description: "Ask", stepType: "read", subdomain: "recipes" });
  const services = testServices({
    domain: { ...mealsDomain, tools: [...mealsDomain.tools, askOven] },
    userData: database.userData,
    scripts: {
      act: stepScripts({ Ask: [call("ask_oven", {}), complete("The oven has 180 degrees")] }),
    },
  });

  const { state, path } = await carryOut(
    services,
    turnState({
      run,
      understanding: understandingOf(),
      ...startPlan(planOf({ steps: [step] })),
    }),
  );

  expect(path).toEqual(["act", "tools", "act"]);
  expect(state.stepResults).toMatchObject([
    { status: "done", outcome: "The oven has 180 degrees", calls: [{ ok: true, count: 0 }] },
  ]);
  expect(state.stepResults[0]?.calls[0]?.text).toContain("The oven has 180 degrees");
});
