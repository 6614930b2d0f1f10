import { describe, expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { UserData } from "../../state/store.ts";
import { DatabaseUnavailableError } from "../../storage/postgres/database-error.ts";
import { addedReply, ADDING } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { appliedWrites, newRun, readInbox } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn, type ThreadParts } from "../support/test-thread.ts";

const database = await testDatabase();

const FULL = "Cannot write to the database: the server's disk is full; free some space on it";
const AWAY = "I cannot get at what is stored at the moment";
const KEPT = "Your message is kept; once the database is back, it is answered before the next one";

/** A fault of the database that lasts until it is mended. */
function createFault() {
  let lasts = true;
  return {
    mend: (): void => void (lasts = false),
    throwIfAny(): void {
      if (lasts) throw new DatabaseUnavailableError(FULL);
    },
  };
}

type Fault = ReturnType<typeof createFault>;

/** The rows of users cannot be written while the fault lasts. */
function faultyData(fault: Fault): UserData {
  return {
    ...database.userData,
    async write(userId, effect, work) {
      fault.throwIfAny();
      return database.userData.write(userId, effect, work);
    },
  };
}

function listEnds(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "error") return [`${event.code}: ${event.message}`];
    return event.type === "turn-end" ? [`turn ${event.turn}`] : [];
  });
}

const REACHABLE: readonly (readonly [string, (fault: Fault) => Partial<ThreadParts>])[] = [
  ["storage can be told", () => ({})],
  [
    "storage cannot be told either",
    (fault) => ({
      store: (store) => ({
        ...store,
        async uncountAttempt(message) {
          fault.throwIfAny();
          return store.uncountAttempt(message);
        },
      }),
    }),
  ],
];

describe.each(REACHABLE)("a fault of the database, where %s,", (_, createParts) => {
  test("uses up no attempt: the message waits, and is answered before the next", async () => {
    const fault = createFault();
    const thread = openThread(database, {
      run: newRun(),
      behaviour: ADDING,
      limits: { attemptsPerMessage: 1 },
      userData: faultyData(fault),
      ...createParts(fault),
    });
    const first = await thread.send("add figs");
    const again = [
      await thread.send("are you there?"),
      await thread.send("hello?"),
      await thread.send("thanks"),
    ];
    fault.mend();
    const last = await thread.send("good bye");

    expect([first, ...again].map(listEnds)).toEqual(
      Array.from({ length: 4 }, () => [`database_unavailable: ${AWAY}. ${KEPT}`]),
    );
    expect(listEnds(last)).toEqual(["turn 1", "turn 2", "turn 3", "turn 4", "turn 5"]);
    expect(repliesIn(last)[0]).toBe(addedReply("figs"));
    expect(checkEventOrder(last, { resumed: true })).toEqual([]);
    expect(await readInbox(database, thread.run.threadId)).toEqual(
      ["add figs", "are you there?", "hello?", "thanks", "good bye"].map((text, index) => {
        return { text, attempts: 1, outcome: "answered", turn: index + 1 };
      }),
    );
    expect(await appliedWrites(database, thread.run.threadId)).toBe(1);
  });
});

test("a fault of the turn itself uses up an attempt, also after faults of the database", async () => {
  const fault = createFault();
  const thread = openThread(database, {
    run: newRun(),
    behaviour: { ...ADDING, reply: () => new TypeError("It always fails") },
    limits: { attemptsPerMessage: 2 },
    userData: faultyData(fault),
  });
  await thread.send("add figs");
  fault.mend();
  const codes: string[] = [];
  for (const text of ["one", "two", "three"]) {
    const events = await thread.send(text);
    codes.push(listEnds(events)[0]?.split(":")[0] ?? "");
  }

  expect(codes).toEqual(["internal", "internal", "turn 1"]);
  expect(await readInbox(database, thread.run.threadId)).toMatchObject([
    { attempts: 3, outcome: "given-up", turn: 1 },
    {},
    {},
    {},
  ]);
});

test("a turn that cannot be given up for want of a database is given up later", async () => {
  const fault = createFault();
  const thread = openThread(database, {
    run: newRun(),
    behaviour: { reply: (request) => (fails(request) ? new TypeError("It fails") : null) },
    limits: { attemptsPerMessage: 1 },
    archive: (archive) => ({
      ...archive,
      async saveTurn(turn) {
        fault.throwIfAny();
        return archive.saveTurn(turn);
      },
    }),
  });
  await thread.send("fail");
  const during = await thread.send("and now?");
  fault.mend();
  const after = await thread.send("and now?");

  expect(listEnds(during)).toEqual([`database_unavailable: ${AWAY}. ${KEPT}`]);
  expect(listEnds(after)).toEqual(["turn 1", "turn 2", "turn 3"]);
  expect(repliesIn([...during, ...after])[0]).toMatch(
    /^I tried once and could not finish this\. I will not try again by myself; please send it again/u,
  );
});

