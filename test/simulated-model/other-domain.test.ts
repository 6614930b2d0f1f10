import { expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import type { EntityType } from "../../state/entity.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { BOOK, describeLibrary } from "../support/library.ts";

/** Books that point at nothing, so that a title makes one. */
const library = describeLibrary({
  entityTypes: [
    { ...BOOK, columns: BOOK.columns.filter(({ references }) => !references), lists: [] },
  ],
  subdomains: [{ name: "books", type: "book", about: "what is on the shelf" }],
  tools: [],
  checks: [],
});
const database = await testDatabase({ migrations: [domainFolder(library)] });

test("createSimulatedModel() shows, adds, removes and excludes in a domain without words", async () => {
  const { models } = await openModels({ kind: "simulated" }, { domain: library });
  const assistant = await testAssistant({ database, domain: library, models });
  const shown = await assistant.send("show my books");
  const excluded = await assistant.send("not kim");
  const removed = await assistant.send("remove emma from the books");
  const added = await assistant.send("add walden to books");
  const agreed = await assistant.send("yes");
  const refused = await assistant.send("frobnicate walden");

  expect(shown.reply).toContain("Middlemarch");
  expect(excluded.reply).toContain("no Kim");
  expect(removed.record?.effects.map(({ action, label }) => `${action} ${label}`)).toEqual([
    "deleted Emma",
  ]);
  expect(added.reply).toBe(
    'Nothing has been changed yet.\n\nI do not know "walden". Shall I add "walden" to the books?\n1. This creates 1 book: walden.',
  );
  expect(agreed.record?.effects.map(({ label }) => label)).toEqual(["walden"]);
  expect(refused.reply).toContain(
    "I can show, add, remove and leave out what is stored here. To set",
  );
});

function nameSchema(type: EntityType): EntityType {
  return { ...type, table: `concierge.${type.table}` };
}

test("createSimulatedModel() finds the rows of a part that is not called like them, in a table of a schema", async () => {
  const parts = { subdomains: [{ name: "shelf2", type: "book", about: "books" }] };
  const shelf = { ...library, ...parts };
  const { models } = await openModels({ kind: "simulated" }, { domain: shelf });
  const named = { ...shelf, entityTypes: shelf.entityTypes.map(nameSchema) };

  const inSchema = await testAssistant({ database, domain: named, models });
  const shown = await inSchema.send("Show the shelf2");
  const assistant = await testAssistant({ database, domain: shelf, models });
  const removed = await assistant.send("Remove Kim from the shelf2");

  expect(shown.reply).toBe("1. Emma\n2. Kim\n3. Middlemarch");
  expect(removed.record?.effects.map(({ action, label }) => `${action} ${label}`)).toEqual([
    "deleted Kim",
  ]);
});
