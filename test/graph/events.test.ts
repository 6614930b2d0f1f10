import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { createEventSequence } from "../../graph/events.ts";
import type { EventBody } from "../../state/event.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { recordOf } from "../support/turn-state.ts";

const STAMP = { thread: "t", turn: 1, run: "r", time: "2026-01-12T12:00:00.000Z" };
const START: EventBody = { type: "turn-start", message: "hello" };
const END = { type: "turn-end", record: recordOf(1) } as const;

function sequence(resumed = false) {
  return createEventSequence({
    thread: "t",
    turn: 1,
    run: "r",
    now: () => new Date("2026-01-12T12:00:00Z"),
    resumed,
  });
}

/** One thing that nodes may announce, sensible or not. */
const anyBody: fc.Arbitrary<EventBody> = fc.oneof(
  fc
    .constantFrom("think", "act")
    .chain((node) =>
      fc.constantFrom<EventBody>({ type: "node-start", node }, { type: "node-end", node, ms: 1 }),
    ),
  fc
    .nat(2)
    .chain((index) =>
      fc.constantFrom<EventBody>(
        { type: "step-start", index, description: "Look" },
        { type: "step-end", index, status: "done", outcome: "Found", refs: [] },
      ),
    ),
  fc.nat(1).map((call): EventBody => ({
    type: "tool-start",
    step: 0,
    call,
    tool: "db_read",
    table: "tasks",
  })),
  fc
    .constantFrom("a", "b")
    .map((text): EventBody => ({ type: "text-delta", reply: "t1-a1", text })),
);

describe("createEventSequence()", () => {
  test("stamps events from 1 on, in order", () => {
    const events = sequence();
    expect([...events.next(START), ...events.end(END)]).toEqual([
      { ...STAMP, seq: 1, ...START },
      { ...STAMP, seq: 2, ...END },
    ]);
  });

  test("ends what is open, the innermost first, before the end", () => {
    const events = sequence();
    events.next(START);
    events.next({ type: "node-start", node: "tools" });
    events.next({ type: "step-start", index: 1, description: "Look" });
    events.next({ type: "tool-start", step: 1, call: 2, tool: "db_read", table: "tasks" });

    const ended = events.end({ type: "error", code: "internal", message: "Failed" });

    expect(ended.map(({ type }) => type)).toEqual(["tool-end", "step-end", "node-end", "error"]);
    expect(ended[0]).toMatchObject({ step: 1, call: 2, tool: "db_read", ok: false });
    expect(ended[1]).toMatchObject({ index: 1, status: "skipped", outcome: "Not finished" });
  });

  test("takes back what an earlier run may have shown, once", () => {
    const events = sequence(true);
    const said = ["Hello", " there"].flatMap((text) =>
      events.next({ type: "text-delta", reply: "t1-a1", text }),
    );
    expect(said.map(({ type }) => type)).toEqual(["reply-reset", "text-delta", "text-delta"]);
  });

  test("restates a reply: what was shown is taken back where anything was", () => {
    const events = sequence();
    const whole = { reply: "t1-a1", text: "Stopped." };
    expect(events.restate(whole).map(({ type }) => type)).toEqual(["text-delta"]);
    expect(events.restate(whole).map(({ type }) => type)).toEqual(["reply-reset", "text-delta"]);
  });

  test("tells a durable reply once", () => {
    const events = sequence();
    const reply: EventBody = { type: "reply", reply: "t1-a1", text: "Hello" };
    expect(events.next(reply)).toHaveLength(1);
    expect(events.next(reply)).toEqual([]);
  });

  test("starts a step that an earlier run started and this one ends", () => {
    const end: EventBody = {
      type: "step-end",
      index: 0,
      status: "done",
      outcome: "Found",
      refs: [],
    };
    expect(
      sequence(true)
        .next(end)
        .map(({ type }) => type),
    ).toEqual(["step-start", "step-end"]);
  });

  test.prop([fc.uniqueArray(anyBody, { selector: (body) => JSON.stringify(body), maxLength: 12 })])(
    "whatever nodes announce: everything started ends, and only then the turn",
    (bodies) => {
      const events = sequence();
      const all = [START, ...bodies].flatMap((body) => events.next(body));
      const problems = checkEventOrder([
        ...all,
        ...events.end({ type: "error", code: "x", message: "y" }),
      ]);
      const pairs = problems.filter((problem) => !problem.includes("is started twice"));
      expect(pairs).toEqual([]);
    },
  );
});
