import { expect, test } from "vitest";
import { sendMessage } from "../../cli/chat/send-message.ts";
import type { SendOutcome } from "../../driver/turn-driver.ts";
import { MessageNotStoredError } from "../../driver/turn-errors.ts";
import type { EventBody, TurnEvent } from "../../state/event.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { replyEvent } from "../support/replies.ts";

const MESSAGE = {
  threadId: "t1",
  userId: "demo",
  text: "hello",
  today: "2026-01-12",
  timeZone: "Europe/Berlin",
  locale: "en",
};

/** Behaviour of a driver for one message. */
interface Play {
  /** An error is thrown. */
  readonly outcome: SendOutcome | Error;
  /** Events of the message's own run, both while it is sent and when it is replayed. */
  readonly sending?: readonly EventBody[];
  readonly replayed?: readonly EventBody[];
  readonly isReported?: boolean;
  readonly isStopped?: boolean;
}

function emitAll(bodies: readonly EventBody[], onEvent: (event: TurnEvent) => void): void {
  bodies.forEach((body, index) =>
    onEvent({ thread: "t1", turn: 1, run: "run-1", seq: index + 1, time: "", ...body }),
  );
}

/** Sends a message to a driver that does as it is told; returns the events. */
async function sendTo(play: Play): Promise<readonly TurnEvent[]> {
  const { outcome, sending = [], replayed = [], isReported = false, isStopped = false } = play;
  const events: TurnEvent[] = [];
  const names = ["message-1", "run-1"];
  await sendMessage(MESSAGE, {
    driver: {
      async send({ messageId, runId }, { onEvent }) {
        expect([messageId, runId]).toEqual(["message-1", "run-1"]);
        emitAll(sending, onEvent);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      async replayTurn({ messageId }, onEvent) {
        expect(messageId).toBe("message-1");
        emitAll(replayed, onEvent);
        return replayed.length > 0;
      },
    },
    onEvent: (event) => void events.push(event),
    stop: isStopped ? AbortSignal.abort() : new AbortController().signal,
    trace: false,
    now: () => new Date("2026-01-12T12:00:00Z"),
    newId: () => names.shift() ?? "",
    isReported: () => isReported,
    onWaiting: () => undefined,
    onFailure: () => undefined,
  });
  return events;
}

test.each([
  [
    "answered-elsewhere",
    /^Another process has answered this message, and its reply is no longer stored/,
  ],
  ["held-elsewhere", /^Cannot answer yet: another process is working on this thread/],
] as const)("sendMessage() says so when a message was %s", async (outcome, reports) => {
  const events = await sendTo({ outcome });

  expect(checkEventOrder(events)).toEqual([]);
  expect(events).toMatchObject([
    { type: "turn-start", turn: 0, run: "run-1", messageId: "message-1", message: "hello" },
    { type: "error", turn: 0, run: "run-1", message: expect.stringMatching(reports) },
  ]);
});

const LOST: readonly EventBody[] = [
  { type: "turn-start", messageId: "m", message: "hello" },
  { type: "error", code: "lease_lost", message: "Cannot go on" },
];

test("sendMessage() tells the reply of another process as its own", async () => {
  const replayed: readonly EventBody[] = [
    { type: "turn-start", messageId: "m", message: "hello" },
    { type: "text-delta", reply: "reply_r1_1", text: "Gladly." },
    replyEvent("Gladly."),
  ];
  const events = await sendTo({ outcome: "answered-elsewhere", replayed });

  expect(events).toMatchObject(replayed);
});

test("sendMessage() says once that its turn went to another process", async () => {
  expect(await sendTo({ outcome: "held-elsewhere", sending: LOST })).toMatchObject(LOST);
});

test("sendMessage() adds nothing to what a driver has told", async () => {
  expect(await sendTo({ outcome: "processed" })).toEqual([]);
});

test("sendMessage() adds nothing where the sending of an earlier message has told the turn", async () => {
  expect(await sendTo({ outcome: "answered-elsewhere", isReported: true, replayed: LOST })).toEqual(
    [],
  );
});

test.each([false, true])(
  "sendMessage() does not claim to keep a message that was not stored, stopped meanwhile: %s",
  async (isStopped) => {
    const outcome = new MessageNotStoredError(new Error("duplicate key"), "operator");

    expect((await sendTo({ outcome, isStopped })).at(-1)).toMatchObject({
      type: "error",
      code: "internal",
      message:
        "Cannot store the message: an unexpected error, which is in the log. Your message was not stored; send it again",
    });
  },
);
