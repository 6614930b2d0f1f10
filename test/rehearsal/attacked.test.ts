import { describe, expect, test } from "vitest";
import { type SentTurn, testAssistant } from "../support/assistant.ts";
import { testDatabase } from "../support/database.ts";

const database = await testDatabase();

interface Row {
  readonly says: readonly string[];
  /** What the last message stores, as its record says. */
  readonly effects: readonly string[];
  readonly reply: RegExp;
}

function conversation({ says }: Row): string {
  return says.join(" → ");
}

/** What the last message of a new conversation stores, and what is answered. */
async function outcomeOf({ says }: Row): Promise<{ effects: readonly string[]; reply: string }> {
  const assistant = await testAssistant({ database });
  const turns: SentTurn[] = [];
  for (const text of says) turns.push(await assistant.send(text));
  const last = turns.at(-1);
  const effects = last?.record?.effects.map(({ action, label }) => `${action} ${label}`);
  return { effects: effects ?? ["no record"], reply: last?.reply ?? "" };
}

function rows(list: readonly Row[]): { readonly name: string; readonly row: Row }[] {
  return list.map((row) => ({ name: conversation(row), row }));
}

describe("only what was stored is undone", () => {
  test.each(
    rows([
      ...["undo", "undo that", "take that back"].map((word) => ({
        says: ["what's on my shopping list?", word],
        effects: [],
        reply: /cannot undo/i,
      })),
      ...["undo", "undo that", "take that back", "delete it"].map((word) => ({
        says: ["what is in my fridge?", "add a dozen eggs to the fridge", word],
        effects: ["deleted eggs"],
        reply: /deleted: eggs/i,
      })),
      {
        says: ["add milk and bread to my shopping list", "show me my tasks", "undo"],
        effects: ["deleted milk", "deleted bread"],
        reply: /deleted/i,
      },
      {
        says: ["delete all my tasks", "undo"],
        effects: [],
        reply: /cannot undo/i,
      },
      ...["remove all", "remove all of them", "delete it", "get rid of that", "delete them"].map(
        (word) => ({
          says: ["what's on my shopping list?", word],
          effects: [],
          reply: /what shall i remove|which one/i,
        }),
      ),
    ]),
  )("$name", async ({ row }) => {
    expect(await outcomeOf(row)).toEqual({
      effects: row.effects,
      reply: expect.stringMatching(row.reply),
    });
  });
});

describe("what is denied or only supposed changes nothing", () => {
  test.each(
    rows([
      ...[
        "I would never delete all my recipes",
        "don't delete my tasks",
        "what if I deleted my recipes?",
        "what if I delete all my recipes?",
      ].map((text) => ({ says: [text], effects: [], reply: /nothing is changed/i })),
      {
        says: ["should I add eggs to the shopping list?"],
        effects: [],
        reply: /egg/i,
      },
      { says: ["evil what's in my fridge?"], effects: [], reply: /fridge/i },
      {
        says: ["don't forget to add milk to my shopping list"],
        effects: ["created milk"],
        reply: /added: milk/i,
      },
    ]),
  )("$name", async ({ row }) => {
    expect(await outcomeOf(row)).toEqual({
      effects: row.effects,
      reply: expect.stringMatching(row.reply),
    });
  });
});

describe("what is deleted is not said to be there still", () => {
  test.each(
    rows(
      ["no", "no wait, don't"].map((word) => ({
        says: ["delete all my tasks", word],
        effects: [],
        reply: /^(?!.*left as it is).*deleted already.*again/i,
      })),
    ),
  )("$name", async ({ row }) => {
    expect(await outcomeOf(row)).toEqual({
      effects: row.effects,
      reply: expect.stringMatching(row.reply),
    });
  });
});

describe("a pronoun is no thing to buy", () => {
  test.each(
    rows(
      [
        "add it all to my shopping list",
        "can you put everything I need on the shopping list?",
      ].flatMap((text) => [
        { says: [text], effects: [], reply: /^What for\?/ },
        { says: ["show me my recipes", text], effects: [], reply: /^What for\?/ },
      ]),
    ),
  )("$name", async ({ row }) => {
    expect(await outcomeOf(row)).toEqual({
      effects: row.effects,
      reply: expect.stringMatching(row.reply),
    });
  });

  test.each([
    "add it all to my shopping list",
    "can you put everything I need on the shopping list?",
  ])("show me recipes that use chickpeas → %s", async (text) => {
    const assistant = await testAssistant({ database });
    await assistant.send("show me recipes that use chickpeas");
    const { record, reply } = await assistant.send(text);

    expect(record?.effects).toEqual([]);
    expect(reply).toMatch(/^Nothing is missing: everything is there for Chickpea Curry for 2\./);
    expect(record?.steps.map(({ description }) => description)).toEqual([
      "Build the list: Chickpea Curry",
    ]);
  });
});

describe("what is planned", () => {
  test("put the chickpea curry on tuesday dinner for 5 people", async () => {
    const assistant = await testAssistant({ database });
    await assistant.send("show me the chickpea curry recipe");
    const { record } = await assistant.send(
      "put the chickpea curry on tuesday dinner for 5 people",
    );

    expect(record?.effects.map(({ action, facts }) => `${action} ${facts}`)).toEqual([
      expect.stringMatching(/^created .*\b5 servings\b|^created .*servings 5/),
    ]);
  });

  test.each(
    rows([
      {
        says: ["plan egg fried rice for next friday"],
        effects: ["created Egg Fried Rice, Fri 16 Jan dinner"],
        reply: /egg fried rice/i,
      },
      {
        says: ["plan egg fried rice for next friday", "what is in my fridge?"],
        effects: [],
        reply: /^(?![^]*egg fried rice)[^]*fridge/i,
      },
      {
        says: ["delete all my recipes", "put chickpea curry on the plan for today"],
        effects: [],
        reply: /could not be done[^]*nothing to choose from yet for "put chickpea curry/i,
      },
    ]),
  )("$name", async ({ row }) => {
    expect(await outcomeOf(row)).toEqual({
      effects: row.effects,
      reply: expect.stringMatching(row.reply),
    });
  });
});

describe("a question after what is there looks there", () => {
  test.each(["how many eggs do I have", "how many eggs do I have?", "do I have eggs?"])(
    "%s",
    async (text) => {
      const assistant = await testAssistant({ database });
      const { record, reply } = await assistant.send(text);

      expect(record?.steps.map(({ subdomain, stepType }) => [subdomain, stepType])).toEqual([
        ["inventory", "read"],
      ]);
      expect(reply).toMatch(/eggs/);
    },
  );
});
