import { randomUUID } from "node:crypto";
import { RemoveMessage } from "@langchain/core/messages";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "../../app/config.ts";
import { createLog } from "../../app/log.ts";
import { readThread } from "../../cli/thread-state.ts";
import type { TurnEvent } from "../../state/event.ts";
import { createTurnDriver } from "../../driver/turn-driver.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import type { LanguageModel } from "../../state/model.ts";
import type { TurnState } from "../../state/turn.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { acquireLease } from "../../storage/conversations/leases.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { openStudio } from "../../studio/open-studio.ts";
import { testDatabase } from "../support/database.ts";
import { everyRole } from "../support/every-role.ts";
import { readTurnStamp } from "../../state/message-ids.ts";

const database = await testDatabase();
const config = readConfig({ DATABASE_URL: database.url, CONCIERGE_LOG: "silent" });
const studio = await openStudio(config, {
  log: createLog(config),
  door: { origins: [], anyUser: true },
  now: () => new Date("2026-01-12T23:30:00Z"),
});
afterAll(() => studio.close());
const { graph } = studio;
const checkpointer = createCheckpointer(database.pool);
const archive = createTurnArchive(database.pool);
const store = createConversationStore(database.pool, checkpointer);

const SUPPER = "what could I cook this week?";

/** A thread as the dev server runs it: with ids of its own, a message and a context. */
function openThread(threadId: string = randomUUID()) {
  const configurable = { thread_id: threadId, run_id: randomUUID(), graph_id: "concierge" };
  return {
    threadId,
    async say(content: unknown, context?: Readonly<Record<string, unknown>>): Promise<TurnState> {
      const message = { role: "human", content };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What comes over the wire has no type.
      const input = { messages: [message] } as unknown as Parameters<typeof graph.invoke>[0];
      await graph.invoke(input, {
        configurable: { ...configurable, run_id: randomUUID() },
        ...(context === undefined ? {} : { context }),
      });
      return this.state();
    },
    async state(): Promise<TurnState> {
      const { values } = await graph.getState({ configurable: { thread_id: threadId } });
      return values;
    },
    read: (userId: string) =>
      readThread(
        { database, checkpointer, archive, store },
        {
          threadId,
          userId,
          turns: 10,
        },
      ),
  };
}

/** The messages, each as its speaker and its turn. */
function readTexts({ messages }: TurnState): string[] {
  return messages.map((message) => `${message.type} ${readTurnStamp(message)}`);
}

describe("the graph, invoked with a message and a context", () => {
  test("takes the message in once, under its own id, and makes its run", async () => {
    const thread = openThread();

    const state = await thread.say(SUPPER, {
      user: "demo",
      today: "2026-01-05",
      timeZone: "Europe/Vienna",
      locale: "de-AT",
    });

    expect(readTexts(state)).toEqual(["human 1", "ai 1"]);
    expect(state.messages[0]?.text).toBe(SUPPER);
    expect(state.turn).toBe(1);
    expect(state.input).toEqual({ messageId: state.messages[0]?.id, text: SUPPER });
    expect(state.run).toEqual({
      runId: expect.any(String),
      threadId: thread.threadId,
      userId: "demo",
      today: "2026-01-05",
      timeZone: "Europe/Vienna",
      locale: "de-AT",
    });
  });

  test("needs no context: it is demo's, today in the time zone of the system", async () => {
    const { run } = await openThread().say("hello");

    const { timeZone, locale } = studio.defaults;
    const day = new Intl.DateTimeFormat("en-CA", { timeZone }).format(
      new Date("2026-01-12T23:30:00Z"),
    );
    expect(run).toMatchObject({ userId: "demo", today: day, timeZone, locale });
    expect(run?.bounds).toBeUndefined();
  });

  test("goes on in the next turn, and doubles nothing", async () => {
    const thread = openThread();
    await thread.say(SUPPER, { today: "2026-01-12" });

    const state = await thread.say("not the wings", { today: "2026-01-13" });

    expect(readTexts(state)).toEqual(["human 1", "ai 1", "human 2", "ai 2"]);
    expect(state.turn).toBe(2);
    expect(state.run?.today).toBe("2026-01-13");
    expect(state.turnExecutionSummaries.map(({ turnNumber }) => turnNumber)).toEqual([1, 2]);
  });

  test("reads a message of text parts", async () => {
    const state = await openThread().say([
      { type: "text", text: "hello" },
      { type: "text", text: "there" },
    ]);

    expect(state.input?.text).toBe("hello\nthere");
  });

  test("leaves a thread that its user finds: the row, the state, the archive", async () => {
    const thread = openThread();
    const user = `user-${randomUUID()}`;
    await thread.say(`  ${SUPPER}\n`, { user });

    const report = await thread.read(user);

    expect(report?.thread).toMatchObject({
      threadId: thread.threadId,
      userId: user,
      title: SUPPER,
    });
    expect(report?.state.turn).toBe(1);
    expect(report?.lastTurns.map(({ turn, userMessage }) => [turn, userMessage])).toEqual([
      [1, `  ${SUPPER}\n`],
    ]);
    expect(report?.waiting).toEqual([]);
    expect(await thread.read("demo")).toBeNull();
  });

  test("keeps its checkpoints in Postgres whatever checkpointer it is given", async () => {
    const { MemorySaver } = await import("@langchain/langgraph");
    const kept = graph.checkpointer;

    graph.checkpointer = new MemorySaver();

    expect(graph.checkpointer).toBe(kept);
  });
});

