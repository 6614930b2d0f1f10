import { expect, test } from "vitest";
import { UnansweredCount } from "../../cli/chat/unanswered.ts";
import type { EventBody } from "../../state/event.ts";
import { makeRecord } from "../support/turn-state.ts";

const FAILED: EventBody = { type: "error", code: "internal", message: "no" };
const STOPPED: EventBody = { type: "error", code: "stopped", message: "no" };
const USAGE = { input: 1, output: 1, cached: 0 };
const THINK_ANSWERED: EventBody = { type: "usage", node: "think", ...USAGE };
const NO_MODEL: EventBody = {
  type: "turn-end",
  summary: makeRecord(1, {
    notices: [
      { node: "understand", code: "model_key_rejected", text: "no" },
      { node: "think", code: "model_key_rejected", text: "no" },
    ],
  }),
};
const NO_CONCIERGE: EventBody = {
  type: "turn-end",
  summary: makeRecord(1, {
    notices: [{ node: "starter", code: "model_unreachable", text: "no" }],
  }),
};
const NO_SUMMARY: EventBody = {
  type: "turn-end",
  summary: makeRecord(1, {
    notices: [{ node: "summarize", code: "model_timeout", text: "no" }],
  }),
};
const ANSWERED: EventBody = { type: "turn-end", summary: makeRecord(1) };
const GIVEN_UP: EventBody = {
  type: "turn-end",
  summary: makeRecord(1, { notices: [{ node: "driver", code: "given-up", text: "no" }] }),
};

const EVENTS = {
  failed: FAILED,
  stopped: STOPPED,
  answered: ANSWERED,
  "given-up": GIVEN_UP,
  "think-answered": THINK_ANSWERED,
  "no-model": NO_MODEL,
  "no-concierge": NO_CONCIERGE,
  "no-summary": NO_SUMMARY,
} as const satisfies Record<string, EventBody>;

type EventName = keyof typeof EVENTS;
/** A run and an event in it. */
type RunEvent = `${"a" | "b" | "c"} ${EventName}`;

test.each<[count: number, why: string, events: readonly RunEvent[]]>([
  [0, "no messages", []],
  [0, "an answered message", ["a answered"]],
  [0, "a message that the person stopped", ["a stopped"]],
  [1, "a message that failed twice", ["a failed", "a failed"]],
  [0, "a message that failed and was answered later", ["a failed", "a answered"]],
  [1, "a message that was given up", ["a failed", "a given-up", "b answered"]],
  [1, "a message that no model answered", ["a no-model"]],
  [1, "a message that the concierge's model did not answer", ["a no-concierge"]],
  [0, "a message without a turn summary", ["a no-summary"]],
  [0, "a message that Think answered at a second try", ["a think-answered", "a no-model"]],
  [1, "an answer of another run", ["a think-answered", "b no-model"]],
  [2, "two of three messages", ["a failed", "b answered", "c given-up"]],
])("UnansweredCount counts %i for %s", (count, _, events) => {
  const unanswered = new UnansweredCount();

  for (const event of events) {
    const run = event.slice(0, 1);
    const body = EVENTS[event.slice(2) as EventName];
    unanswered.receive({ thread: "t", turn: 1, run, seq: 1, time: "", ...body });
  }

  expect(unanswered.count()).toBe(count);
});
