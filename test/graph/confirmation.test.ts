import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { Json } from "../../state/json.ts";
import type { ModelRequest } from "../../state/model.ts";
import type { PlanStep } from "../../state/plan.ts";
import { testDatabase } from "../support/database.ts";
import { appliedWrites, namesIn } from "../support/fresh-kitchen.ts";
import { adding, call, calls } from "../support/step-script.ts";
import { repliesIn, testThread, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { makeStep, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** A model that plans one write step for every message, and makes the same call in it. */
function writing(tool: string, args: Json): Behaviour {
  return {
    understand: (request) => ({ json: understandAnswer(readAnswer(request)) }),
    think: () => ({
      json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "recipes" })] }),
    }),
    act: () => call(tool, args),
  };
}

/** Reads what the person wrote from a prompt. */
function readMessage({ messages }: ModelRequest): string | undefined {
  return /## Message[^]*?<message>\s*([^]*?)\s*<\/message>/u.exec(
    messages.map(({ text }) => text).join("\n"),
  )?.[1];
}

/** Reads a plain yes or no as the answer to what is pending. */
function readAnswer(request: ModelRequest) {
  const message = readMessage(request);
  if (message === "yes") return { answersPending: "accept" as const };
  if (message === "no") return { answersPending: "reject" as const };
  if (message === "hm" || message === "well") return { needs: "talk" as const };
  return { needs: /delete|change/u.test(message ?? "") ? ("change" as const) : ("work" as const) };
}

function recipes({ run }: TestThread): Promise<string[]> {
  return namesIn(database, { table: "recipes", userId: run.userId });
}

const END = ["complete_step", { resultSummary: "Added", noteForNextStep: null, refs: [] }] as const;

const DELETE_ALL = { refs: [], all: "recipe" };

