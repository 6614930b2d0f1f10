import { expect, test } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { domainFolder } from "../../domain/list-grants.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { kennelDomain } from "./kennel.ts";

const database = await testDatabase({ migrations: [domainFolder(kennelDomain)] });

async function openKennel() {
  const { models } = await openModels({ kind: "simulated" }, { domain: kennelDomain });
  return testAssistant({ database, domain: kennelDomain, models });
}

/** Plays messages from the start; the last turn. */
async function play(messages: readonly string[]) {
  const assistant = await openKennel();
  const [last = "", ...earlier] = messages.toReversed();
  for (const message of earlier.toReversed()) await assistant.send(message);
  return assistant.send(last);
}

test.each<[string, ...string[]]>([
  ['I set no amounts in the books, so "2" has', "show the books", "add 2 Emmas to my books"],
  ['I set no amounts in the books, so "2 kg" has', "add 2 kg of Emmas to my books"],
  ["I cannot make that 5.", "show the dogs", "make Rex 5"],
  ["I cannot make that 5.", "show Rex", "make it 5"],
  ["I cannot make that 2026-01-16.", "show the dogs", "move Rex to friday"],
  ["I cannot mark anything in the dogs as bought.", "mark Rex in the dogs as bought"],
])(
  "createSimulatedModel() sets no column that a domain does not give it: %s",
  async (refusal, ...messages) => {
    const { reply, record, state } = await play(messages);

    expect(reply).toContain(refusal);
    expect([record?.effects, state.pending]).toEqual([[], null]);
  },
);

test.each(["2 Emmas", "Fahrenheit 452", "2001", "Three Sisters", "Toy Story 2"])(
  "createSimulatedModel() reads a number as part of a name where nothing is counted: %s",
  async (title) => {
    const { record } = await play([`add ${title} to my books`, "yes"]);

    expect(record?.effects.map(({ label, facts }) => [label, facts])).toEqual([[title, ""]]);
  },
);

test.each(["Fahrenheit 451", "1984", "The 39 Steps"])(
  "createSimulatedModel() finds what has a number in its name: %s",
  async (title) => {
    const [removed, shown] = [
      await play([`remove ${title} from the books`]),
      await play([`show ${title}`]),
    ];

    expect(removed.reply).toBe(`Deleted: ${title}`);
    expect(shown.reply).toContain(`**${title}**`);
  },
);

test.each([
  "Karl-Heinz",
  "Müller & Söhne",
  "Dr. Müller",
  "O'Brien",
  "St. Mary's",
  "J. R. Smith",
  "Catch-22",
])("createSimulatedModel() finds and keeps a name as it is written: %s", async (name) => {
  const part = name === "Karl-Heinz" ? "dogs" : name === "Catch-22" ? "books" : "clients";
  const removed = await play([`remove ${name} from the ${part}`]);
  const added = await play([`add ${name} Junior to the ${part}`, "yes"]);

  expect(removed.reply).toBe(`Deleted: ${name}`);
  expect(added.reply).toBe(`Added: ${name} Junior`);
});

test.each(["Crate 2", "Box 1", "Ward 5A", "Ward 5a", "A-4 Gasket", "3M Crate"])(
  "createSimulatedModel() finds a name with a figure or a unit in it where no part is named: %s",
  async (name) => {
    const { reply } = await play([`add ${name} to the dogs`, "yes", `delete ${name}`, "yes"]);

    expect(reply).toBe(`Deleted: ${name}`);
  },
);

test.each<[string, ...string[]]>([
  ["Cage 1", "delete Cage 1", "yes"],
  ["Cage 1", "remove Cage 1 from the cages"],
  ["Cage 12", "show the cages", "delete Cage 12", "yes"],
])(
  "createSimulatedModel() finds %s, of a type without a name column, whatever its rows have in common",
  async (label, ...messages) => {
    const { reply } = await play(messages);

    expect(reply).toBe(`Deleted: ${label}`);
  },
);

const numbers = (reply: string): string[] => reply.match(/no [56]\b/gu) ?? [];

