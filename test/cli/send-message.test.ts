import { expect, test } from "vitest";
import { sendMessage } from "../../cli/chat/send-message.ts";
import type { TurnEvent } from "../../graph/events.ts";
import type { SendOutcome } from "../../graph/run-turn.ts";
import { checkEventOrder } from "../support/event-order.ts";

const MESSAGE = {
  threadId: "t1",
  userId: "demo",
  text: "hello",
  today: "2026-01-12",
  timeZone: "Europe/Berlin",
  locale: "en",
};

/** Sends a message to a driver that ends as it is told; returns the events. */
async function sendTo(outcome: SendOutcome, isTold = false): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  await sendMessage(MESSAGE, {
    driver: { send: async () => outcome },
    onEvent: (event) => void events.push(event),
    stop: new AbortController().signal,
    trace: false,
    now: () => new Date("2026-01-12T12:00:00Z"),
    newId: () => "run-1",
    isTold: () => isTold,
    onWaiting: () => undefined,
    onFailure: () => undefined,
  });
  return events;
}

test.each([
  ["answered-elsewhere", /^Another process that works on this thread has answered this message/],
  ["held-elsewhere", /^Cannot answer yet: another process is working on this thread/],
] as const)("sendMessage() says so when a message was %s", async (outcome, says) => {
  const events = await sendTo(outcome);

  expect(checkEventOrder(events)).toEqual([]);
  expect(events).toMatchObject([
    { type: "turn-start", turn: 0, message: "hello" },
    { type: "error", turn: 0, message: expect.stringMatching(says) },
  ]);
});

test("sendMessage() adds nothing to what a driver has told", async () => {
  expect(await sendTo("worked-off")).toEqual([]);
});

test("sendMessage() adds nothing where the sending of an earlier message has told the turn", async () => {
  expect(await sendTo("answered-elsewhere", true)).toEqual([]);
});