describe("a deletion that nobody named", () => {
  test("is not carried out: the person is asked, and nothing is stored", async () => {
    const thread = await testThread(database, { behaviour: writing("delete_rows", DELETE_ALL) });

    const events = await thread.send("thanks");

    expect(await recipes(thread)).toHaveLength(9);
    expect(repliesIn(events).at(-1)).toMatch(
      /^Gladly\.\n\nThis deletes 9 recipes: Lemon Butter Cod \(cod fillet, potatoes, lemons, 35 min\), .*, Black Bean Chili \(black beans, chopped tomatoes, bell peppers, 50 min\); 65 ingredients go with it; 5 planned meals change with it; 2 cooking log entries change with it\. .* Do it\?$/u,
    );
    expect((await thread.state()).pending).toMatchObject({
      kind: "confirmation",
      id: "confirm_1_1",
    });
    expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
      rules: [
        "delete recipe: not asked for",
        "delete recipe: more than 3",
        "delete recipe: not named",
        "delete recipe: other rows go with it",
      ],
    });
  });

  test("is carried out on yes, without asking a model what to do", async () => {
    const thread = await askToDelete();
    const before = thread.requests.length;

    const events = await thread.send("yes");

    expect(await recipes(thread)).toEqual([]);
    expect(thread.requests.length - before).toBe(1);
    expect(repliesIn(events).at(-1)).toMatch(/^Deleted: .*Cod Tacos/u);
    expect(events.find(({ type }) => type === "confirmation-end")).toMatchObject({
      id: "confirm_1_1",
      answer: "accepted",
    });
    expect((await thread.state()).pending).toBeNull();
  });

  test("is not carried out where a row has changed since it was listed", async () => {
    const thread = await askToDelete();
    await database.owner.query(
      "update recipes set servings = 7 where user_id = $1 and name = 'Cod Tacos'",
      [thread.run.userId],
    );

    const events = await thread.send("yes");

    expect(await recipes(thread)).toHaveLength(9);
    expect(repliesIn(events).at(-1)).toMatch(
      /^Since I asked, this has changed: Cod Tacos\. This deletes 9 recipes: /u,
    );
    expect((await thread.state()).pending).toMatchObject({
      kind: "confirmation",
      id: "confirm_2_1",
    });
  });

  test("of which a row is gone by the yes is asked about anew for the rest; of which all are, is not done, with the reason", async () => {
    const remove = (name: string) =>
      database.owner.query("delete from recipes where user_id = $1 and name = $2", [
        thread.run.userId,
        name,
      ]);
    const behaviour = writing("delete_rows", { refs: ["recipe_1", "recipe_2"], all: null });
    const thread = await testThread(database, {
      behaviour: {
        ...behaviour,
        act: ({ messages }) =>
          messages.length > 2
            ? call("delete_rows", { refs: ["recipe_1", "recipe_2"], all: null })
            : call("read_recipes", {}),
      },
    });
    await thread.send("thanks");
    await remove("Cod Tacos");

    const [again] = repliesIn(await thread.send("yes"));
    await remove("Lemon Butter Cod");
    const last = repliesIn(await thread.send("yes"));

    expect(again).toMatch(
      /^Since I asked, this was deleted: Cod Tacos\. .*This deletes 1 recipe: Lemon Butter Cod .*Do it\?$/u,
    );
    expect(last).toEqual([
      "Not done: Lemon Butter Cod (it no longer exists)\nNothing was changed.",
    ]);
    expect((await thread.state()).pending).toBeNull();
    expect(await recipes(thread)).toHaveLength(7);
  });

  test("is asked about again on a yes that was sent before the question was put", async () => {
    const thread = await askToDelete();
    await database.owner.query("update recipes set servings = 7 where user_id = $1", [
      thread.run.userId,
    ]);

    // A double click: the second yes waits while the first finds that the rows have changed.
    const clicks: Promise<unknown>[] = [];
    const events: TurnEvent[] = [];
    await thread.send("yes", {
      onEvent: (event) => {
        events.push(event);
        if (event.type === "turn-start" && clicks.length === 0) clicks.push(thread.send("yes"));
      },
    });
    await clicks[0];

    expect(await recipes(thread)).toHaveLength(9);
    expect(repliesIn(events).at(-1)).toMatch(/^This deletes 9 recipes: .* Do it\?$/u);
    expect(events.filter(({ type }) => type === "confirmation-end")).toMatchObject([
      { id: "confirm_1_1", answer: "accepted" },
      { id: "confirm_2_1", answer: "expired" },
    ]);
    expect((await thread.state()).pending).toMatchObject({ id: "confirm_3_1" });

    await thread.send("yes");
    expect(await recipes(thread)).toEqual([]);
  });

  test("waits for one more message, and is dropped with the second, which is said", async () => {
    const behaviour = writing("delete_rows", DELETE_ALL);
    const think: Behaviour["think"] = (request) =>
      readMessage(request) === "thanks" ? (behaviour.think?.(request) ?? null) : null;
    const thread = await testThread(database, { behaviour: { ...behaviour, think } });
    await thread.send("thanks");

    await thread.send("hm");
    const { pending } = await thread.state();
    const events = await thread.send("well");

    expect(pending).toMatchObject({ kind: "confirmation", id: "confirm_1_1" });
    expect(repliesIn(events).at(-1)).toMatch(
      /I have dropped my question, .*This deletes 9 recipes/u,
    );
    expect((await thread.state()).pending).toBeNull();
    expect(await recipes(thread)).toHaveLength(9);
  });
});

/** Reads every message after the first as this answer to what is pending. */
function misreading(given: Json): Behaviour {
  return {
    ...writing("delete_rows", DELETE_ALL),
    understand: (request) => ({
      json: readMessage(request) === "thanks" ? understandAnswer() : given,
    }),
    think: (request) =>
      readMessage(request) === "thanks"
        ? { json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "recipes" })] }) }
        : null,
    reply: () => ({ text: "All done, I deleted them." }),
  };
}

/** A thread in which the deletion of all nine recipes waits for an answer. */
async function askToDelete(
  behaviour: Behaviour = writing("delete_rows", DELETE_ALL),
): Promise<TestThread> {
  const thread = await testThread(database, { behaviour });
  await thread.send("thanks");
  return thread;
}

const QUESTION = /This deletes 9 recipes: .* Do it\?$/u;

