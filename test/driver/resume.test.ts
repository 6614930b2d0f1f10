import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { PostgresCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { renderSentence } from "../../text/sentences.ts";
import { addedReply, ADDING, itemIn } from "../support/adding.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { appliedWrites, namesIn, newRun, readInbox } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn, testThread, type TestThread } from "../support/test-thread.ts";

const database = await testDatabase();

/**
 * A checkpointer whose n-th write is not done: with the process that dies there none after it is,
 * and with a connection that fails for a moment those that follow are.
 */
class DyingCheckpointer extends PostgresCheckpointer {
  dyingAt = Number.POSITIVE_INFINITY;
  forGood = true;
  #writes: Promise<unknown>[] = [];

  get writes(): number {
    return this.#writes.length;
  }

  override async put(...args: Parameters<PostgresCheckpointer["put"]>) {
    return this.#unlessDead(() => super.put(...args));
  }

  override async putWrites(...args: Parameters<PostgresCheckpointer["putWrites"]>) {
    return this.#unlessDead(() => super.putWrites(...args));
  }

  /** Resolves when everything that was on its way when the process died has arrived, or never will. */
  async buried(): Promise<void> {
    await Promise.allSettled(this.#writes);
  }

  #unlessDead<T>(write: () => Promise<T>): Promise<T> {
    const number = this.#writes.length + 1;
    const fails = this.forGood ? number >= this.dyingAt : number === this.dyingAt;
    const done = fails ? Promise.reject(new Error("The process has died")) : write();
    this.#writes.push(done);
    return done;
  }
}

function dyingThread(dyingAt: number): {
  readonly thread: TestThread;
  readonly checkpointer: DyingCheckpointer;
} {
  const checkpointer = new DyingCheckpointer(database.pool);
  const thread = openThread(database, { run: newRun(), behaviour: ADDING, checkpointer });
  checkpointer.dyingAt = dyingAt;
  return { thread, checkpointer };
}

/** Counts the writes of an uninterrupted turn. */
const WHOLE = dyingThread(Number.POSITIVE_INFINITY);
await WHOLE.thread.send("add figs");
const POSITIONS = Array.from({ length: WHOLE.checkpointer.writes }, (_, index) => index + 1);

describe("a turn that dies", () => {
  test.each(POSITIONS)(
    "at its write %i goes on from there: nothing is lost, nothing is done twice",
    async (dyingAt) => {
      const { thread, checkpointer } = dyingThread(dyingAt);
      const first = await thread.send("add figs", { messageId: "m-1" });
      await checkpointer.buried();
      expect(first.at(-1)?.type).toBe("error");
      expect(checkEventOrder(first)).toEqual([]);

      const again = openThread(database, { run: thread.run, behaviour: ADDING });
      const rest = await again.send("thanks", { messageId: "m-2" });

      expect(checkEventOrder(rest, { resumed: true })).toEqual([]);
      expect(rest.filter(({ type }) => type === "turn-end").map(({ turn }) => turn)).toEqual([
        1, 2,
      ]);
      // What was told durably before may be told again, never something else.
      expect([...new Set(repliesIn([...first, ...rest]))]).toEqual([addedReply("figs"), "Gladly."]);
      expect(await readTurnOutcome(database, again)).toEqual(EXPECTED);
    },
  );

  test("is continued without another message, once", async () => {
    const { thread, checkpointer } = dyingThread(Math.ceil(WHOLE.checkpointer.writes / 2));
    const first = await thread.send("add figs", { messageId: "m-1" });
    await checkpointer.buried();
    const again = openThread(database, { run: thread.run, behaviour: ADDING });
    const rest: TurnEvent[] = [];
    const onEvent = (event: TurnEvent): void => void rest.push(event);

    await again.driver.resume(again.run, { onEvent });
    const { length } = rest;
    await again.driver.resume(again.run, { onEvent });

    expect(rest).toHaveLength(length);
    expect(checkEventOrder(rest, { resumed: true })).toEqual([]);
    expect([...new Set(repliesIn([...first, ...rest]))]).toEqual([addedReply("figs")]);
    expect(await readInbox(database, again.run.threadId)).toMatchObject([{ outcome: "answered" }]);
  });

  test.each(POSITIONS.filter((position) => position % 2 === 0))(
    "whose write %i alone fails comes to the same",
    async (dyingAt) => {
      const { thread, checkpointer } = dyingThread(dyingAt);
      checkpointer.forGood = false;
      const first = await thread.send("add figs", { messageId: "m-1" });
      await checkpointer.buried();

      const rest = await thread.send("thanks", { messageId: "m-2" });

      expect([checkEventOrder(first), checkEventOrder(rest, { resumed: true })]).toEqual([[], []]);
      expect(await readTurnOutcome(database, thread)).toEqual(EXPECTED);
    },
  );

  const EXPECTED = {
    turn: 2,
    texts: ["add figs", addedReply("figs"), "thanks", "Gladly."],
    records: [["created figs"], []],
    applied: 1,
    figs: 1,
    archived: [1, 2],
    inbox: ["answered", "answered"],
  };

  test("as one that nothing interrupts", async () => {
    await WHOLE.thread.send("thanks");
    expect(await readTurnOutcome(database, WHOLE.thread)).toEqual(EXPECTED);
  });
});

test("a reply that was being said when the turn died is taken back", async () => {
  let attempts = 0;
  const thread = await testThread(database, {
    behaviour: {
      reply: (request) => {
        attempts += 1;
        request.onText?.(attempts === 1 ? "I was just" : "");
        return attempts === 1 ? new TypeError("The process has died") : null;
      },
    },
  });
  const first = await thread.send("hello", { messageId: "m-1" });
  const rest = await thread.send("are you there?", { messageId: "m-2" });

  const reply = `reply_${first[0]?.run}_1`;
  expect(shownIn(first)).toEqual([`text-delta ${reply}`]);
  expect(shownIn(rest)[0]).toBe(`reply-reset ${reply}`);
  expect(shownIn(rest).filter((line) => line.startsWith("reply-reset"))).toHaveLength(1);
  expect(repliesIn(rest)).toEqual(["Gladly.", "Gladly."]);
});

describe("a turn that cannot be finished", () => {
  test("not even to be recorded is left, and the thread goes on", async () => {
    const thread = await testThread(database, {
      archive: (archive) => ({
        ...archive,
        saveTurn: (turn) =>
          turn.turn === 1
            ? Promise.reject(new TypeError("It cannot be kept"))
            : archive.saveTurn(turn),
      }),
      limits: { attemptsPerMessage: 1 },
    });

    const first = await thread.send("hello");
    const second = await thread.send("and now?");

    expect([checkEventOrder(first), checkEventOrder(second, { resumed: true })]).toEqual([[], []]);
    expect(second.filter(isLast).map(({ type, turn }) => `${type} ${turn}`)).toEqual([
      "error 1",
      "turn-end 2",
    ]);
    expect(second.find(({ type }) => type === "error")).toMatchObject({
      code: "given-up",
      message: expect.stringMatching(/^I tried once and could not finish this\./u),
    });
    expect((await readTurnOutcome(database, thread)).inbox).toEqual(["given-up", "answered"]);
  });

  test("and for which no message waits does not stand in the way of the next", async () => {
    let asked = 0;
    const thread = await testThread(database, {
      behaviour: {
        reply: () => {
          asked += 1;
          return asked <= 2 ? new TypeError("It fails") : null;
        },
      },
    });
    const { threadId } = thread.run;
    const ghost = { input: { messageId: "ghost", text: "boo" }, run: thread.run };
    await expect(
      thread.graph.invoke(ghost, { configurable: { thread_id: threadId } }),
    ).rejects.toThrow("It fails");

    const events = await thread.send("hello");

    expect(checkEventOrder(events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "turn-end", turn: 2 });
    expect(repliesIn(events)).toEqual(["Gladly."]);
    expect((await thread.state()).turn).toBe(2);
  });

  test("and is not at fault is finished first", async () => {
    let asked = 0;
    const thread = await testThread(database, {
      behaviour: {
        reply: () => {
          asked += 1;
          return asked === 1 ? new TypeError("It fails once") : null;
        },
      },
    });
    const ghost = { input: { messageId: "ghost", text: "boo" }, run: thread.run };
    await expect(
      thread.graph.invoke(ghost, { configurable: { thread_id: thread.run.threadId } }),
    ).rejects.toThrow("It fails once");

    await thread.send("hello");

    const { messages } = await thread.state();
    expect(messages.map((message) => message.text)).toEqual(["boo", "Gladly.", "hello", "Gladly."]);
  });

  test("because its process dies is given up only where it gets no further", async () => {
    expect([
      await deathsAt(["understand", "think", "reply"]),
      await deathsAt(["understand", "think", "think"]),
    ]).toEqual([
      ["turn-end", ["answered"]],
      ["turn-end", ["given-up"]],
    ]);
  });

  test("is given up after counted attempts, with a reply that says what was stored", async () => {
    const thread = await testThread(database, {
      behaviour: {
        ...ADDING,
        reply: (request) => (itemIn(request) === "figs" ? new TypeError("It always fails") : null),
      },
      limits: { attemptsPerMessage: 2 },
    });

    const tries = [
      await thread.send("add figs"),
      await thread.send("hello?"),
      await thread.send("thanks"),
    ];

    expect(tries.map((events) => checkEventOrder(events, { resumed: true }))).toEqual([[], [], []]);
    expect(
      tries.map((events) => events.filter(isLast).map(({ type, turn }) => `${type} ${turn}`)),
    ).toEqual([["error 1"], ["error 1"], ["turn-end 1", "turn-end 2", "turn-end 3"]]);
    const text = `Added: figs\n\n${renderSentence("changesStand")}`;
    expect(repliesIn(tries[2] ?? [])).toEqual([text, "Gladly.", "Gladly."]);
    const [record] = (await thread.state()).turnExecutionSummaries;
    expect((await readTurnOutcome(database, thread)).inbox).toEqual([
      "given-up",
      "answered",
      "answered",
    ]);
    expect(record?.turnNumber).toBe(2);
  });
});

/** Returns the end of a message whose process dies in these nodes, one after the other. */
async function deathsAt(nodes: readonly ("understand" | "think" | "reply")[]) {
  const left = [...nodes];
  const dying = (node: string) => () => {
    if (left[0] !== node) return null;
    left.shift();
    return new TypeError("The process has died");
  };
  const thread = await testThread(database, {
    behaviour: {
      understand: dying("understand"),
      think: dying("think"),
      reply: dying("reply"),
    },
    limits: { attemptsPerMessage: 1 },
    // Who is dead notes nothing.
    store: (store) => ({ ...store, recordFailedAttempt: () => Promise.resolve() }),
  });
  const message = { messageId: "m-1" };
  for (let died = 0; died < nodes.length; died += 1) await thread.send("hello", message);
  const last = await thread.send("hello", message);
  return [last.at(-1)?.type, (await readTurnOutcome(database, thread)).inbox];
}

/** Returns the texts that a client shows and takes back, reply by reply. */
function shownIn(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "text-delta" || event.type === "reply-reset"
      ? [`${event.type} ${event.reply}`]
      : [],
  );
}

function isLast({ type }: TurnEvent): boolean {
  return type === "turn-end" || type === "error";
}

/** Reads everything stored of two turns. */
async function readTurnOutcome(from: TestDatabase, thread: TestThread) {
  const state = await thread.state();
  const { threadId, userId } = thread.run;
  const names = await namesIn(from, { table: "shopping_list", userId });
  const archived = await from.owner.query<{ turn: number }>(
    "select turn from turns where thread_id = $1 order by turn",
    [threadId],
  );
  const inbox = await readInbox(from, threadId);
  return {
    turn: state.turn,
    texts: state.messages.map((message) => message.text),
    records: state.turnExecutionSummaries.map(({ effects }) =>
      effects.map(({ action, label }) => `${action} ${label}`),
    ),
    applied: await appliedWrites(from, threadId),
    figs: names.filter((name) => name === "figs").length,
    archived: archived.rows.map(({ turn }) => turn),
    inbox: inbox.map(({ outcome }) => outcome),
  };
}
