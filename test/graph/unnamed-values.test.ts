import { describe, expect, test } from "vitest";
import { claimChanges } from "../support/claim-changes.ts";
import { testDatabase } from "../support/database.ts";
import { makeRowCall, setRow } from "../support/turn-state.ts";

const database = await testDatabase();

type Values = Parameters<typeof setRow>[0];

const add = (type: string, values: Values) =>
  makeRowCall({ do: "create", type, set: setRow(values) });

describe("the receipt of a new row", () => {
  test.each([
    [
      "add a task: call Ada",
      "tasks",
      add("task", { title: "Call Ada", due_on: "2026-01-16", category: "cleaning" }),
      "Added: Call Ada (due 2026-01-16; category cleaning)",
    ],
    [
      "füge das Rezept Linsensuppe zur Liste hinzu",
      "recipes",
      add("recipe", {
        name: "Linsensuppe",
        servings: 7,
        prep_minutes: 15,
        cook_minutes: 45,
        source_url: `https://x.test/${"a".repeat(60)}`,
      }),
      `Hinzugefügt: Linsensuppe (60 min; servings 7, prep minutes 15, cook minutes 45 und source url https://x.test/${"a".repeat(25)}…)`,
    ],
    [
      "add the recipe lentil soup for 4, from Lebanon",
      "recipes",
      add("recipe", { name: "Lentil soup", servings: 4, cuisine: "Lebanon" }),
      "Added: Lentil soup",
    ],
    [
      "add rice to the list",
      "shopping",
      add("shopping", { name: "rice", quantity: 4, category: "grains" }),
      "Added: rice (4; category grains)",
    ],
    [
      "lege den Gast Ada an, für die Küche",
      "members",
      add("member", { name: "Ada", until: "2026-01-16", favourites: ["rice"] }),
      "Hinzugefügt: Ada (guest until 2026-01-16; favourites rice)",
    ],
  ])("shows the values that nobody has named: %s", async (message, subdomain, call, expected) => {
    const language = message.includes("ü") ? "de" : "en";
    const assistant = await claimChanges({ database, subdomain, turns: [[call]], language });

    expect((await assistant.send(message)).reply).toContain(expected);
  });

  test("counts the values beyond six", async () => {
    const call = add("recipe", {
      name: "Stew",
      servings: 7,
      prep_minutes: 15,
      cook_minutes: 45,
      cuisine: "French",
      tags: ["slow", "cheap"],
      instructions: "Cook it slowly.",
      source_url: "stew.test",
    });
    const assistant = await claimChanges({ database, subdomain: "recipes", turns: [[call]] });

    expect((await assistant.send("add the recipe Stew")).reply).toContain(
      "(60 min; servings 7, prep minutes 15, cook minutes 45, cuisine French, tags slow, cheap, instructions Cook it slowly. and 1 more)",
    );
  });
});

test("the question before a new row shows the values that nobody has named, and so does its receipt", async () => {
  const call = add("task", { title: "Call Ada", category: "cleaning" });
  const assistant = await claimChanges({ database, subdomain: "tasks", turns: [[call], "yes"] });

  const { reply } = await assistant.send("do you think that Ada is well?");
  const done = await assistant.send("yes");

  expect(reply).toContain("This creates 1 task: Call Ada (category cleaning).");
  expect(done.reply).toContain("Added: Call Ada (category cleaning)");
});

test("the receipt of an update names the column of a number where the row has several", async () => {
  const call = makeRowCall({
    do: "update",
    type: "recipe",
    refs: ["recipe_1"],
    set: setRow({ cook_minutes: 30 }),
  });
  const parts = { database, shown: "recipe", subdomain: "recipes", turns: [[call]] };
  const assistant = await claimChanges(parts);
  const label = (await assistant.state()).registry.entries[0]?.label ?? "";

  const { reply } = await assistant.send(`make it 30 minutes for ${label}`);

  expect(reply).toMatch(/^Changed: .* \(cook minutes: \d+ → 30\)/u);
});