describe("the person's own words outweigh what a model read", () => {
  const ACCEPT = understandAnswer({ answersPending: "accept", needs: "talk" });

  test.each(["no thanks, leave it", "Nein!"])("%s is no yes", async (message) => {
    const thread = await askToDelete(misreading(ACCEPT));

    const events = await thread.send(message);

    expect(await recipes(thread)).toHaveLength(9);
    expect(events.find(({ type }) => type === "confirmation-end")).toMatchObject({
      answer: "rejected",
    });
    expect((await thread.state()).pending).toBeNull();
  });

  test.each(["what would that cost?", "which ones are those"])(
    "%s is answered, and the question is put again below",
    async (message) => {
      const thread = await askToDelete(misreading(ACCEPT));

      const reply = repliesIn(await thread.send(message)).at(-1);

      expect(await recipes(thread)).toHaveLength(9);
      expect(reply).toMatch(/^All done, I deleted them\.\n\nNothing was changed\.\n\n/u);
      expect(reply).toMatch(QUESTION);
      await thread.send("yes");
      expect(await recipes(thread)).toEqual([]);
    },
  );

  test.each(["no, do it", "no more questions, just delete them"])(
    "%s is asked about again, as often as it takes, without a model's words",
    async (message) => {
      const thread = await askToDelete(misreading(ACCEPT));

      for (const _ of [1, 2, 3]) {
        expect(repliesIn(await thread.send(message)).at(-1)).toMatch(
          new RegExp(`^${QUESTION.source}`, "u"),
        );
      }
      expect(await recipes(thread)).toHaveLength(9);
      await thread.send("no");
      expect((await thread.state()).pending).toBeNull();
    },
  );

  test.each([
    "sure, why not?",
    "delete them, thanks",
    "yes please, delete those dishes too",
    "そうしてください",
  ])("%s stays the yes that it was read as", async (message) => {
    const thread = await askToDelete(misreading(ACCEPT));

    await thread.send(message);

    expect(await recipes(thread)).toEqual([]);
  });

  test.each<[string, readonly string[]]>([
    ["yes, and add a soup to my recipes", ["Nothing was changed."]],
    [
      "could you add a soup?",
      ["Nothing was changed.", "All done, I deleted them.", "Nothing was changed."],
    ],
    ["please don't delete them, add a soup", ["Nothing was changed."]],
  ])(
    "%s orders more than the question is about: the order is planned, the question put again",
    async (message, above) => {
      const thread = await askToDelete(misreading(ACCEPT));

      const reply = repliesIn(await thread.send(message)).at(-1) ?? "";

      const parts = reply.split("\n\n");
      expect(parts.slice(0, -1)).toEqual(above);
      expect(parts.at(-1)).toMatch(QUESTION);
      expect(thread.requests.filter(({ role }) => role === "think")).toHaveLength(2);
      await thread.send("yes");
      expect(await recipes(thread)).toEqual([]);
    },
  );

  test.each(["I had pizza for lunch", "my sister comes over on Sundays"])(
    "%s is no yes: the question is put again",
    async (message) => {
      const thread = await askToDelete(misreading(ACCEPT));

      expect(repliesIn(await thread.send(message)).at(-1)).toMatch(QUESTION);

      expect(await recipes(thread)).toHaveLength(9);
    },
  );

  test("an order that changes only a number adjusts the question, which is planned anew", async () => {
    const thread = await askToDelete(misreading(ACCEPT));

    const events = await thread.send("yes please, delete 3 of them");

    expect(events.find(({ type }) => type === "confirmation-end")).toMatchObject({
      answer: "adjusted",
    });
    expect(await recipes(thread)).toHaveLength(9);
  });

  test("a question that takes the place of another says so", async () => {
    const behaviour = misreading(understandAnswer());
    const think: Behaviour["think"] = (request) =>
      behaviour.think?.(request) ?? {
        json: thinkAnswer({ decision: "clarify", questions: ["Which soup?"] }),
      };
    const thread = await testThread(database, { behaviour: { ...behaviour, think } });
    await thread.send("thanks");

    const reply = repliesIn(await thread.send("a soup")).at(-1);

    expect(reply).toMatch(
      /I have dropped my question, [^\n]*This deletes 9 recipes[^\n]*\n\nWhich soup\?$/u,
    );
    await thread.send("yes");
    expect(await recipes(thread)).toHaveLength(9);
  });

  const { extras } = ACCEPT;
  test.each<[string, Json]>([
    ["as no answer", { ...ACCEPT, extras: null }],
    ["with nothing in its extras", { ...ACCEPT, extras: {} }],
    ["as another answer", understandAnswer({ answersPending: "other" })],
    ["as a no", understandAnswer({ answersPending: "reject" })],
    ["as advice", understandAnswer({ lane: "concierge", rework: "yes", needs: null })],
    [
      "as an answer that there is none of",
      { ...ACCEPT, extras: { ...extras, answersPending: "maybe" } },
    ],
  ])("a plain yes is one, also where it is read %s", async (_, given) => {
    const thread = await askToDelete(misreading(given));

    const reply = repliesIn(await thread.send("yes")).at(-1);

    expect(await recipes(thread)).toEqual([]);
    expect(reply).toMatch(/^Deleted: [^\n]*Cod Tacos[^\n]*\nChanged: [^\n]*$/u);
  });

  test("a plain yes is to the question that was asked last", async () => {
    const given = { ...ACCEPT, extras: null };
    const thread = await askToDelete(misreading(given));
    await thread.send("hm");

    const again = repliesIn(await thread.send("yes")).at(-1);

    // It may have been said to something else.
    expect(await recipes(thread)).toHaveLength(9);
    expect(again).toMatch(new RegExp(`^${QUESTION.source}`, "u"));
    await thread.send("yes");
    expect(await recipes(thread)).toEqual([]);
  });

  test("a plain yes after another question is what a model read", async () => {
    const given = { ...ACCEPT, extras: null };
    const thread = await testThread(database, {
      behaviour: { ...misreading(given), reply: () => ({ text: "Shall I show you a recipe?" }) },
    });
    await thread.send("thanks");
    await thread.send("hm");

    const reply = repliesIn(await thread.send("yes")).at(-1);

    expect(reply).toMatch(/^I have dropped my question, .*\n\nShall I show you a recipe\?$/u);
    expect(await recipes(thread)).toHaveLength(9);
  });

  test.each<[string, Json]>([
    ["yes", ACCEPT],
    ["yes", understandAnswer()],
    ["ok", ACCEPT],
  ])("%s, with nothing that waits for it, is told so", async (message, given) => {
    const thread = await testThread(database, { behaviour: misreading(given) });

    expect(repliesIn(await thread.send(message)).at(-1)).toBe(
      "No question of mine waits for a yes, so I have done nothing. What shall I do?",
    );
    expect(thread.requests.map(({ role }) => role)).toEqual(["understand", "summarize"]);
  });

  test("an ok that only acknowledges is answered in words", async () => {
    const thread = await testThread(database, { behaviour: misreading(understandAnswer()) });

    expect(repliesIn(await thread.send("ok, thanks")).at(-1)).toMatch(/^All done, /u);
  });
});

