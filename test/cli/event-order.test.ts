import { expect, test } from "vitest";
import type { TurnEvent } from "../../driver/events.ts";
import type { EventBody } from "../../state/event.ts";
import { checkEventOrder } from "../support/event-order.ts";

function stamped(bodies: readonly EventBody[], turn = 1): TurnEvent[] {
  return bodies.map((body, index) => ({
    thread: "t",
    turn,
    run: `r${turn}`,
    seq: index + 1,
    time: "2026-01-12T08:00:00.000Z",
    ...body,
  }));
}

const START: EventBody = { type: "turn-start", messageId: "m", message: "hello" };
const FAILED: EventBody = { type: "error", code: "internal", message: "no" };
const DELTA: EventBody = { type: "text-delta", reply: "a", text: "Hi" };
const REPLY: EventBody = { type: "reply", reply: "a", text: "Hi" };

test("checkEventOrder() finds nothing wrong with whole turns", () => {
  const turn = stamped([
    START,
    { type: "node-start", node: "reply" },
    { type: "step-start", index: 0, description: "" },
    { type: "step-end", index: 0, status: "done", outcome: "", refs: [] },
    DELTA,
    { type: "reply-reset", reply: "a" },
    DELTA,
    { type: "node-end", node: "reply", ms: 1 },
    REPLY,
    FAILED,
  ]);
  const next = stamped([START, FAILED], 2);

  expect(checkEventOrder([...turn, ...next])).toEqual([]);
});

test.each([
  ["no start", [FAILED], ["Turn 1 of thread t begins with error"]],
  [
    "no end",
    [START, DELTA],
    ["Turn 1 of thread t ends 0 times", "Turn 1 of thread t ends with text-delta"],
  ],
  ["two ends", [START, FAILED, FAILED], ["Turn 1 of thread t ends 2 times"]],
  ["something after the end", [START, FAILED, DELTA], ["Turn 1 of thread t ends with text-delta"]],
  [
    "an open node",
    [START, { type: "node-start", node: "act" }, FAILED],
    ["Turn 1 of thread t: node act never ends"],
  ],
  [
    "an end of nothing",
    [START, { type: "step-end", index: 1, status: "done", outcome: "", refs: [] }, FAILED],
    ["Turn 1 of thread t: step 1 ends without a start"],
  ],
  [
    "pieces that do not add up",
    [START, DELTA, DELTA, REPLY, FAILED],
    ["Turn 1 of thread t: the pieces of reply a do not add up to it"],
  ],
  [
    "a reply without pieces",
    [START, REPLY, FAILED],
    ["Turn 1 of thread t: the pieces of reply a do not add up to it"],
  ],
  [
    "a piece after the reply",
    [START, DELTA, REPLY, DELTA, FAILED],
    ["Turn 1 of thread t: reply a goes on after its end"],
  ],
] satisfies [string, EventBody[], string[]][])(
  "checkEventOrder() finds %s",
  (_, bodies, problems) => {
    expect(checkEventOrder(stamped(bodies))).toEqual(problems);
  },
);

test("checkEventOrder() finds gaps and events of another turn", () => {
  const events = stamped([START, DELTA, FAILED]).filter(({ type }) => type !== "text-delta");
  const foreign = [...stamped([START]), ...stamped([START, FAILED], 2).slice(1)];

  expect(checkEventOrder(events)).toEqual(["Turn 1 of thread t has seq 3 at 2"]);
  expect(checkEventOrder(foreign)).toEqual([
    "Turn 1 of thread t holds an event of Turn 2 of thread t",
  ]);
});

test("checkEventOrder() lets a resumed turn leave pieces to the run before it", () => {
  expect(checkEventOrder(stamped([START, REPLY, FAILED]), { resumed: true })).toEqual([]);
});
