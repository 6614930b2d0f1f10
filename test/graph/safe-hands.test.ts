import { describe, expect, test } from "vitest";
import type { ThinkAnswer } from "../../state/plan.ts";
import type { RowCall } from "../../state/row-call.ts";
import type { UnderstandAnswer } from "../../state/understanding.ts";
import { testAssistant } from "../support/conversation.ts";
import { testDatabase } from "../support/database.ts";
import { scriptedRoles } from "../support/node-services.ts";
import { complete } from "../support/step-script.ts";
import {
  makeCuration,
  makeRowCall,
  makeRowRead,
  makeStep,
  NARRATIVE_ANSWER,
  setRow,
  thinkAnswer,
  understandAnswer,
} from "../support/turn-state.ts";

const database = await testDatabase();

interface Scripts {
  readonly understand: readonly (Partial<UnderstandAnswer> | string)[];
  readonly think?: readonly Partial<ThinkAnswer>[];
  readonly reply?: readonly string[];
}

/** An assistant whose models answer so often and no more; a text of Understand is no answer. */
async function assist({ understand, think = [], reply = [] }: Scripts) {
  const models = scriptedRoles({
    understand: understand.map((answer) =>
      typeof answer === "string" ? answer : { json: understandAnswer(answer) },
    ),
    think: think.map((answer) => ({ json: thinkAnswer(answer) })),
    reply: [...reply],
    summarize: reply.map(() => ({ json: NARRATIVE_ANSWER })),
  });
  return Object.assign(await testAssistant({ database, models }), { models });
}

const CHANGE: Partial<UnderstandAnswer> = { needs: "change" };
const YES: Partial<UnderstandAnswer> = { answersPending: "accept" };
const show = (type: string): Partial<UnderstandAnswer> => ({
  needs: "look",
  look: makeRowRead({ type }),
});

const write = (subdomain: string, description = "Change it") =>
  makeStep({ description, stepType: "write", subdomain, writes: [] });
const add = (type: string, values: Parameters<typeof setRow>[0], step = 0): RowCall =>
  makeRowCall({ do: "create", type, step, set: setRow(values) });
const update = (ref: string, values: Parameters<typeof setRow>[0], step = 0): RowCall =>
  makeRowCall({
    do: "update",
    type: ref.startsWith("shop_") ? "shopping" : ref.replace(/_\d+$/u, ""),
    refs: [ref],
    step,
    set: setRow(values),
  });

describe("a proposal whose calls are known", () => {
  test("lists the values that they change, and a yes stores exactly these with one model call", async () => {
    const assistant = await assist({
      understand: [show("member"), CHANGE, YES],
      think: [
        {
          decision: "propose",
          proposal: "I would note that Anna likes curry.",
          steps: [write("members", "Note that Anna likes curry")],
          calls: [update("member_1", { allergies: [], name: "Bob" })],
        },
      ],
    });
    await assistant.send("show members");

    const proposed = await assistant.send("Anna likes curry");
    const { reply, state } = await assistant.send("yes");

    expect(proposed.reply).toBe(
      [
        "Nothing has been changed yet.",
        "",
        "I would note that Anna likes curry.",
        "1. This changes 1 member: Anna (name: Anna → Bob, allergies: peanuts → none).",
        "Do it?",
      ].join("\n"),
    );
    expect(reply).toBe("Changed: Bob (was Anna, allergies: peanuts → none)");
    expect(state.calls.map(({ node }) => node)).toEqual(["understand"]);
  });

  test("lists every new row, whatever its model says of the step", async () => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [
        {
          decision: "propose",
          proposal: "Shall I add figs?",
          steps: [write("shopping", "Add figs")],
          calls: [add("shopping", { name: "whisky" }), add("shopping", { name: "rum" })],
        },
      ],
    });

    const { reply } = await assistant.send("we are out of figs");

    expect(reply).toContain("1. This creates 2 shopping list lines: whisky, rum.");
    expect(reply).not.toContain("Add figs");
  });

  test("asks again where a row has changed since it was listed", async () => {
    const assistant = await assist({
      understand: [show("member"), CHANGE, YES],
      think: [
        {
          decision: "propose",
          proposal: "Shall I rename her?",
          steps: [write("members")],
          calls: [update("member_1", { name: "Bob" })],
        },
      ],
    });
    await assistant.send("show members");
    await assistant.send("Anna is called Bob by now");
    await database.owner.query("update members set dislikes = '{liver}' where name = 'Anna'");

    const { reply, state } = await assistant.send("yes");

    expect(reply).toMatch(/^Since I asked, this has changed: .*\. This changes 1 member: Anna/u);
    expect(state.effects).toEqual([]);
    expect(state.pending).toMatchObject({ kind: "confirmation" });
  });
});