test("a deletion of what the person has named needs no question", async () => {
  const where = [{ column: "name", op: "=", value: "Cod Tacos" }];
  const thread = await testThread(database, {
    behaviour: {
      ...writing("delete_rows", { refs: ["recipe_1"] }),
      act: (request) =>
        request.messages.length > 2
          ? call("delete_rows", { refs: ["recipe_1"] })
          : call("read_recipes", { where }),
    },
  });

  await thread.send("please delete the cod tacos");

  expect(await recipes(thread)).toHaveLength(8);
});

test("a deletion of what the person has named is asked about where a planned meal loses it", async () => {
  const where = [{ column: "name", op: "=", value: "Cod Tacos" }];
  const thread = await testThread(database, {
    behaviour: {
      ...writing("", {}),
      act: ({ messages }) =>
        messages.length > 2
          ? call("delete_rows", { refs: ["recipe_1"] })
          : call("read_recipes", { where }),
    },
  });
  await database.owner.query(
    `insert into meal_plans (user_id, date, slot, recipe_id)
     select user_id, '2026-01-13', 'dinner', id from recipes where user_id = $1 and name = 'Cod Tacos'`,
    [thread.run.userId],
  );

  const events = await thread.send("please delete the cod tacos");

  expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
    rules: ["delete recipe: other rows go with it"],
  });
  expect(await recipes(thread)).toHaveLength(9);
});