test.each<[string, readonly number[]]>([
  ["the first one", [1]],
  ["second", [0]],
  ["the last one", [0]],
  ["both", []],
])("createSimulatedModel() takes %s of two rows of one name", async (answer, left) => {
  const kennel = await openKennel();
  const asked = numbers((await kennel.send("delete Cage 3")).reply);
  await kennel.send(answer);
  const agreed = await kennel.send("yes");
  const shown = await kennel.send("show the cages");

  expect(agreed.record?.effects.map(({ label }) => label)).toEqual(
    answer === "both" ? ["Cage 3", "Cage 3"] : ["Cage 3"],
  );
  expect(numbers(shown.reply)).toEqual(left.map((at) => asked[at]));
});

test.each([
  "delete the cages that are occupied",
  "delete the dogs which are vaccinated",
  "remove the books we have read",
  "show the dogs that are vaccinated",
])("createSimulatedModel() takes no whole part for some of it: %s", async (message) => {
  const { reply, state } = await play([message]);

  expect([reply.includes("I did not understand"), state.pending]).toEqual([true, null]);
});

test.each(["Tray", "Box of pins", "Trilobite No. 4", "Hand lens 10x", "Silica gel 500 g"])(
  "createSimulatedModel() takes a name in quotation marks as it is: %s",
  async (name) => {
    const { reply } = await play([`add "${name}" to the dogs`, "yes", `delete "${name}"`, "yes"]);

    expect(reply).toBe(`Deleted: ${name}`);
  },
);

test('createSimulatedModel() reads "&" as "and" where nothing is called so', async () => {
  const { reply } = await play(["remove Rex & Bello from the dogs"]);

  expect(reply).toContain('Shall I remove "Rex" and "Bello" from the dogs?');
});

test.each([
  ["delete Minka", 'Shall I remove "Minka" from the cats?'],
  ["delete Kim and Minka", 'Shall I remove "Kim" from the books; remove "Minka" from the cats?'],
  ["delete Müller", "Which one do you mean? Please name it whole."],
  ["delete Mausi", 'There is more than one: "Mausi" in the dogs and "Mausi" in the cats.'],
  [
    "delete Zorro",
    'I found no "Zorro" in the dogs, the cats, the clients, the books or the cages, so nothing was changed.',
  ],
])("createSimulatedModel() looks in every place for what is to go: %s", async (message, reply) => {
  const turn = await play(["show the cats", message]);

  expect(turn.reply).toContain(reply);
  expect(turn.record?.effects).toEqual([]);
});

test("createSimulatedModel() deletes after a yes what it found in another place", async () => {
  const { reply } = await play(["delete Kim and Minka", "yes"]);

  expect(reply).toBe("Deleted: Kim, Minka");
});

test("createSimulatedModel() says what it did not get to, in words", async () => {
  const { reply } = await play(["remove Zorro from the dogs, show the cats"]);

  expect(reply).toContain("I did not get to “show the cats”.");
  expect(reply).not.toContain("Not reached");
});

test("createSimulatedModel() looks back on what has a semicolon in its name", async () => {
  const older = [
    "show the cats",
    "show the dogs",
    "show the cats",
    "show the dogs",
    "show the cats",
  ];
  const { reply } = await play([
    'add "War; and Peace" to the books',
    "yes",
    'remove "War; and Peace" from the books',
    ...older,
    "what did you do?",
  ]);

  expect(reply).toContain("\n- added War; and Peace\n- deleted War; and Peace");
});

test.each<[string, readonly string[], string]>([
  ["delete Rex and delete Bello", ["deleted Rex", "deleted Bello"], "Deleted: Rex, Bello"],
  ["delete Rex and delete Kim", ["deleted Rex", "deleted Kim"], "Deleted: Rex, Kim"],
  ["delete Rex and show the cats", ["deleted Rex"], "2. Minka"],
  ["delete Rex and add Bello to my dogs", ["created Bello"], 'Shall I remove "Rex" from the dogs?'],
])(
  "createSimulatedModel() forgets nothing beside what it looks for everywhere: %s",
  async (message, done, reply) => {
    const last = await play(["show the dogs", message, "yes"]);

    expect(last.record?.effects.map(({ action, label }) => `${action} ${label}`)).toEqual(done);
    expect(last.reply).toContain(reply);
  },
);