describe("a change that nobody asked for", () => {
  test("is a question below the answer where the message asks for none", async () => {
    const assistant = await assist({
      understand: [{}, YES],
      think: [{ steps: [write("shopping")], calls: [add("shopping", { name: "cake" })] }],
      reply: ["The chickpea curry is vegan."],
    });

    const asked = await assistant.send("which dishes are vegan?");
    const { reply } = await assistant.send("yes");

    expect(asked.reply).toBe(
      "The chickpea curry is vegan.\n\nThis creates 1 shopping list line: cake. You can undo it for 30 days. Do it?",
    );
    expect(asked.state.effects).toEqual([]);
    expect(reply).toBe("Added: cake");
  });

  test("is a question where no model could read the message", async () => {
    const assistant = await assist({
      understand: ["no answer", "nor this", "nor that"],
      think: [{ steps: [write("shopping")], calls: [add("shopping", { name: "cake" })] }],
      reply: ["No cod, then."],
    });

    const { reply, state } = await assistant.send("no cod");

    expect(reply).toMatch(
      /No cod, then\.\n\nThis creates 1 shopping list line: cake\..* Do it\?$/u,
    );
    expect(state.effects).toEqual([]);
  });

  test.each([
    [
      "an update",
      update("shop_3", { quantity: 99 }),
      "This changes 1 shopping list line: coffee (quantity: 250 → 99).",
    ],
    [
      "a creation",
      add("shopping", { name: "caviar" }),
      "This creates 1 shopping list line: caviar.",
    ],
  ])(
    "is a question where the message was read as one for a change: %s",
    async (_, call, listed) => {
      const assistant = await assist({
        understand: [show("shopping"), CHANGE],
        think: [{ steps: [write("shopping")], calls: [call] }],
      });
      await assistant.send("show my shopping list");

      const { reply, state } = await assistant.send("what day is it?");

      expect(reply).toBe(`${listed} You can undo it for 30 days. Do it?`);
      expect(state.effects).toEqual([]);
    },
  );

  test("is a question where it goes along with another of another type", async () => {
    const assistant = await assist({
      understand: [show("member"), CHANGE],
      think: [
        {
          steps: [write("shopping"), write("members")],
          calls: [add("shopping", { name: "Brot" }), update("member_1", { allergies: [] }, 1)],
        },
      ],
    });
    await assistant.send("show members");

    const { reply, state } = await assistant.send("füge Brot hinzu");

    expect(reply).toBe(
      "Added: Brot\n\nThis changes 1 member: Anna (allergies: peanuts → none). You can undo it for 30 days. Do it?",
    );
    expect(state.effects.map(({ label }) => label)).toEqual(["Brot"]);
  });
});

describe("a change that was asked for needs no question", () => {
  test.each([
    ["change coffee to 500 g", { quantity: 500 }, "Changed: coffee (250 → 500)"],
    ["rename coffee to decaf", { name: "decaf" }, "Changed: decaf (was coffee)"],
    ["500 please", { quantity: 500 }, "Changed: coffee (250 → 500)"],
    ["that one is bought", { purchased: true }, "Changed: coffee (purchased: false → true)"],
  ])("%s", async (message, values, receipt) => {
    const assistant = await assist({
      understand: [show("shopping"), CHANGE],
      think: [{ steps: [write("shopping")], calls: [update("shop_3", values)] }],
    });
    await assistant.send("show my shopping list");

    const { reply } = await assistant.send(message);

    expect(reply).toBe(receipt);
  });
});

const LEFT_OUT: Partial<UnderstandAnswer> = {
  needs: "change",
  references: [{ text: "", ref: "shop_3" }],
};

test.each<[string, string, string, readonly string[]]>([
  ["finished", "of what was spoken of", "The coffee is still on it.", ["coffee"]],
  ["thanks", "of nothing", "The coffee is still on it.", []],
  ["finished", "of one thing among others", "There are oranges, and coffee.", []],
])("%s is said %s", async (message, _, spoken, changed) => {
  const assistant = await assist({
    understand: [show("shopping"), { needs: "talk" }, LEFT_OUT],
    think: [{ steps: [write("shopping")], calls: [update("shop_3", { purchased: true })] }],
    reply: [spoken],
  });
  await assistant.send("show my shopping list");
  await assistant.send("hm");

  const { state } = await assistant.send(message);

  const prompt = assistant.models.think.requests.at(-1)?.messages.at(-1)?.text;
  expect(state.effects.map(({ label }) => label)).toEqual(changed);
  expect(prompt).toMatch(/^It means shop_3 \(coffee\)$/mu);
});