test("a deletion of a row in words that ask for no change is asked about", async () => {
  const thread = await testThread(database, {
    behaviour: {
      ...writing("delete_rows", { refs: ["recipe_1"] }),
      understand: () => ({ json: understandAnswer() }),
      act: (request) =>
        request.messages.length > 2
          ? call("delete_rows", { refs: ["recipe_1"] })
          : call("read_recipes", { where: [{ column: "name", op: "=", value: "Cod Tacos" }] }),
    },
  });

  await thread.send("do not delete the cod tacos");

  expect(await recipes(thread)).toHaveLength(9);
  expect((await thread.state()).pending).toMatchObject({ kind: "confirmation" });
});

async function countIngredients({ run }: TestThread): Promise<unknown> {
  const { rows } = await database.owner.query(
    `select count(*)::int as count from recipe_ingredients i join recipes r on r.id = i.recipe_id
      where r.user_id = $1 and r.name = 'Cod Tacos'`,
    [run.userId],
  );
  return rows[0]?.["count"];
}

describe("an update that takes ingredients out of a recipe", () => {
  const where = [{ column: "name", op: "=", value: "Cod Tacos" }];
  const behaviour: Behaviour = {
    ...writing("", {}),
    act: ({ messages }) =>
      messages.length > 2
        ? call("update_recipes", { refs: ["recipe_1"], set: { ingredients: [] }, clear: [] })
        : call("read_recipes", { where }),
  };
  test("is asked about where the person has not named them", async () => {
    const thread = await testThread(database, { behaviour });
    const before = await countIngredients(thread);

    const events = await thread.send("change the cod tacos");

    expect(repliesIn(events).at(-1)).toMatch(
      /^This changes 1 recipe: Cod Tacos \(ingredients: cod .* → none\)\./u,
    );
    expect(await countIngredients(thread)).toBe(before);
    await thread.send("yes");
    expect(await countIngredients(thread)).toBe(0);
  });
});

test("a deletion of the milk asks where the person has named the oat milk", async () => {
  const where = [{ column: "name", op: "contains", value: "milk" }];
  const thread = await testThread(database, {
    behaviour: {
      ...writing("", {}),
      think: () => ({
        json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "inventory" })] }),
      }),
      act: ({ messages }) =>
        messages.length > 2
          ? call("delete_rows", { refs: ["inv_3"] })
          : call("read_inventory_items", { where }),
    },
  });
  await database.owner.query("insert into inventory (user_id, name) values ($1, 'oat milk')", [
    thread.run.userId,
  ]);

  const events = await thread.send("remove the oat milk");

  expect(repliesIn(events).at(-1)).toContain(
    "This deletes 1 inventory item: milk (500 ml, fridge, until 2026-01-16).",
  );
  const left = await namesIn(database, { table: "inventory", userId: thread.run.userId });
  expect(left).toEqual(expect.arrayContaining(["milk", "oat milk"]));
});

const LEAD = "Shall I make room for the guests?";
const IN_FRIDGE = [{ column: "location", op: "=", value: "fridge" }];

/** Reads the fridge in a first turn; proposes these steps for every message after it. */
function proposing(steps: PlanStep[], refs: readonly string[], lead: string): Behaviour {
  const looks: PlanStep[] = [makeStep({ subdomain: "inventory", description: "Look" })];
  return {
    ...writing("delete_rows", { refs, all: null }),
    think: (request) => ({
      json:
        readMessage(request) === "what is in the fridge?"
          ? thinkAnswer({ steps: looks })
          : thinkAnswer({ decision: "propose", proposal: `${lead}\n- nothing else`, steps }),
    }),
    act: (request) => {
      const isLook = request.messages.some(({ text }) => text.includes("Look"));
      if (!isLook) return call("delete_rows", { refs, all: null });
      return request.messages.length > 2
        ? call(...END)
        : call("read_inventory_items", { where: IN_FRIDGE });
    },
  };
}