describe("a context", () => {
  test("survives what interrupts its run: it goes on without one", async () => {
    const thread = openThread();
    const configurable = { thread_id: thread.threadId };
    const context = { today: "2026-01-05", lanes: "task", tokensPerTurn: 9_000 };
    await graph.invoke(
      { messages: [{ role: "human", content: SUPPER }] },
      {
        configurable,
        context,
        interruptBefore: ["summarize"],
      },
    );

    await graph.invoke(null, { configurable });

    const state = await thread.state();
    expect(state.run).toMatchObject({
      today: "2026-01-05",
      bounds: { lanes: "task", limits: { tokensPerTurn: 9_000 } },
    });
    expect(state.turnExecutionSummaries).toHaveLength(1);
  });

  test("narrows the lanes of its run", async () => {
    const question = "we keep ordering takeout and it costs a fortune, what should we do?";

    const [both, task] = await Promise.all([
      openThread().say(question),
      openThread().say(question, { lanes: "task" }),
    ]);
    const concierge = await openThread().say(SUPPER, { lanes: "concierge" });

    expect(both.understanding?.route).toBe("concierge");
    expect(task.understanding?.route).toBe("task");
    expect(concierge.understanding?.route).toBe("concierge");
  });

  test.each([
    [{ today: "2026-13-01" }, 'today "2026-13-01" is not a calendar day'],
    [{ timezone: "UTC" }, 'it has no field "timezone"; did you mean "timeZone"?'],
    [{ tokensPerTurn: 1_000_000 }, "write 60000 or less"],
  ])("that cannot be used fails the run with the reason: %j", async (context, reason) => {
    const thread = openThread();

    await expect(thread.say("hello", context)).rejects.toThrow(reason);

    expect(await thread.read("demo")).toBeNull();
  });
});

describe("a message that cannot be taken in", () => {
  test("is left behind by the next one", async () => {
    const thread = openThread();
    await thread.say("hello");
    await expect(thread.say("what?", { today: "never" })).rejects.toThrow(TypeError);

    const state = await thread.say(SUPPER);

    expect(readTexts(state)).toEqual(["human 1", "ai 1", "human 2", "ai 2"]);
    expect(state.input?.text).toBe(SUPPER);
  });

  test.each([
    ["is empty", "  ", "Cannot send an empty message"],
    [
      "holds a picture",
      [{ type: "image_url", image_url: "data:" }],
      'Cannot read a part of type "image_url"',
    ],
  ])("%s", async (_what, content, reason) => {
    await expect(openThread().say(content)).rejects.toThrow(reason);
  });

  test("is in a thread of another user", async () => {
    const thread = openThread();
    const before = await thread.say("hello", { user: `user-${randomUUID()}` });

    await expect(thread.say("mine", { user: "demo" })).rejects.toThrow(
      `Cannot open thread "${thread.threadId}"`,
    );

    expect((await thread.state()).turn).toBe(before.turn);
    expect(await thread.read("demo")).toBeNull();
  });

  test("is in a thread that another program works on", async () => {
    const thread = openThread();
    await thread.say("hello");
    await acquireLease(database.pool, {
      threadId: thread.threadId,
      owner: "somebody",
      ttlMs: 60_000,
    });

    await expect(thread.say("and now?")).rejects.toThrow("another program is working on it");
  });

  test("has no thread to be kept in", async () => {
    const input = { messages: [{ role: "human", content: "hello" }] } as never;

    await expect(graph.invoke(input, { configurable: {} })).rejects.toThrow("thread");
  });

  test.each([{}, { messages: [] }, { text: "hello" }])(
    "is not there: the last one is not sent again, %j",
    async (input) => {
      const thread = openThread();
      const before = await thread.say("put eggs on my shopping list");
      const configurable = { thread_id: thread.threadId };

      const invoked = graph.invoke(input, { configurable });

      await expect(invoked).rejects.toThrow("Cannot start a turn without a message of the person");
      expect((await thread.state()).messages).toEqual(before.messages);
    },
  );

  test("is not the person's", async () => {
    const input = { messages: [{ role: "ai", content: "hello" }] } as never;
    const invoked = graph.invoke(input, { configurable: { thread_id: openThread().threadId } });

    await expect(invoked).rejects.toThrow("Cannot start a turn without a message of the person");
  });
});

