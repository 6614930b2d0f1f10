import { expect, test } from "vitest";
import { domainFolder } from "../../domain/list-grants.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { describeLibrary } from "../support/library.ts";
import { scriptTurns } from "../support/script-turns.ts";
import { call } from "../support/step-script.ts";
import { makeStep } from "../support/turn-state.ts";

const library = describeLibrary();
const database = await testDatabase({ migrations: [domainFolder(library)] });

test("createConciergeGraph() reports which of two rows a domain's own tables refuse", async () => {
  const step = makeStep({
    stepType: "write",
    subdomain: "shelf",
    writes: [{ action: "create", type: "book", refs: [] }],
  });
  const rows = [
    { title: "Walden", pages: 300 },
    { title: "Ulysses", pages: -1 },
  ];
  const models = scriptTurns([[step]], {
    act: [
      call("create_books", { rows, drafts: [] }),
      call("fail_step", { reason: "Ulysses has no pages" }),
    ],
    reply: ["Walden is on the shelf."],
  });
  const assistant = await testAssistant({ database, domain: library, models });

  const { record, state } = await assistant.send("add walden and ulysses");

  expect(record?.effects.map(({ action, label }) => `${action} ${label}`)).toEqual([
    "created Walden",
  ]);
  expect(state.stepResults).toMatchObject([
    { status: "partial", calls: [{ failures: [{ label: "Ulysses" }] }] },
  ]);
  expect(JSON.stringify(models.reply.requests.at(-1)?.messages)).toContain("## Already Shown");
});
