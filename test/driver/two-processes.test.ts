import { afterAll, expect, test, vi } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import { addedReply, ADDING } from "../support/adding.ts";
import { testDatabase } from "../support/database.ts";
import { startDriver, type DriverProcess } from "../support/driver-process.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { appliedWrites, namesIn, newRun, readInbox, readTurns } from "../support/fresh-kitchen.ts";
import { openThread, repliesIn, type TestThread } from "../support/test-thread.ts";
import { wholeDatabase } from "../support/whole-database.ts";

// Processes of their own take seconds to start on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
const database = await testDatabase();

afterAll(() => vi.resetConfig());

/** Long enough for a busy machine to renew in time, short enough to wait for. */
const LEASE_MS = 3_000;

/** Reads a thread's messages, turns and stored rows, in order. */
async function readTurnOutcome(thread: TestThread) {
  const { threadId, userId } = thread.run;
  const inbox = await readInbox(database, threadId);
  return {
    inbox: inbox.map(({ text, outcome }) => ({ text, outcome })),
    turns: await readTurns(database, threadId),
    applied: await appliedWrites(database, threadId),
    items: await namesIn(database, { table: "shopping_list", userId }),
  };
}

function expectedTurn(item: string) {
  return { message: `add ${item}`, replies: [addedReply(item)] };
}

function endingsIn(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "error"
      ? [`error ${event.turn} ${event.code}`]
      : event.type === "turn-end"
        ? [`turn-end ${event.turn}`]
        : [],
  );
}

test("ten messages at once from two processes are ten turns, in order, none lost and none twice", async () => {
  const run = newRun();
  const processes = await Promise.all([
    startDriver({ url: database.url, run }),
    startDriver({ url: database.url, run }),
  ]);
  const items = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "b5"];
  const texts = items.map((item) => `add ${item}`);

  processes.forEach((one, index) => one.send(...texts.slice(index * 5, index * 5 + 5)));
  await Promise.all(processes.map((one) => one.leave()));

  const outcome = await readTurnOutcome(openThread(database, { run }));
  expect(outcome.inbox.map(({ text }) => text).toSorted()).toEqual(texts);
  expect(outcome).toEqual({
    inbox: outcome.inbox.map(({ text }) => ({ text, outcome: "answered" })),
    turns: outcome.inbox.map(({ text }) => expectedTurn(text.slice("add ".length))),
    applied: 10,
    items,
  });
  const ended = processes.flatMap(({ events }) => endingsIn(events));
  expect(ended.toSorted(byTurn)).toEqual(items.map((_, index) => `turn-end ${index + 1}`));
  expect(processes.flatMap(({ sent }) => sent.map(([text]) => text)).toSorted()).toEqual(texts);
  const outcomes = new Set(processes.flatMap(({ sent }) => sent.map(([, how]) => how)));
  expect([...outcomes].filter((how) => how !== "processed")).toEqual(
    outcomes.has("answered-elsewhere") ? ["answered-elsewhere"] : [],
  );
});

function byTurn(one: string, other: string): number {
  return Number(one.split(" ")[1]) - Number(other.split(" ")[1]);
}

/** A process that has put figs on the list and is writing its reply. */
async function inMidTurn(run: TestThread["run"]): Promise<DriverProcess> {
  const first = await startDriver({ url: database.url, run, leaseMs: LEASE_MS, holdAt: "figs" });
  first.send("add figs");
  await first.until("held");
  return first;
}

const TWO_TURNS = {
  inbox: [
    { text: "add figs", outcome: "answered" },
    { text: "add nuts", outcome: "answered" },
  ],
  turns: [expectedTurn("figs"), expectedTurn("nuts")],
  applied: 2,
  items: ["figs", "nuts"],
};

test("a process that was paused in mid-turn finds its turn finished by another, says so and writes nothing", async () => {
  const run = newRun();
  const first = await inMidTurn(run);
  first.signal("SIGSTOP");
  const second = openThread(database, { run, behaviour: ADDING, leaseMs: LEASE_MS });

  const events = await second.send("add nuts");
  const before = await wholeDatabase(database);
  first.signal("SIGCONT");
  first.send();
  await first.leave();

  expect(checkEventOrder(events, { resumed: true })).toEqual([]);
  expect(endingsIn(events)).toEqual(["turn-end 1", "turn-end 2"]);
  expect(repliesIn(events)).toEqual([addedReply("figs"), addedReply("nuts")]);
  expect(await wholeDatabase(database)).toEqual(before);
  expect(await readTurnOutcome(second)).toEqual(TWO_TURNS);
  expect(checkEventOrder(first.events)).toEqual([]);
  expect(first.events.at(-1)).toMatchObject({
    type: "error",
    turn: 1,
    code: "lease_lost",
    message: `Cannot continue thread "${run.threadId}": this process no longer holds its lease; the process that takes the thread next finishes the turn`,
  });
  expect(first.sent).toEqual([["add figs", "held-elsewhere"]]);
});

test("a process that was killed in mid-turn is followed by another once its lease has run out", async () => {
  const run = newRun();
  const first = await inMidTurn(run);
  first.signal("SIGKILL");
  await first.leave();
  const second = openThread(database, { run, behaviour: ADDING, leaseMs: LEASE_MS });

  const events = await second.send("add nuts");

  expect(checkEventOrder(events, { resumed: true })).toEqual([]);
  expect(endingsIn(events)).toEqual(["turn-end 1", "turn-end 2"]);
  expect(await readTurnOutcome(second)).toEqual(TWO_TURNS);
  expect(first.sent).toEqual([]);
});
