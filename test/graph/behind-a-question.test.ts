import { expect, test } from "vitest";
import type { ModelRequest } from "../../state/model.ts";
import { renderSentence } from "../../text/sentences.ts";
import { testDatabase } from "../support/database.ts";
import { namesIn } from "../support/fresh-kitchen.ts";
import { repliesIn, testThread, type TestThread } from "../support/test-thread.ts";
import {
  makeRowCall,
  makeStep,
  setRow,
  thinkAnswer,
  understandAnswer,
} from "../support/turn-state.ts";

const database = await testDatabase();

const ORDER = "delete all my recipes, then put napkins on my shopping list";
const OTHER = "rather only the fish";
const ADD = "Put napkins on the shopping list";
const REST = `${renderSentence("restBehind", { rest: ADD })}\n1. Add shopping list lines: ${ADD}`;

const PROPOSAL = thinkAnswer({
  decision: "propose",
  proposal: "Shall I delete two?",
  steps: [makeStep({ description: "Delete two", stepType: "write", subdomain: "recipes" })],
});

/** A deletion that is asked about, and an addition that comes after it. */
const PLAN = thinkAnswer({
  steps: [
    makeStep({ description: "Delete the recipes", stepType: "write", subdomain: "recipes" }),
    makeStep({ description: ADD, stepType: "write", subdomain: "shopping", group: 2 }),
  ],
  calls: [
    makeRowCall({ do: "delete", type: "recipe", step: 0, find: { all: true, where: [] } }),
    makeRowCall({ do: "create", type: "shopping", step: 1, set: setRow({ name: "napkins" }) }),
  ],
});

function readMessage({ messages }: ModelRequest): string {
  const text = messages.map((message) => message.text).join("\n");
  return /## Message[^]*?<message>\s*([^]*?)\s*<\/message>/u.exec(text)?.[1] ?? "";
}

function readAnswer(request: ModelRequest) {
  const message = readMessage(request);
  if (message === OTHER) return { answersPending: "adjust", needs: "change" } as const;
  if (message === "yes") return { answersPending: "accept" } as const;
  if (message === "no") return { answersPending: "reject", needs: "talk" } as const;
  return { needs: message === ORDER ? "change" : "talk" } as const;
}

async function askBoth(adjusted = PROPOSAL) {
  const thread = await testThread(database, {
    behaviour: {
      understand: (request) => ({ json: understandAnswer(readAnswer(request)) }),
      think: (request) => ({ json: readMessage(request) === OTHER ? adjusted : PLAN }),
    },
  });
  return { thread, asked: repliesIn(await thread.send(ORDER)).at(-1) };
}

function countRecipes({ run }: TestThread): Promise<number> {
  return namesIn(database, { table: "recipes", userId: run.userId }).then(({ length }) => length);
}

async function hasNapkins({ run }: TestThread): Promise<boolean> {
  const names = await namesIn(database, { table: "shopping_list", userId: run.userId });
  return names.includes("napkins");
}

test("an order behind a question is proposed once that has its yes, and carried out on the next", async () => {
  const { thread, asked } = await askBoth();

  const [first] = repliesIn(await thread.send("yes"));
  const before = await hasNapkins(thread);
  const [second] = repliesIn(await thread.send("yes"));

  expect(asked).toContain(
    `Not done: Add shopping list lines (${renderSentence("stepBehindConfirmation")})`,
  );
  expect(first).toMatch(/^Deleted: /u);
  expect(first).toContain(`\n\n${REST}`);
  expect([before, await countRecipes(thread)]).toEqual([false, 0]);
  expect(second).toMatch(/^Added: napkins/u);
  expect([await hasNapkins(thread), (await thread.state()).pending]).toEqual([true, null]);
});

test("an order behind a question is proposed where that has a no", async () => {
  const { thread } = await askBoth();

  const [declined] = repliesIn(await thread.send("no"));
  const [agreed] = repliesIn(await thread.send("yes"));

  expect(declined).toBe(REST);
  expect(agreed).toMatch(/^Added: napkins/u);
  expect([await countRecipes(thread), await hasNapkins(thread)]).toEqual([9, true]);
});

test("an order behind a question that is asked again waits for the answer to it", async () => {
  const { thread } = await askBoth();
  await database.owner.query(
    "update recipes set servings = 7 where user_id = $1 and name = 'Cod Tacos'",
    [thread.run.userId],
  );

  const [again] = repliesIn(await thread.send("yes"));
  const [first] = repliesIn(await thread.send("yes"));
  await thread.send("yes");

  expect(again).toMatch(/^Since I asked, this has changed: Cod Tacos\./u);
  expect(again).not.toContain("napkins");
  expect(first).toContain(REST);
  expect([await countRecipes(thread), await hasNapkins(thread)]).toEqual([0, true]);
});

test("an order behind a question is proposed after an adjustment of which nothing comes", async () => {
  const { thread } = await askBoth({ ...PROPOSAL, steps: [] });

  expect(repliesIn(await thread.send(OTHER))).toEqual([
    `${renderSentence("nothingChanged")}\n\n${REST}`,
  ]);
});

test("an order behind a question is dropped with it", async () => {
  const { thread } = await askBoth();

  await thread.send("hm");
  await thread.send("well");

  expect((await thread.state()).pending).toBeNull();
  expect([await countRecipes(thread), await hasNapkins(thread)]).toEqual([9, false]);
});

test("an order behind a question is dropped with a word where an adjustment is asked about", async () => {
  const { thread } = await askBoth();

  const [adjusted] = repliesIn(await thread.send(OTHER));

  const wording = REST.replace("\n", " ");
  expect(adjusted).toContain(renderSentence("confirmationDropped", { wording }));
  expect((await thread.state()).pending).toMatchObject({
    kind: "proposal",
    text: expect.stringMatching(/^Shall I delete two\?/u),
  });
});