test.each([
  ["shop_3", true],
  ["shop_1", false],
])("a question about one row is answered by a change of %s: %s", async (ref, isAnswered) => {
  const amounts = [update("shop_3", { quantity: 30 }), update(ref, { quantity: 3 })];
  const assistant = await assist({
    understand: [show("shopping"), CHANGE, { ...CHANGE, references: [{ text: "it", ref }] }],
    think: amounts.map((amount) => ({ steps: [write("shopping")], calls: [amount] })),
  });
  await assistant.send("show my shopping list");
  const asked = await assistant.send("make the coffee 3 packs");

  const { state, events } = await assistant.send("make it 3");

  expect([asked.state.pending?.kind, state.effects.length]).toEqual(["confirmation", 1]);
  expect(state.pending === null).toBe(isAnswered);
  expect(events.some(({ type }) => type === "confirmation-end")).toBe(isAnswered);
});

test.each([
  ["thanks", false],
  ["great, see you tomorrow", false],
  ["Thanks, that is all!", false],
  ["Thank you for your help!", false],
  ["another one, please", true],
])("what was added is added again after %j without a question: %s", async (message, isAdded) => {
  const again = { steps: [write("shopping")], calls: [add("shopping", { name: "figs" })] };
  const assistant = await assist({ understand: [CHANGE, CHANGE], think: [again, again] });
  await assistant.send("add figs to the list");

  const { state } = await assistant.send(message);

  expect([state.effects.length > 0, state.pending === null]).toEqual([isAdded, isAdded]);
});

test.each([
  ["it", "it is gone", 1],
  ["", "gone", 0],
  ["a lot", "thanks a lot", 0],
  ["thanks", "thanks, it", 0],
  ["", "thanks a lot, rice", 0],
  ["", "please remove the rice", 1],
  ["the saffron", "delete the saffron", 0],
  ["the first one", "delete the first one", 1],
  ["the second one", "delete the second one", 0],
])(
  "a reference with the words %j deletes so many rows unasked: %s",
  async (text, message, deleted) => {
    const ref = "inv_1";
    const step = {
      ...write("inventory"),
      writes: [{ action: "delete" as const, type: "inventory", refs: [ref] }],
    };
    const assistant = await assist({
      understand: [show("inventory"), { needs: "change", references: [{ text, ref }] }],
      think: [
        { steps: [step], calls: [makeRowCall({ do: "delete", type: "inventory", refs: [ref] })] },
      ],
    });
    await assistant.send("what is there?");

    const { state } = await assistant.send(message);

    expect(state.effects).toHaveLength(deleted);
  },
);

test.each<[string, Parameters<typeof setRow>[0], number]>([
  ["make the coffee 3 packs", { quantity: 3 }, 1],
  ["make the coffee 3 packs", { quantity: 30 }, 0],
  ["what is the coffee for?", { quantity: 3 }, 0],
  ["rename the coffee to decaf", { name: "decaf" }, 1],
  ["rename the coffee to decaf", { name: "tea" }, 0],
])("%s, as %o, changes so many rows unasked: %s", async (message, values, changed) => {
  const assistant = await assist({
    understand: [show("shopping"), { needs: "change" }],
    think: [{ steps: [write("shopping")], calls: [update("shop_3", values)] }],
  });
  await assistant.send("show my shopping list");

  const { state } = await assistant.send(message);

  expect(state.effects).toHaveLength(changed);
});

test.each([
  ["plan three dinners", { date: "2026-01-13", slot: "dinner", title: "soup" }],
  ["the same for tomorrow", { date: "2026-01-13", slot: "dinner", title: "soup" }],
])("a new row that was asked for needs no question: %s", async (message, values) => {
  const assistant = await assist({
    understand: [CHANGE],
    think: [{ steps: [write("meal_plans")], calls: [add("meal", values)] }],
  });

  const { state } = await assistant.send(message);

  expect(state.effects.map(({ action }) => action)).toEqual(["created"]);
});

/** Puts two of each on the shopping list, in one call. */
function addTwoOfEach(names: readonly string[]): RowCall {
  const rows = names.map((name) => [name, 2]);
  return makeRowCall({
    do: "create",
    type: "shopping",
    set: { columns: ["name", "quantity"], rows },
  });
}

