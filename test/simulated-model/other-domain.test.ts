import { domainFolder } from "../../domain/list-grants.ts";
import { expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { workshopDomain } from "../workshop/domain.ts";

const database = await testDatabase({
  migrations: [domainFolder(workshopDomain)],
});

test("createSimulatedModel() shows, adds, removes and excludes in a domain without words", async () => {
  const { models } = await openModels({ kind: "simulated" }, workshopDomain);
  const assistant = await testAssistant({ database, domain: workshopDomain, models });
  const shown = await assistant.send("show my tools");
  const excluded = await assistant.send("not the jigsaw");
  const removed = await assistant.send("remove the strimmer from the tools");
  const added = await assistant.send("add birdhouse to projects");
  const agreed = await assistant.send("yes");

  expect(shown.reply).toContain("cordless drill");
  expect(excluded.reply).toContain("no jigsaw");
  expect(removed.record?.effects.map(({ action, label }) => `${action} ${label}`)).toEqual([
    "deleted strimmer",
  ]);
  expect(added.reply).toBe('I do not know "birdhouse". Shall I add "birdhouse" to the projects?');
  expect(agreed.record?.effects.map(({ label }) => label)).toEqual(["birdhouse"]);
});
