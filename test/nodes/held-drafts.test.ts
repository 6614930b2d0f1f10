import { expect, test } from "vitest";
import { testAssistant } from "../support/assistant.ts";
import { testDatabase } from "../support/database.ts";
import { NARRATED, planned, understood } from "../support/scripted-answers.ts";
import { scriptedModel } from "../support/scripted-model.ts";

const database = await testDatabase();

const DRAFT = {
  type: "recipe",
  ref: null,
  fields: [{ name: "name", value: "Lentil Soup" }],
  children: [{ list: null, fields: [{ name: "name", value: "red lentils" }] }],
};

test("a read of drafts is answered from the registry and tells so", async () => {
  const models = {
    understand: scriptedModel([understood({}), understood({})]),
    think: scriptedModel([
      planned([["generate", "recipes", 1]]),
      planned([["read", "recipes", 1]]),
    ]),
    act: scriptedModel([
      {
        toolCalls: [
          {
            name: "complete_step",
            args: { resultSummary: "Made", noteForNextStep: null, refs: [], artifacts: [DRAFT] },
          },
        ],
      },
      {
        toolCalls: [
          {
            name: "db_read",
            args: {
              table: "recipes",
              refs: ["gen_recipe_1"],
              where: [],
              anyOf: [],
              columns: null,
              orderBy: null,
              limit: null,
            },
          },
        ],
      },
    ]),
    reply: scriptedModel(["Here is a lentil soup.", "Here it is again."]),
    summarize: scriptedModel([NARRATED, NARRATED]),
  };
  const assistant = await testAssistant({ database, models });

  await assistant.send("draft a lentil soup");
  const { events, record } = await assistant.send("show it again");

  const reads = events.flatMap((event) =>
    event.type === "tool-end"
      ? [{ table: event.table, count: event.count, suppressed: event.suppressed }]
      : [],
  );
  expect(reads).toEqual([{ table: "recipes", count: 1, suppressed: true }]);
  expect(record?.steps).toEqual([
    {
      description: "read recipes",
      stepType: "read",
      subdomain: "recipes",
      outcome: "Had 1 draft at hand",
      note: null,
      entitiesAffected: ["gen_recipe_1"],
    },
  ]);
});
