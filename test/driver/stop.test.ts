import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { ModelError } from "../../state/model.ts";
import type { UserData } from "../../state/store.ts";
import { finishMessage } from "../../storage/conversations/inbox.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { ADDING as adds } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { appliedWrites, namesIn, readInbox } from "../support/fresh-kitchen.ts";
import { adding, calls } from "../support/step-script.ts";
import { repliesIn, testThread, type Behaviour, type TestThread } from "../support/test-thread.ts";
import { renderSentence } from "../../text/sentences.ts";

const database = await testDatabase();

const STOPPED = "Stopped before it was finished.";

/** Sends a message and stops its turn when the first event comes that `when` picks. */
async function stopAt(
  thread: TestThread,
  when: (event: TurnEvent) => boolean,
): Promise<readonly TurnEvent[]> {
  const stop = new AbortController();
  return thread.send("add figs", {
    stop: stop.signal,
    onEvent: (event) => {
      if (when(event)) stop.abort(new Error("The person pressed the key"));
    },
  });
}

/** Sends another message, and returns its events with the state and the inbox after it. */
async function afterwards(thread: TestThread) {
  const events = await thread.send("hello");
  const state = await thread.state();
  const inbox = await readInbox(database, thread.run.threadId);
  return {
    last: events.at(-1)?.type,
    replies: repliesIn(events),
    inbox: inbox.map(({ outcome }) => outcome),
    texts: state.messages.map((message) => message.text),
    pendingCalls: state.pendingCalls,
  };
}

/** Adds what it is asked to, and says the same of everything. */
const ADDING: Behaviour = { ...adds, reply: () => null };

/** Another table's row: rows of one table are created together. */
const ADD_TASK = [
  "create_tasks",
  {
    rows: [{ title: "Peel the figs" }],
    drafts: [],
  },
] as const;