async function propose(steps: PlanStep[], refs: readonly string[], lead = LEAD) {
  const thread = await testThread(database, { behaviour: proposing(steps, refs, lead) });
  await thread.send("what is in the fridge?");
  const proposed = await thread.send("we have guests on Saturday");
  return { thread, proposed: repliesIn(proposed) };
}

function listStock({ run }: TestThread): Promise<string[]> {
  return namesIn(database, { table: "inventory", userId: run.userId });
}

describe("a proposal waits as a confirmation does", () => {
  const milk = makeStep({
    description: "Delete the milk",
    stepType: "write",
    subdomain: "inventory",
    writes: [{ action: "delete", type: "inventory", refs: ["inv_1"] }],
  });

  async function proposeThenWait() {
    const { thread, proposed } = await propose([milk], ["inv_1"]);
    await thread.send("hm");
    return { thread, proposed, before: await listStock(thread) };
  }

  test("for one more message; a yes after that puts the question again, since it may be meant for what came between", async () => {
    const { thread, before, proposed } = await proposeThenWait();

    const again = repliesIn(await thread.send("yes"));
    const unchanged = await listStock(thread);
    await thread.send("yes");

    expect(again).toEqual([expect.stringContaining(proposed[0]?.split("\n\n").at(-1) ?? "none")]);
    expect(unchanged).toEqual(before);
    expect(await listStock(thread)).toHaveLength(before.length - 1);
  });

  test("and is dropped with the second, which is said; a yes after that is told that nothing waits", async () => {
    const { thread, before } = await proposeThenWait();

    const dropped = repliesIn(await thread.send("well")).at(-1);
    const late = repliesIn(await thread.send("yes")).at(-1);

    expect(dropped).toMatch(
      /^I have dropped my question, since it was not answered: Shall I make room for the guests\? 1\. Delete .+: Delete the milk\n\nGladly\.$/u,
    );
    expect(late).toMatch(/^No question of mine waits for a yes/u);
    expect(await listStock(thread)).toEqual(before);
  });
});

describe("a yes to a proposal", () => {
  test("covers the rows that the proposal lists, however many they are", async () => {
    const refs = ["inv_1", "inv_2", "inv_3", "inv_4", "inv_5"];
    const steps = [
      makeStep({
        description: "Clear the fridge",
        stepType: "write",
        subdomain: "inventory",
        writes: [{ action: "delete", type: "inventory", refs }],
      }),
    ];
    const { thread, proposed } = await propose(steps, refs);
    const before = await listStock(thread);

    await thread.send("yes");

    const left = await listStock(thread);
    const gone = before.filter((name) => !left.includes(name));
    expect(gone).toHaveLength(5);
    expect(proposed).toHaveLength(1);
    expect(proposed[0]).toMatch(
      /^Nothing has been changed yet\.\n\nShall I make room for the guests\?\n1\. Delete .+: Clear the fridge$/u,
    );
    expect(gone.filter((name) => !proposed[0]?.includes(name))).toEqual([]);
  });

  test("covers no row that only the model's words about it name", async () => {
    const steps = [
      makeStep({
        description: "Tidy up",
        stepType: "write",
        subdomain: "inventory",
        writes: [{ action: "delete", type: "inventory", refs: [] }],
      }),
    ];
    const { thread } = await propose(
      steps,
      ["inv_1"],
      "Shall I tidy up, and keep the milk and the butter?",
    );
    const before = await listStock(thread);

    const agreed = await thread.send("yes");

    expect(repliesIn(agreed).at(-1)).toMatch(/This deletes 1 inventory item: /u);
    expect(await listStock(thread)).toEqual(before);
  });

  test("covers no deletion beside it, and no row that it does not list", async () => {
    const steps = [
      makeStep({
        description: "Add vegan to the preferences",
        stepType: "write",
        subdomain: "preferences",
        writes: [{ action: "update", type: "preferences", refs: [] }],
      }),
      makeStep({
        description: "Bring the inventory up to date",
        stepType: "write",
        subdomain: "inventory",
        writes: [
          { action: "update", type: "inventory", refs: [] },
          { action: "delete", type: "inventory", refs: ["inv_2"] },
        ],
      }),
    ];
    const { thread, proposed } = await propose(steps, ["inv_1"]);
    const before = await listStock(thread);

    const agreed = await thread.send("yes");

    expect(proposed[0]).toMatch(
      /^Nothing has been changed yet\.\n\nShall I make room for the guests\?\n1\. Change preferences: Add vegan to the preferences\n2\. Change inventory items; Delete .+: Bring the inventory up to date$/u,
    );
    expect(repliesIn(agreed).at(-1)).toMatch(/This deletes 1 inventory item: /u);
    expect(await listStock(thread)).toEqual(before);
  });
});

