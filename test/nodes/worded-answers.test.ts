import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../domain/define-tool.ts";
import { mealsDomain } from "../../meals/index.ts";
import { testDatabase } from "../support/database.ts";
import { stepPlayer } from "../support/play-steps.ts";
import { call, complete } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const database = await testDatabase();

/** A tool that knows something which no row holds. */
const askOven = defineTool({
  name: "ask_oven",
  subdomain: "recipes",
  description: "Asks the oven how warm it is.",
  parameters: z.object({}),
  effect: "read",
  selectTable: () => "recipes",
  run: async () => "The oven has 180 degrees",
});

test("a tool's answer in words ends a read step only by its model, which is shown it", async () => {
  const step = makeStep({ description: "Ask", stepType: "read", subdomain: "recipes" });

  const { state, path } = await stepPlayer(database)([step], {
    domain: { ...mealsDomain, tools: [...mealsDomain.tools, askOven] },
    scripts: { Ask: [call("ask_oven", {}), complete("The oven has 180 degrees")] },
  });

  expect(path).toEqual(["act", "tools", "act"]);
  expect(state.stepResults).toMatchObject([
    { status: "done", outcome: "The oven has 180 degrees", calls: [{ ok: true, count: 0 }] },
  ]);
  expect(state.stepResults[0]?.calls[0]?.text).toContain("The oven has 180 degrees");
});