describe("a stop", () => {
  test.each(["understand", "think", "act", "tools"] as const)(
    "as %s begins: what it does is kept, what follows is not begun, the record says so",
    async (node) => {
      const thread = await testThread(database, { behaviour: ADDING });

      const events = await stopAt(
        thread,
        (event) => event.type === "node-start" && event.node === node,
      );

      expect(checkEventOrder(events)).toEqual([]);
      const wrote = (await appliedWrites(database, thread.run.threadId)) === 1;
      const receipt = wrote ? "Added: figs" : renderSentence("nothingChanged");
      expect(repliesIn(events)).toEqual([`${receipt}\n\n${STOPPED}`]);
      const last = events.at(-1);
      expect(last).toMatchObject({ type: "turn-end", turn: 1 });
      expect(last?.type === "turn-end" ? last.summary.notices : []).toEqual([
        {
          node: "driver",
          code: "stopped",
          text: "The person stopped the turn before it was finished",
        },
      ]);
      expect(
        last?.type === "turn-end" ? last.summary.effects.map(({ label }) => label) : [],
      ).toEqual(wrote ? ["figs"] : []);
      expect(await afterwards(thread)).toEqual({
        last: "turn-end",
        replies: ["Gladly."],
        inbox: ["stopped", "answered"],
        texts: ["add figs", `${receipt}\n\n${STOPPED}`, "hello", "Gladly."],
        pendingCalls: [],
      });
    },
  );

  test("in the middle of a model call that heeds it", async () => {
    const stop = new AbortController();
    const thread = await testThread(database, {
      behaviour: {
        think: (request) => {
          stop.abort(new Error("The person pressed the key"));
          return request.signal?.aborted === true
            ? new ModelError("model_aborted", "Aborted")
            : null;
        },
      },
    });

    const events = await thread.send("add figs", { stop: stop.signal });

    expect(checkEventOrder(events)).toEqual([]);
    expect(repliesIn(events)).toEqual([`${renderSentence("nothingChanged")}\n\n${STOPPED}`]);
    expect(thread.requests.map(({ role }) => role)).toEqual(["understand", "think"]);
  });

  test("between two writes of one round: the first is told and recorded, the second not begun", async () => {
    const stop = new AbortController();
    const stopping: UserData = {
      ...database.userData,
      async write(userId, effect, work) {
        const written = await database.userData.write(userId, effect, work);
        stop.abort(new Error("The person pressed the key"));
        return written;
      },
    };
    const thread = await testThread(database, {
      behaviour: { ...ADDING, act: () => calls(adding("figs"), ADD_TASK) },
      userData: stopping,
    });

    const events = await thread.send("add figs", { stop: stop.signal });

    expect(checkEventOrder(events)).toEqual([]);
    expect(repliesIn(events)).toEqual([`Added: figs\n\n${STOPPED}`]);
    const names = await namesIn(database, { table: "tasks", userId: thread.run.userId });
    expect(names).not.toContain("Peel the figs");
  });

  test("while a reply is being said takes back what was shown of it", async () => {
    const stop = new AbortController();
    const thread = await testThread(database, {
      behaviour: {
        reply: (request) => {
          request.onText?.("There was once");
          stop.abort(new Error("The person pressed the key"));
          return new ModelError("model_aborted", "Aborted");
        },
      },
    });

    const events = await thread.send("tell me", { stop: stop.signal });

    expect(checkEventOrder(events)).toEqual([]);
    expect(repliesIn(events)).toEqual([STOPPED]);
  });

  test("after the reply lets the turn be what it was", async () => {
    const thread = await testThread(database);

    const events = await stopAt(thread, ({ type }) => type === "reply");

    expect(checkEventOrder(events)).toEqual([]);
    const asked = `${renderSentence("nothingChanged")}\n\nGladly.`;
    expect(repliesIn(events)).toEqual([asked]);
    expect(await afterwards(thread)).toMatchObject({
      replies: ["Gladly."],
      texts: ["add figs", asked, "hello", "Gladly."],
    });
  });

  test.each([
    ["with the turn's first event", (event: TurnEvent) => event.type === "turn-start"],
    [
      "as the message is taken in",
      (event: TurnEvent) => event.type === "node-start" && event.node === "intake",
    ],
  ])("%s, in a thread that has turns: nothing of it is done", async (_, when) => {
    const thread = await testThread(database, { behaviour: ADDING });
    await thread.send("hi");

    const events = await stopAt(thread, when);

    expect(checkEventOrder(events)).toEqual([]);
    expect(thread.requests.filter(({ role }) => role === "understand")).toHaveLength(1);
    expect(await appliedWrites(database, thread.run.threadId)).toBe(0);
    const after = await afterwards(thread);
    expect(after).toMatchObject({
      last: "turn-end",
      replies: ["Gladly."],
      inbox: ["answered", "stopped", "answered"],
    });
    expect(after.texts.slice(-2)).toEqual(["hello", "Gladly."]);
  });

  test("before it was begun, by whoever takes its message back: nothing is done", async () => {
    const thread = await testThread(database, {
      behaviour: ADDING,
      store: (store) => ({
        ...store,
        async countAttempt(attempt) {
          await asUser(database.pool, { userId: attempt.userId }, (tx) =>
            finishMessage(tx, { ...attempt, outcome: "stopped", turn: null }),
          );
          return store.countAttempt(attempt);
        },
      }),
    });

    const events = await thread.send("add figs");

    expect(checkEventOrder(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "error", code: "stopped" });
    expect(thread.requests).toEqual([]);
    expect(await appliedWrites(database, thread.run.userId)).toBe(0);
  });

  test("before anything: the message is not taken", async () => {
    const thread = await testThread(database);
    const stopped = AbortSignal.abort(new Error("The person pressed the key"));

    await expect(thread.send("add figs", { stop: stopped })).rejects.toThrow(
      "The person pressed the key",
    );
  });
});