test.each([
  ["change coffee to 7,500", "en", { quantity: 7.5 }, "Do it?"],
  ["change coffee to 7,500", "en", { quantity: 7500 }, "Changed: coffee (250 → 7500)"],
  ["change coffee to 8k", "en", { quantity: 8 }, "Do it?"],
  ["bitte setze coffee auf 1.000", "de", { quantity: 1 }, "→ 1"],
  ["bitte setze coffee auf 1.000", "de", { quantity: 1000 }, "Geändert: coffee (250 → 1000)"],
])(
  "a number is stored unasked only as its language reads it: %s (%s), %o",
  async (message, language, values, expected) => {
    const call = makeRowCall({
      do: "update",
      type: "shopping",
      refs: ["shop_1"],
      set: setRow(values),
    });
    const parts = { database, shown: "shopping", subdomain: "shopping", turns: [[call]], language };
    const assistant = await claimChanges(parts);
    const entries = (await assistant.state()).registry.entries;
    call.refs = entries.filter(({ label }) => label === "coffee").map(({ ref }) => ref);

    const { reply, state } = await assistant.send(message);

    expect(reply).toContain(expected);
    expect(state.pending === null).toBe(values.quantity >= 1000);
  },
);

test.each([
  ["remind me in 10 days to call Ada", "en", "2026-01-22", true],
  ["remind me in 10 days to call Ada", "en", "2026-02-10", false],
  ["erinnere mich in drei Tagen: Ada anrufen", "de", "2026-01-15", true],
  ["erinnere mich in drei Tagen: Ada anrufen", "de", "2026-02-03", false],
  ["ajoute une tâche dans 5 jours : appeler Ada", "fr", "2026-01-17", true],
  ["ajoute une tâche dans 5 jours : appeler Ada", "fr", "2026-02-05", false],
  ["add a task for Friday: call Ada", "en", "2026-01-17", false],
])(
  "a day is stored unasked only where the message means it: %s, %s %s",
  async (message, language, due, isStored) => {
    const call = add("task", { title: "Ada", due_on: due });
    const parts = { database, subdomain: "tasks", turns: [[call]], language };
    const assistant = await claimChanges(parts);

    const { state } = await assistant.send(message);

    expect(state.pending === null).toBe(isStored);
  },
);

test.each([
  [{ servings: 7 }, true],
  [{ servings: 7, prep_minutes: 7 }, false],
])("a number stands for one column of a row: %o", async (values, isStored) => {
  const call = makeRowCall({
    do: "update",
    type: "recipe",
    refs: ["recipe_1"],
    set: setRow(values),
  });
  const parts = { database, shown: "recipe", subdomain: "recipes", turns: [[call]] };
  const assistant = await claimChanges(parts);
  const label = (await assistant.state()).registry.entries[0]?.label ?? "";

  const { state } = await assistant.send(`change ${label} to 7`);

  expect(state.pending === null).toBe(isStored);
});

test.each([
  [500, 120, true],
  [120, 500, false],
])(
  "each of two new rows has the value beside its own name: %s, %s",
  async (rice, oats, isStored) => {
    const call = makeRowCall({
      do: "create",
      type: "shopping",
      set: {
        columns: ["name", "quantity"],
        rows: [
          ["rice", rice],
          ["oats", oats],
        ],
      },
    });
    const assistant = await claimChanges({ database, subdomain: "shopping", turns: [[call]] });

    const { state } = await assistant.send("add rice 500, oats 120");

    expect(state.pending === null).toBe(isStored);
  },
);

test.each([
  ["Chickpea Curry", true],
  ["Curry", false],
])("a longer name links no row of a shorter one: %s", async (label, isStored) => {
  const call = makeRowCall({ do: "update", type: "recipe" });
  const turns = [[add("recipe", { name: "Curry" })], [call]];
  const parts = { database, shown: "recipe", subdomain: "recipes", turns };
  const assistant = await claimChanges(parts);
  await assistant.send("add the recipe Curry");
  const { registry } = await assistant.state();
  const find = (name: string): string =>
    registry.entries.find((entry) => entry.label === name)?.ref ?? "";
  call.refs = [find("French Toast")];
  call.set = setRow({ parent_id: find(label) });

  const { reply, state } = await assistant.send("set the parent of French Toast to Chickpea Curry");

  expect(reply).toContain(label);
  expect(state.pending === null).toBe(isStored);
});
