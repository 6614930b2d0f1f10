import { expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import type { Check } from "../../state/change.ts";
import type { EntityType } from "../../state/entity.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { BOOK, describeLibrary } from "../support/library.ts";
import { cinemaDomain } from "./cinema.ts";

/** Books that point at nothing, so that a title makes one. */
const library = describeLibrary({
  entityTypes: [
    { ...BOOK, columns: BOOK.columns.filter(({ references }) => !references), lists: [] },
  ],
  subdomains: [{ name: "books", type: "book", about: "what is on the shelf" }],
  tools: [],
  checks: [],
});
const database = await testDatabase({
  migrations: [domainFolder(library), domainFolder(cinemaDomain)],
});

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
    "I can show, add, remove and leave out what is stored here; a name that I do not know goes in quotation marks. To set",
  );
});

test("createSimulatedModel() offers nothing against a rule that nobody can override", async () => {
  const kept: Check = {
    name: "kept",
    types: ["book"],
    actions: ["delete"],
    run: () => [{ kind: "breach", rule: "kept", reason: "Books stay", overridable: false }],
  };
  const strict = { ...library, checks: [kept] };
  const { models } = await openModels({ kind: "simulated" }, { domain: strict });
  const assistant = await testAssistant({ database, domain: strict, models });
  await assistant.send("show my books");

  const refused = await assistant.send("remove emma from the books");

  expect(refused.reply).toContain("It breaks what holds: Books stay (kept).");
  expect(refused.state.pending).toBeNull();
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

test.each<[string, readonly string[], string | RegExp]>([
  [
    "what a long list leaves out",
    ["show the films"],
    /\n100\. FILM DV\n\n150 more are not shown here\.$/,
  ],
  [
    "what is left out",
    ["show the categories", "no horror", "show the categories"],
    /\n\n1 more is not shown here\.$/,
  ],
  [
    "a choice without days",
    ["show the categories", "no horror please"],
    /\n\nShall I leave out more\?$/,
  ],
  [
    "a choice that nobody has seen",
    ["no drama"],
    'Nothing that I have shown is called "drama", so I left nothing out.',
  ],
  ["a list of people", ["show the actors"], /^1\. MARY SMITH\n2\. PENELOPE GUINESS\n/],
  ["columns in CamelCase", ["show the categories"], /^1\. Action \(category \d+\)\n/],
  ["one person", ["show PENELOPE GUINESS"], "**PENELOPE GUINESS**"],
  ["a label of two columns", ["remove MARY SMITH from the actors"], "Deleted: MARY SMITH"],
  ["an apostrophe", ["remove Hugh O'Reilly from the actors"], "Deleted: Hugh O'Reilly"],
  [
    "quotes",
    ["show the categories", "remove Rock 'n' Roll from the categories"],
    "Deleted: Rock 'n' Roll",
  ],
  [
    "a row of the list shown last",
    ["show the actors", "remove Mary Smith"],
    /Shall I remove "Mary Smith" from the actors\?\n1\. This deletes 1 actor: MARY SMITH\.$/,
  ],
  [
    "the last of a long list",
    ["show the categories", "delete the last one", "yes"],
    "Deleted: Western",
  ],
  [
    "a look at the last of a long list",
    ["show the categories", "show the last one"],
    /^\*\*Western\*\*/,
  ],
  [
    "the last of a long list that is not in view",
    ["show the categories", "bla bla", "delete the last one"],
    /Which one do you mean by "last one"\?/,
  ],
  [
    "the second of the newer list",
    ["show the films", "show the actors", "bla", "delete the second one"],
    /Shall I remove "PENELOPE GUINESS"\?/,
  ],
  [
    "a second of a list that is not in view",
    ["show the actors", "bla", "show the second one"],
    'Shall I show "PENELOPE GUINESS"?',
  ],
  [
    "what others need",
    ["show the categories", "delete the second one", "yes"],
    /^Not done: Animation \(other things still need it\)/,
  ],
  ["a new name", ["add Road Trip to the categories", "yes"], "Added: Road Trip"],
  ["a new name of two columns", ["add Tom Hanks to the actors", "yes"], "Added: Tom Hanks"],
  [
    "half a name",
    ["add Zorro to the actors"],
    /I cannot add "Zorro" to the actors: a whole name has 2 parts there\.$/,
  ],
  [
    "a row that takes more than a name",
    ["add Zorro to the films"],
    /I cannot add to the films by name alone\.$/,
  ],
  [
    "a name that is there",
    ["show the categories", "add Horror to the categories"],
    /"Horror" is in the categories already\. Shall I add another\?/,
  ],
  [
    "a second row of a name",
    ["show the categories", "add Horror to the categories", "yes"],
    "Added: Horror",
  ],
  [
    "two of a name that came back",
    [
      "show the categories",
      "add Opera to the categories",
      "yes",
      "remove Opera from the categories",
      "yes",
      "undo",
      "delete the last one",
    ],
    /Shall I remove "Opera"\?/,
  ],
])("createSimulatedModel() answers in a cinema: %s", async (_, messages, reply) => {
  const { models } = await openModels({ kind: "simulated" }, { domain: cinemaDomain });
  const assistant = await testAssistant({ database, domain: cinemaDomain, models });
  let last = "";
  for (const message of messages) ({ reply: last } = await assistant.send(message));

  const isMeant = typeof reply === "string" ? last === reply : reply.test(last);
  expect({ last, isMeant }).toEqual({ last, isMeant: true });
});