test("a deletion that the plan does not list is asked about, although the person has named the row", async () => {
  const thread = await testThread(database, {
    behaviour: {
      ...writing("delete_rows", { refs: ["recipe_1"], all: null }),
      think: () => ({
        json: thinkAnswer({
          steps: [
            makeStep({
              stepType: "write",
              writes: [{ action: "update", type: "recipe", refs: [] }],
            }),
          ],
        }),
      }),
      act: (request) =>
        request.messages.length > 2
          ? call("delete_rows", { refs: ["recipe_1"], all: null })
          : call("read_recipes", { where: [{ column: "name", op: "=", value: "Cod Tacos" }] }),
    },
  });

  const events = await thread.send("please change the cod tacos");

  expect(await recipes(thread)).toHaveLength(9);
  expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
    rules: ["delete recipe: not in the plan", "delete recipe: not asked for"],
  });
});

/** Models that delete the Cod Tacos, whatever the message. */
const DELETE_TACOS: Behaviour = {
  understand: () => ({ json: understandAnswer({ needs: "change" }) }),
  think: () => {
    const writes = [{ action: "delete" as const, type: "recipe", refs: [] }];
    return { json: thinkAnswer({ steps: [makeStep({ stepType: "write", writes })] }) };
  },
  act: (request) =>
    request.messages.length > 2
      ? call("delete_rows", { refs: ["recipe_1"], all: null })
      : call("read_recipes", { where: [{ column: "name", op: "=", value: "Cod Tacos" }] }),
};

test.each([
  "add oranges and keep the Cod Tacos",
  "do not delete the Cod Tacos",
  "lösche die Cod Tacos nicht",
  "save the Cod Tacos",
  "show the Cod Tacos",
  "tell me about the Cod Tacos",
  "my sister says that the Cod Tacos are lovely",
  "bitte behalte die Cod Tacos",
  "if the Cod Tacos are old, delete them",
  "my sister wants to delete the Cod Tacos",
])("%s asks for no deletion of what it names: it is a question", async (message) => {
  const thread = await testThread(database, { behaviour: DELETE_TACOS });

  const events = await thread.send(message);

  expect(await recipes(thread)).toHaveLength(9);
  const asked = events.find((event) => event.type === "confirmation");
  expect(asked?.rules).toContain("delete recipe: not asked for");
});

test.each([
  ["the Cod Tacos must stay, delete the oranges", 9],
  ["delete all recipes but the Cod Tacos", 9],
  ["delete the cuisine of the Cod Tacos", 9],
  ["show me the curry and delete the Cod Tacos", 8],
  ["I can't stand fish any more, delete the Cod Tacos", 8],
  ["don't forget to delete the Cod Tacos, not the curry", 8],
])("%s leaves %i recipes, whatever three models read into it", async (message, left) => {
  const thread = await testThread(database, { behaviour: DELETE_TACOS });

  await thread.send(message);

  expect(await recipes(thread)).toHaveLength(left);
});

test("a call that the person has named and confirmed is not asked about again", async () => {
  const thread = await testThread(database, { behaviour: writing("delete_rows", DELETE_ALL) });
  const asked = await thread.send("delete all recipes");

  await thread.send("yes");

  expect(asked.find(({ type }) => type === "confirmation")).toMatchObject({
    rules: [
      "delete recipe: more than 3",
      "delete recipe: not named",
      "delete recipe: other rows go with it",
    ],
  });
  expect(await recipes(thread)).toEqual([]);
});

