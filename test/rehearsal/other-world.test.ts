import { expect, test } from "vitest";
import type { Models } from "../../cli/open-models.ts";
import { createLangChainModel } from "../../models/langchain-model.ts";
import { createRehearsalModel } from "../../models/rehearsal/index.ts";
import { viableRefs } from "../../registry/candidates.ts";
import { testAssistant } from "../support/assistant.ts";
import { testDatabase } from "../support/database.ts";
import { workshopDomain } from "../workshop/domain.ts";
import { SHED } from "./shed-world.ts";

const database = await testDatabase({
  migrations: [{ name: workshopDomain.name, path: workshopDomain.migrations }],
});
const model = createLangChainModel({
  chat: createRehearsalModel({ world: SHED }),
  name: "rehearsal-in-a-shed",
  endpoint: null,
  structuredOutput: "json_schema",
  timeoutMs: 20_000,
  secrets: [],
  namesFinish: false,
});
const models: Models = {
  understand: model,
  think: model,
  act: model,
  reply: model,
  summarize: model,
};

test("createRehearsalModel() narrows what another domain offers", async () => {
  const assistant = await testAssistant({ database, domain: workshopDomain, models });

  await assistant.send("what could I borrow?");
  const { state, reply, record } = await assistant.send("nothing with a battery please");

  expect(record?.demotedRefs).toEqual(["tool_1", "tool_5"]);
  expect(viableRefs(state.registry, state.candidates, "tool")).toEqual([
    "tool_2",
    "tool_3",
    "tool_4",
    "tool_6",
    "tool_7",
  ]);
  expect(reply).toContain("hand saw");
  expect(reply).not.toMatch(/hello|welcome|recipe/i);
});

test("createRehearsalModel() drafts and saves in another domain", async () => {
  const assistant = await testAssistant({ database, domain: workshopDomain, models });

  const drafted = await assistant.send("come up with a bird box");
  const saved = await assistant.send("great, save it");

  expect(drafted.reply).toContain("3 boards plank");
  expect(drafted.record?.effects).toEqual([]);
  expect(saved.record?.effects).toMatchObject([
    { action: "created", ref: "gen_project_1", table: "projects", label: "bird box" },
  ]);
});

test("createRehearsalModel() puts a choice on a day, and tells what another domain refuses", async () => {
  const assistant = await testAssistant({ database, domain: workshopDomain, models });

  await assistant.send("what could I borrow?");
  const lent = await assistant.send("put the jigsaw on saturday");
  const refused = await assistant.send("put the belt sander on saturday");

  expect(lent.record?.effects).toMatchObject([
    { action: "created", table: "loans", label: "loan on 2026-01-17" },
  ]);
  expect(refused.record?.effects).toEqual([]);
  expect(refused.reply).toContain("there is one already");
});