function fails({ messages }: { readonly messages: readonly { readonly text: string }[] }): boolean {
  return messages.some(({ text }) => text.includes("<message>\nfail\n</message>"));
}

test("a message that could not be put into the inbox is tried once more, under its own id", async () => {
  let tries = 0;
  const thread = openThread(database, {
    run: newRun(),
    store: (store) => ({
      ...store,
      async enqueue(message) {
        const queued = await store.enqueue(message);
        tries += 1;
        // Stored, and the answer to the commit was lost.
        if (tries === 1) throw new DatabaseUnavailableError("Cannot reach the database: lost");
        return queued;
      },
    }),
  });

  const events = await thread.send("hello");

  expect({ tries, ends: listEnds(events) }).toEqual({ tries: 2, ends: ["turn 1"] });
  expect(await readInbox(database, thread.run.threadId)).toHaveLength(1);
});

test("send() leaves a message waiting if its thread's lease cannot be taken", async () => {
  const fault = createFault();
  let tries = 0;
  const thread = openThread(database, {
    run: newRun(),
    behaviour: ADDING,
    store: (store) => ({
      ...store,
      async holdLease(request, work) {
        tries += 1;
        fault.throwIfAny();
        return store.holdLease(request, work);
      },
    }),
  });

  await expect(thread.send("add figs")).rejects.toThrow(FULL);

  expect(tries).toBe(1);
  expect(await readInbox(database, thread.run.threadId)).toEqual([
    { text: "add figs", attempts: 0, outcome: null, turn: null },
  ]);
  fault.mend();
  expect(listEnds(await thread.send("add nuts"))).toEqual(["turn 1", "turn 2"]);
});

test("send() tells a user of no server where a message cannot be stored", async () => {
  const fault = createFault();
  const thread = openThread(database, {
    run: newRun(),
    store: (store) => ({
      ...store,
      async enqueue(message) {
        fault.throwIfAny();
        return store.enqueue(message);
      },
    }),
    ensureDatabase: () =>
      Promise.reject(new DatabaseUnavailableError("Cannot start the database: no")),
  });

  await expect(thread.send("add figs")).rejects.toThrow(
    `${AWAY}. Your message was not stored; send it again`,
  );
});

describe("retell()", () => {
  test("tells what another process has answered as it was told there", async () => {
    const thread = openThread(database, { run: newRun(), behaviour: ADDING });
    const sentEvents = await thread.send("add figs", { messageId: "m-1" });
    const other = openThread(database, { run: thread.run });

    const events = (await other.replayTurn("m-1")) ?? [];

    expect(checkEventOrder(events)).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      "turn-start",
      "receipts",
      "text-delta",
      "reply",
      "turn-end",
    ]);
    const lasting = sentEvents.filter(({ type }) => type === "reply" || type === "turn-end");
    expect(events.slice(3).map(withoutSeq)).toEqual(lasting.map(withoutSeq));
    expect(await other.replayTurn("m-2")).toBeNull();
    const stranger = openThread(database, {
      run: { ...thread.run, userId: newRun().userId },
    });
    expect(await stranger.replayTurn("m-1")).toBeNull();
  });

  test("says so when nothing came of a message", async () => {
    const stop = new AbortController();
    const thread = openThread(database, {
      run: newRun(),
      store: (store) => ({
        ...store,
        async countAttempt(message) {
          stop.abort();
          throw new TypeError(`It cannot be counted: ${message.messageId}`);
        },
      }),
    });
    const sentEvents = await thread.send("hello", { messageId: "m-1", stop: stop.signal });

    const events = (await thread.replayTurn("m-1")) ?? [];

    expect(checkEventOrder(events)).toEqual([]);
    expect([listEnds(sentEvents), listEnds(events)]).toEqual([
      ["stopped: Stopped before anything was begun; nothing was done"],
      ["stopped: Stopped before anything was begun; nothing was done"],
    ]);
  });
});

function withoutSeq(event: TurnEvent): object {
  return { ...event, seq: null };
}