test.each(["what are my tasks?", "do not touch my to do list", "clear my tasks, please"])(
  "a deletion of all rows is asked about, whatever the words for them: %s",
  async (message) => {
    const thread = await testThread(database, {
      behaviour: {
        ...writing("delete_rows", { refs: [], all: "task" }),
        think: () => ({
          json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "tasks" })] }),
        }),
      },
    });

    const events = await thread.send(message);

    const left = await namesIn(database, { table: "tasks", userId: thread.run.userId });
    expect(left).toHaveLength(3);
    expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
      rules: expect.arrayContaining(["delete task: not named"]),
    });
  },
);

test("a limit holds for all calls of a turn together", async () => {
  const names = "Lemon Butter Cod, Cod Tacos, Chickpea Curry, Mushroom Risotto and French Toast";
  const rounds = [
    call("read_recipes", {}),
    call("delete_rows", { refs: ["recipe_1", "recipe_2", "recipe_3"], all: null }),
    call("delete_rows", { refs: ["recipe_4", "recipe_5"], all: null }),
  ];
  const thread = await testThread(database, {
    behaviour: {
      ...writing("", {}),
      act: ({ messages }) =>
        rounds[messages.filter(({ role }) => role === "tool").length] ?? call(...END),
    },
  });

  // Recipes that are planned or were cooked are asked about for that.
  await database.owner.query("delete from meal_plans where user_id = $1", [thread.run.userId]);
  await database.owner.query("delete from cooking_log where user_id = $1", [thread.run.userId]);

  const events = await thread.send(`delete ${names}`);

  expect(await recipes(thread)).toHaveLength(6);
  expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
    rules: ["delete recipe: more than 3"],
  });
});

test("nine items that a model adds in nine calls of one answer are stored together, as one effect", async () => {
  const items = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"];
  const thread = await testThread(database, {
    behaviour: {
      ...writing("", {}),
      think: () => ({
        json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "shopping" })] }),
      }),
      act: () => calls(...items.map((item) => adding(item)), END),
    },
  });

  await thread.send("change the list: add the nine of them");

  const stored = await namesIn(database, { table: "shopping_list", userId: thread.run.userId });
  expect(items.filter((item) => !stored.includes(item))).toEqual([]);
  expect(await appliedWrites(database, thread.run.threadId)).toBe(1);
});

test("four deletions that a model gives in four calls of one answer are asked about together", async () => {
  const names = ["Lemon Butter Cod", "Cod Tacos", "Chickpea Curry", "Mushroom Risotto"];
  const deletions = names.map(
    (_, index) => ["delete_rows", { refs: [`recipe_${index + 1}`], all: null }] as const,
  );
  const thread = await testThread(database, {
    behaviour: {
      ...writing("", {}),
      act: ({ messages }) =>
        messages.some(({ role }) => role === "tool")
          ? calls(...deletions, END)
          : call("read_recipes", {}),
    },
  });
  await database.owner.query("delete from meal_plans where user_id = $1", [thread.run.userId]);
  await database.owner.query("delete from cooking_log where user_id = $1", [thread.run.userId]);
  const before = await recipes(thread);

  const events = await thread.send(`delete ${names.join(", ")}`);

  expect(await recipes(thread)).toEqual(before);
  expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
    rules: ["delete recipe: more than 3"],
  });
});

test("sixty items that a model adds in sixty calls of one answer are asked about together", async () => {
  const items = Array.from({ length: 60 }, (_, index) => `item ${index}`);
  const thread = await testThread(database, {
    behaviour: {
      ...writing("", {}),
      think: () => ({
        json: thinkAnswer({ steps: [makeStep({ stepType: "write", subdomain: "shopping" })] }),
      }),
      act: () => calls(...items.map((item) => adding(item)), END),
    },
  });

  const events = await thread.send("change the list: add the sixty of them");

  const stored = await namesIn(database, { table: "shopping_list", userId: thread.run.userId });
  expect(items.filter((item) => stored.includes(item))).toEqual([]);
  expect(events.find(({ type }) => type === "confirmation")).toMatchObject({
    rules: ["create shopping: more than 50"],
  });
});
