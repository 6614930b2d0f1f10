import { expect, test } from "vitest";
import type { Budget } from "../../state/budget.ts";
import type { ModelRequest } from "../../state/model.ts";
import { testDatabase } from "../support/database.ts";
import { repliesIn, testThread, type Behaviour } from "../support/test-thread.ts";
import { NARRATIVE_ANSWER, thinkAnswer, understandAnswer } from "../support/turn-state.ts";

const database = await testDatabase();

/** Every call takes 500 tokens and costs $0.10: a turn has four, three of them before its reply ends. */
const COST = {
  usage: { input: 400, cached: 0, output: 100 },
  call: {
    model: "dear",
    endpoint: "https://models.example/v1",
    ms: 20,
    reasoning: 0,
    costMicros: 100_000,
    mended: [],
    learned: [],
  },
};
const BEHAVIOUR: Behaviour = {
  understand: () => ({ json: understandAnswer(), ...COST }),
  think: () => ({ json: thinkAnswer({ decision: "answer", steps: [] }), ...COST }),
  reply: () => ({ text: "Gladly.", ...COST }),
  summarize: () => ({ json: NARRATIVE_ANSWER, ...COST }),
};

async function openWith(thread: Budget["thread"]) {
  const opened = await testThread(database, {
    behaviour: BEHAVIOUR,
    lanes: { task: true, concierge: false },
    budget: { turn: null, thread },
  });
  const say = async (text: string): Promise<string | undefined> =>
    repliesIn(await opened.send(text)).at(-1);
  return { ...opened, say };
}

function readMessage({ messages }: ModelRequest): string {
  const texts = messages.map(({ text }) => text).join("\n");
  return /## Message\s*<message>\s*([^]*?)\s*<\/message>/u.exec(texts)?.[1] ?? "";
}

const MONEY = { micros: 350_000 };
const ASKED = "This conversation has used $0.40 of $0.35. Go on with another $0.35?";

test("a thread says once that most of its budget is used, and asks before the next call", async () => {
  const thread = await openWith(MONEY);
  const { say, requests } = thread;

  expect(await say("hello")).toBe("Gladly.\n\n(This conversation has used $0.30 of $0.35.)");
  const calls = requests.length;
  expect(await say("what is for dinner?")).toBe(ASKED);
  expect(await say("well, what?")).toBe(ASKED);
  expect(await say("what is for dinner?\nwell, what?")).toBe(ASKED);

  expect(requests).toHaveLength(calls);
  expect((await thread.state()).pending).toEqual({
    kind: "budget",
    text: ASKED,
    message: "what is for dinner?\nwell, what?",
    waiting: null,
    turn: 4,
  });
});

test("a plain yes raises a thread's budget once and answers the message that was kept", async () => {
  const thread = await openWith(MONEY);
  const { say, requests } = thread;
  await say("hello");
  await say("what is for dinner?");

  expect(await say("Yes, please!")).toBe("Gladly.\n\n(This conversation has used $0.70 of $0.70.)");

  const read = requests.filter(({ role }) => role === "understand").map(readMessage);
  expect(read).toEqual(["hello", "what is for dinner?"]);
  expect(await thread.state()).toMatchObject({
    pending: null,
    threadBudget: { raises: 1, warned: true },
  });
  expect(await say("and tomorrow?")).toBe(
    "This conversation has used $0.80 of $0.70. Go on with another $0.35?",
  );
});

test("a plain no keeps the message of a thread that has used its budget up", async () => {
  const { say, requests } = await openWith(MONEY);
  await say("hello");
  await say("what is for dinner?");
  const calls = requests.length;

  expect(await say("no")).toBe(
    "Then I stop here. Your message is kept: say yes to go on with another $0.35.",
  );
  expect(requests).toHaveLength(calls);

  await say("ok");
  expect(readMessage(requests.filter(({ role }) => role === "understand")[1] ?? empty())).toBe(
    "what is for dinner?",
  );
});

test("a decision answers no question about a budget: it is put again, and the message is kept", async () => {
  const thread = await openWith(MONEY);
  const { say, requests } = thread;
  await say("hello");
  await say("what is for dinner?");
  const calls = requests.length;

  for (const [type, text] of [
    ["approve", "Yes."],
    ["reject", "No."],
  ] as const) {
    const decision = { confirmation: "confirm_1_1", type };
    expect(repliesIn(await thread.send(text, { decision }))).toEqual([ASKED]);
  }

  expect(requests).toHaveLength(calls);
  expect((await thread.state()).pending).toMatchObject({
    kind: "budget",
    message: "what is for dinner?",
  });
});

function empty(): ModelRequest {
  throw new Error("Cannot read a message: no model was asked");
}

test("a thread's budget of tokens counts input and output", async () => {
  const { say } = await openWith({ tokens: 2_000 });

  expect(await say("hello")).toBe("Gladly.");
  expect(await say("hello again")).toBe(
    "This conversation has used 2,000 tokens of 2,000 tokens. Go on with another 2,000 tokens?",
  );
});

test("a plain yes goes on where a turn has used more than one raise allows", async () => {
  const thread = await openWith({ tokens: 900 });
  const { say } = thread;
  await say("hello");

  expect(await say("hello again")).toBe(
    "This conversation has used 2,000 tokens of 900 tokens. Go on with another 900 tokens?",
  );
  expect(await say("yes")).toMatch(/^Gladly\./u);
  expect((await thread.state()).pending).toBeNull();
});

test("a question that waited when a thread's budget was used up is answered after the yes", async () => {
  const opened = await openWith(MONEY);
  const question = {
    kind: "question",
    text: "Which one?",
    options: [],
    waives: [],
    turn: 1,
  } as const;
  await opened.say("hello");
  const config = { configurable: { thread_id: opened.run.threadId } };
  await opened.graph.updateState(config, { pending: question }, "finish");

  await opened.say("the red one");
  expect((await opened.state()).pending).toMatchObject({ kind: "budget", waiting: question });

  await opened.say("yes");
  const [prompt] = opened.requests.filter(({ role }) => role === "understand").slice(-1);
  expect(prompt?.messages.at(-1)?.text).toContain("question: Which one?");
});

test("spending has what the turns of a thread have cost, by day", async () => {
  const { say, run } = await openWith(null);
  await say("hello");
  await say("hello again");

  const { rows } = await database.owner.query(
    "select * from spending where thread_id = $1 and user_id = $2",
    [run.threadId, run.userId],
  );
  expect(rows.map(({ day: _day, ...row }) => row)).toEqual([
    {
      user_id: run.userId,
      thread_id: run.threadId,
      input_tokens: 3_200,
      cached_tokens: 0,
      output_tokens: 800,
      cost_micros: 800_000,
    },
  ]);
});
