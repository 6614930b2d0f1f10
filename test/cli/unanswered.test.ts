import { expect, test } from "vitest";
import { createUnansweredCount } from "../../cli/chat/unanswered.ts";
import type { EventBody } from "../../state/event.ts";
import { recordOf } from "../support/turn-state.ts";

const FAILED: EventBody = { type: "error", code: "internal", message: "no" };
const STOPPED: EventBody = { type: "error", code: "stopped", message: "no" };
const ANSWERED: EventBody = { type: "turn-end", record: recordOf(1) };
const GIVEN_UP: EventBody = {
  type: "turn-end",
  record: recordOf(1, { notices: [{ node: "driver", code: "given-up", text: "no" }] }),
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
  [
    "two of three",
    [
      ["a", FAILED],
      ["b", ANSWERED],
      ["c", GIVEN_UP],
    ],
    2,
  ],
])("createUnansweredCount() counts %s", (_, told, count) => {
  const unanswered = createUnansweredCount();

  for (const [run, body] of told) {
    unanswered.hear({ thread: "t", turn: 1, run, seq: 1, time: "", ...body });
  }

  expect(unanswered.count()).toBe(count);
});