describe("a new row of which the message has no word", () => {
  test.each<[string, readonly string[]]>([
    ["add rice to the shopping list", ["rice", "caviar"]],
    ["please add two rice to my list", ["rice", "caviar"]],
    ["setze Reis und Eier auf die Einkaufsliste", ["Reis", "Eier", "Kaviar"]],
    ["ajoute du riz à la liste", ["riz", "caviar"]],
    ["add semi skimmed milk to the shopping list", ["caviar"]],
    ["setze Milch auf die Liste", ["Kaviar"]],
  ])("is a question where all words name others: %s", async (message, names) => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ steps: [write("shopping")], calls: [addTwoOfEach(names)] }],
    });

    const { reply, state } = await assistant.send(message);

    expect(reply).toMatch(/\bc?k?aviar\b.*\?$/iu);
    expect(state.effects).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ["add rice and basmati to the shopping list", ["rice", "basmati"]],
    ["add what I need for pancakes to the list", ["flour", "eggs"]],
    ["add eggs to the list, and what else pancakes need", ["eggs", "flour"]],
    ["add some vegetables to the list", ["vegetable stock", "carrots"]],
    ["add rice and vegetables to the list", ["rice", "carrots"]],
    ["put the ingredients of the egg fried rice on the list", ["eggs", "rice", "peas"]],
    ["add three things to the list, rice too", ["rice", "peas", "salt"]],
    ["add rice and all of that to the list", ["rice", "peas"]],
    ["add spuds and rice to the list", ["potatoes", "rice"]],
    ["setze Reis und Obst auf die Liste", ["Reis", "Äpfel"]],
    ["setze Reis und so weiter auf die Liste", ["Reis", "Salz"]],
    ["ajoute du riz et des légumes à la liste", ["riz", "carottes"]],
  ])("needs no question where a word may mean it: %s", async (message, names) => {
    const assistant = await assist({
      understand: [CHANGE],
      think: [{ steps: [write("shopping")], calls: [addTwoOfEach(names)] }],
    });

    const { state } = await assistant.send(message);

    expect(state.effects.map(({ label }) => label)).toEqual(names);
  });
});

test("a thing that advice has named can be pointed back at", async () => {
  const assistant = await assist({
    understand: [{ needs: "talk" }, CHANGE],
    think: [{ steps: [write("shopping")], calls: [add("shopping", { name: "oat milk" })] }],
    reply: ["Oat milk would do for both of you."],
  });
  await assistant.send("what could replace cream?");

  const { reply } = await assistant.send("sounds good, add it");

  expect(reply).toBe("Added: oat milk");
});

test("an allergy that makes room for another is a question", async () => {
  const assistant = await assist({
    understand: [show("member"), CHANGE],
    think: [{ steps: [write("members")], calls: [update("member_1", { allergies: ["kiwi"] })] }],
  });
  await assistant.send("show members");

  const { reply, state } = await assistant.send("Anna is allergic to kiwi");

  expect(reply).toBe(
    "This changes 1 member: Anna (allergies: peanuts → kiwi). You can undo it for 30 days. Do it?",
  );
  expect(state.effects).toEqual([]);
});

test("a question beside a change is answered below its receipt", async () => {
  const assistant = await assist({
    understand: [CHANGE],
    think: [{ steps: [write("shopping")], calls: [add("shopping", { name: "figs" })] }],
    reply: ["There are six eggs."],
  });

  const { reply } = await assistant.send("add figs. how many eggs are there?");

  expect(reply).toBe("Added: figs\n\nThere are six eggs.");
});

test("a look-up that has failed is answered by code, whatever the step's model claims", async () => {
  const where = [{ column: "due_on", op: "<" as const, value: "soon" }];
  const models = scriptedRoles({
    understand: [
      { json: understandAnswer({ needs: "look", look: makeRowRead({ type: "task", where }) }) },
    ],
    act: [complete("Nothing is due."), complete("Nothing is due.")],
  });

  const { reply } = await (await testAssistant({ database, models })).send("what is due soon?");

  expect(reply).toBe("I could not look up the tasks: “soon” does not fit “due on”.");
});

test("a look-up that names an excluded row shows it to the model that replies", async () => {
  const assistant = await assist({
    understand: [
      show("recipe"),
      {
        needs: "talk",
        curation: makeCuration({ demote: [{ ref: "recipe_1", reason: "no cod" }] }),
      },
      { needs: "look", look: makeRowRead({ type: "recipe", refs: ["recipe_1"] }) },
    ],
    reply: ["No cod.", "Here it is."],
  });
  await assistant.send("what recipes are there");
  await assistant.send("no cod this week");

  await assistant.send("show the recipe for lemon butter cod");

  const prompt = assistant.models.reply.requests
    .at(-1)
    ?.messages.map(({ text }) => text)
    .join("\n");
  expect(prompt).toMatch(/^recipe_1\n  name: Lemon Butter Cod$/mu);
  expect(prompt).toMatch(/^recipe_1 was left out: no cod$/mu);
});
