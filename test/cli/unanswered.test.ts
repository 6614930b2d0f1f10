import { expect, test } from "vitest";
import { UnansweredCount } from "../../cli/chat/unanswered.ts";
import type { EventBody } from "../../state/event.ts";
import { recordOf } from "../support/turn-state.ts";

const FAILED: EventBody = { type: "error", code: "internal", message: "no" };
const STOPPED: EventBody = { type: "error", code: "stopped", message: "no" };
const USAGE = { input: 1, output: 1, cached: 0 };
const THINK_ANSWERED: EventBody = { type: "usage", node: "think", ...USAGE };
const NO_MODEL: EventBody = {
  type: "turn-end",
  summary: recordOf(1, {
    notices: [
      { node: "understand", code: "model_key_rejected", text: "no" },
      { node: "think", code: "model_key_rejected", text: "no" },
    ],
  }),
};
const NO_CONCIERGE: EventBody = {
  type: "turn-end",
  summary: recordOf(1, { notices: [{ node: "starter", code: "model_unreachable", text: "no" }] }),
};
const NO_SUMMARY: EventBody = {
  type: "turn-end",
  summary: recordOf(1, { notices: [{ node: "summarize", code: "model_timeout", text: "no" }] }),
};
const ANSWERED: EventBody = { type: "turn-end", summary: recordOf(1) };
const GIVEN_UP: EventBody = {
  type: "turn-end",
  summary: recordOf(1, { notices: [{ node: "driver", code: "given-up", text: "no" }] }),
};

test.each<[string, readonly (readonly [string, EventBody])[], number]>([
  ["nothing", [], 0],
  ["what was answered", [["a", ANSWERED]], 0],
  ["what was stopped", [["a", STOPPED]], 0],
  ["what failed", [["a", FAILED]], 1],
  [
    "what failed twice as one",
    [
      ["a", FAILED],
      ["a", FAILED],
    ],
    1,
  ],
  [
    "what failed and was answered later",
    [
      ["a", FAILED],
      ["a", ANSWERED],
      ["b", ANSWERED],
    ],
    0,
  ],
  [
    "what failed and was given up",
    [
      ["a", FAILED],
      ["a", GIVEN_UP],
      ["b", ANSWERED],
    ],
    1,
  ],
  ["what no model answered", [["a", NO_MODEL]], 1],
  ["what the concierge's model did not answer", [["a", NO_CONCIERGE]], 1],
  ["what only lacks its summary as answered", [["a", NO_SUMMARY]], 0],
  [
    "what Think answered at a second try as answered",
    [
      ["a", THINK_ANSWERED],
      ["a", NO_MODEL],
    ],
    0,
  ],
  [
    "an answer in one run not for another",
    [
      ["a", THINK_ANSWERED],
      ["b", NO_MODEL],
    ],
    1,
  ],
  [
    "two of three",
    [
      ["a", FAILED],
      ["b", ANSWERED],
      ["c", GIVEN_UP],
    ],
    2,
  ],
])("UnansweredCount counts %s", (_, events, count) => {
  const unanswered = new UnansweredCount();

  for (const [run, body] of events) {
    unanswered.receive({ thread: "t", turn: 1, run, seq: 1, time: "", ...body });
  }

  expect(unanswered.count()).toBe(count);
});
