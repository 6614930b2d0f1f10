import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { createEventSequence } from "../../driver/events.ts";
import type { TurnEvent } from "../../state/event.ts";
import type { EventBody } from "../../state/event.ts";
import { checkEventOrder } from "../support/event-order.ts";
import { makeRecord } from "../support/turn-state.ts";
import { createReceipt } from "../../registry/receipts.ts";
import { replyEvent, storedReply } from "../support/replies.ts";

const STAMP = { thread: "t", turn: 1, run: "r", time: "2026-01-12T12:00:00.000Z" };
const START: EventBody = { type: "turn-start", messageId: "m", message: "hello" };
const END = {
  type: "turn-end",
  outcome: "answered",
  code: null,
  summary: makeRecord(1),
} as const;

function sequence(resumed = false, sentEvents?: readonly TurnEvent[]) {
  return createEventSequence({
    thread: "t",
    turn: 1,
    run: "r",
    now: () => new Date("2026-01-12T12:00:00Z"),
    resumed,
    ...(sentEvents === undefined ? {} : { sentEvents }),
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
        { type: "step-end", index, status: "done", outcome: "Found", refs: [], warnings: [] },
      ),
    ),
  fc.nat(1).map((call): EventBody => ({
    type: "tool-start",
    step: 0,
    call,
    tool: "read_tasks",
    table: "tasks",
  })),
  fc
    .constantFrom("a", "b")
    .map((text): EventBody => ({ type: "text-delta", reply: "reply_r1_1", text })),
);