describe("the terminal, in a thread of Studio's", () => {
  const driver = createTurnDriver({
    graph,
    store,
    limits: DEFAULT_LIMITS,
    now: () => new Date("2026-01-12T12:00:00Z"),
    newId: randomUUID,
  });
  const person = { userId: "demo", today: "2026-01-14", timeZone: "UTC", locale: "en" };

  async function send(threadId: string, text: string): Promise<readonly TurnEvent[]> {
    const events: TurnEvent[] = [];
    await driver.send(
      { threadId, text, ...person },
      { onEvent: (event) => void events.push(event) },
    );
    return events;
  }

  test("goes on where Studio left off, without its bounds; then Studio again", async () => {
    const thread = openThread();
    await thread.say(SUPPER, { lanes: "task" });

    const events = await send(thread.threadId, "not the wings");
    const between = await thread.state();
    const after = await thread.say("thanks");

    expect(events.at(-1)).toMatchObject({ type: "turn-end", turn: 2 });
    expect(between.run?.bounds).toBeUndefined();
    expect(between.run?.today).toBe("2026-01-14");
    expect(readTexts(after)).toEqual(["human 1", "ai 1", "human 2", "ai 2", "human 3", "ai 3"]);
  });

  test.each([
    ["is empty", { messages: [{ role: "human", content: "  " }] }, {}],
    ["holds a picture", { messages: [{ role: "human", content: [{ type: "image_url" }] }] }, {}],
    ["had a wrong context", { messages: [{ role: "human", content: "hm" }] }, { today: "never" }],
  ])("leaves a message behind that was refused: one that %s", async (_what, input, context) => {
    const [fresh, used] = [openThread(), openThread()];
    await used.say("put eggs on my shopping list");
    for (const { threadId } of [fresh, used]) {
      const invoked = graph.invoke(input, { configurable: { thread_id: threadId }, context });
      await expect(invoked).rejects.toThrow("Cannot");
    }

    const ends = [
      (await send(fresh.threadId, SUPPER)).at(-1),
      (await send(used.threadId, SUPPER)).at(-1),
    ];

    expect(ends).toMatchObject([
      { type: "turn-end", turn: 1 },
      { type: "turn-end", turn: 2 },
    ]);
    expect(readTexts(await fresh.state())).toEqual(["human 1", "ai 1"]);
    const report = await used.read("demo");
    expect(report?.lastTurns.map(({ userMessage }) => userMessage)).toEqual([
      "put eggs on my shopping list",
      SUPPER,
    ]);
  });
});

test("a fork with a message put another way takes the place of the turn that was", async () => {
  const thread = openThread();
  await thread.say("hello");
  const { messages } = await thread.say(SUPPER);
  const edited = messages.at(-2)?.id;
  const history = graph.getStateHistory({ configurable: { thread_id: thread.threadId } });
  let before = null;
  for await (const { values, config } of history) {
    if (values.turn === 1 && values.turnExecutionSummaries.length === 1) before ??= config;
  }

  // As Studio edits a message: under the id it has by now, from where the turn began.
  await graph.invoke(
    { messages: [{ role: "human", id: edited, content: "what is in my pantry?" }] },
    { configurable: { ...before?.configurable } },
  );

  const state = await thread.state();
  expect(state.turn).toBe(2);
  expect(state.input?.text).toBe("what is in my pantry?");
  expect(readTexts(state)).toEqual(["human 1", "ai 1", "human 2", "ai 2"]);
  expect(state.messages[2]?.id).toBe(edited);
  expect(state.messages.some((message) => RemoveMessage.isInstance(message))).toBe(false);
});

test("a run that is cancelled lets its model call go, and goes on where it was", async () => {
  const cancelled = new AbortController();
  const letGo = Promise.withResolvers<void>();
  const waiting: LanguageModel = {
    name: "waiting",
    complete: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          letGo.resolve();
          reject(new Error("Cancelled"));
        });
        cancelled.abort();
      }),
  };
  const models = everyRole(waiting);
  const slow = await openStudio(config, { log: createLog(config), models });
  const thread = openThread();
  const configurable = { thread_id: thread.threadId };

  const run = slow.graph.invoke(
    { messages: [{ role: "human", content: SUPPER }] },
    { configurable, signal: cancelled.signal },
  );
  await expect(run).rejects.toThrow("aborted");
  await letGo.promise;
  await slow.close();
  await graph.invoke(null, { configurable });

  const state = await thread.state();
  expect(state.input?.text).toBe(SUPPER);
  expect(state.turnExecutionSummaries).toHaveLength(1);
});