describe("createEventSequence()", () => {
  test("takes back what an earlier run may have shown, once", () => {
    const events = sequence(true);
    const deltas = ["Hello", " there"].flatMap((text) =>
      events.next({ type: "text-delta", reply: "reply_r1_1", text }),
    );
    expect(deltas.map(({ type }) => type)).toEqual(["reply-reset", "text-delta", "text-delta"]);
  });

  test("restates a reply: what was shown is taken back where anything was", () => {
    const events = sequence();
    const whole = { ...storedReply("Stopped."), id: "reply_r1_1" };
    expect(events.resend(whole).map(({ type }) => type)).toEqual(["text-delta"]);
    expect(events.resend(whole).map(({ type }) => type)).toEqual(["reply-reset", "text-delta"]);
    const added = { ...whole, receipts: [createReceipt({ kind: "created", label: "milk" })] };
    expect(events.resend({ ...added, text: "Added: milk\n\nStopped." })).toMatchObject([
      { type: "reply-reset" },
      { type: "receipts", receipts: added.receipts, text: "Added: milk" },
      { type: "text-delta", text: "Added: milk\n\nStopped." },
    ]);
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

/** All events of a node, which are repeated after a crash. */
type NodeScript = readonly EventBody[];

function inNode(node: string, bodies: readonly EventBody[]): NodeScript {
  return [{ type: "node-start", node }, ...bodies, { type: "node-end", node, ms: 1 }];
}

const workingNode = fc.integer({ min: 0, max: 3 }).map((index) =>
  inNode("tools", [
    { type: "step-start", index, description: "Look" },
    { type: "tool-start", step: index, call: 1, tool: "read_tasks", table: "tasks" },
    {
      type: "tool-end",
      step: index,
      call: 1,
      tool: "read_tasks",
      table: "tasks",
      effect: "read",
      ok: true,
      count: 2,
      suppressed: false,
      ms: 1,
    },
    { type: "step-end", index, status: "done", outcome: "Found", refs: [], warnings: [] },
  ]),
);

/** A reply node, and the node after it, which says what is durable by then. */
const speakingNodes = fc
  .array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map((pieces): readonly NodeScript[] => [
    inNode(
      "reply",
      pieces.map((text) => ({ type: "text-delta", reply: "reply_r1_1", text })),
    ),
    inNode("summarize", [replyEvent(pieces.join(""))]),
  ]);

const anyTurn: fc.Arbitrary<readonly NodeScript[]> = fc
  .tuple(fc.array(workingNode, { maxLength: 3 }), speakingNodes)
  .map(([working, speaking]) => working.concat(speaking, [inNode("finish", [])]));

/** Node a process had reached when it died, and its stored events. */
interface Cut {
  readonly events: readonly TurnEvent[];
  readonly node: number;
}

/** Runs a turn from a node on; with `keep`, the process dies and so many more events are kept. */
function play(turn: readonly NodeScript[], from: Cut, keep: number | null): Cut {
  const sentEvents = from.events;
  const events = sequence(from.node > 0 || sentEvents.length > 0, sentEvents);
  const kept = [...sentEvents];
  const add = (more: readonly TurnEvent[]): boolean => {
    kept.push(...more);
    return keep !== null && kept.length >= sentEvents.length + keep;
  };
  if (add(events.next(START)))
    return { events: kept.slice(0, sentEvents.length + (keep ?? 0)), node: 0 };
  for (const [index, node] of turn.entries()) {
    if (index < from.node) continue;
    for (const body of node) {
      if (add(events.next(body))) {
        return { events: kept.slice(0, sentEvents.length + (keep ?? 0)), node: index };
      }
    }
  }
  add(events.end(END));
  return { events: kept, node: turn.length };
}

describe("a sequence that goes on after what was told", () => {
  test("ends what is open, takes back what was half said, and tells no second beginning", () => {
    const first = sequence();
    const sentEvents = [
      START,
      { type: "node-start", node: "reply" } as const,
      { type: "text-delta", reply: "reply_r1_1", text: "Hel" } as const,
    ].flatMap((body) => first.next(body));

    const events = sequence(true, sentEvents);
    const rest = [
      ...events.next(START),
      ...events.next({ type: "node-start", node: "reply" }),
      ...events.next({ type: "text-delta", reply: "reply_r1_1", text: "Hello" }),
    ];

    expect(rest).toEqual([
      { ...STAMP, seq: 4, type: "node-end", node: "reply", ms: 0 },
      { ...STAMP, seq: 5, type: "reply-reset", reply: "reply_r1_1" },
      { ...STAMP, seq: 6, type: "node-start", node: "reply" },
      { ...STAMP, seq: 7, type: "text-delta", reply: "reply_r1_1", text: "Hello" },
    ]);
  });

  test("says nothing more once the end was told", () => {
    const first = sequence();
    const sentEvents = [...first.next(START), ...first.end(END)];
    expect(first.isEnded()).toBe(true);
    expect(first.next(START)).toEqual([]);

    const events = sequence(true, sentEvents);

    expect(events.isEnded()).toBe(true);
    expect([...events.next(START), ...events.end(END)]).toEqual([]);
  });

  test("tells durable replies that were not told, and those only", () => {
    const first = sequence();
    const sentEvents = [
      START,
      { type: "text-delta", reply: "reply_r1_1", text: "One" } as const,
      replyEvent("One"),
      { type: "text-delta", reply: "reply_r1_2", text: "Tw" } as const,
    ].flatMap((body) => first.next(body));

    const rest = sequence(true, sentEvents).emitMissingReplies([
      { ...storedReply("One"), id: "reply_r1_1" },
      { ...storedReply("Two"), id: "reply_r1_2" },
    ]);

    expect(rest).toEqual([
      { ...STAMP, seq: 5, type: "reply-reset", reply: "reply_r1_2" },
      { ...STAMP, seq: 6, type: "text-delta", reply: "reply_r1_2", text: "Two" },
      { ...STAMP, seq: 7, ...replyEvent("Two", "reply_r1_2") },
    ]);
  });

  test.prop([anyTurn, fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 3 })])(
    "wherever processes die, the whole is one valid turn that says what an undisturbed one says",
    (turn, deaths) => {
      const start: Cut = { events: [], node: 0 };
      const undisturbed = play(turn, start, null);
      const cut = deaths.reduce(
        (from, keep) => (from.node === turn.length ? from : play(turn, from, keep)),
        start,
      );
      const whole = cut.node === turn.length ? cut : play(turn, cut, null);

      expect(checkEventOrder(whole.events)).toEqual([]);
      expect(whole.events.at(-1)).toMatchObject(END);
      expect(listReplies(whole.events)).toEqual(listReplies(undisturbed.events));
    },
  );

  test.prop([
    fc.array(anyBody, { maxLength: 12 }),
    fc.array(anyBody, { maxLength: 12 }),
    fc.nat(14),
  ])(
    "whatever nodes announce before and after: one beginning, one end, everything started ends once",
    (before, after, kept) => {
      const first = sequence();
      const sentEvents = [START, ...before].flatMap((body) => first.next(body)).slice(0, kept);
      const events = sequence(true, sentEvents);
      const whole = [
        ...sentEvents,
        ...[START, ...after].flatMap((body) => events.next(body)),
        ...events.end({ type: "error", code: "x", message: "y" }),
      ];
      const problems = checkEventOrder(whole).filter(
        (problem) => !problem.includes("is started twice"),
      );
      expect(problems).toEqual([]);
    },
  );
});

function listReplies(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) => (event.type === "reply" ? [event.text] : []));
}
