import { expect, test } from "vitest";
import type { EventBody } from "../../state/event.ts";
import { describeTurn, type TrailRow } from "../../view/describe-turn.ts";
import { reduceTurn, startTurn } from "../../view/reduce-turn.ts";
import type { TurnView } from "../../view/turn-view.ts";
import { makeStep } from "../support/turn-state.ts";

/** Returns the views after each of the events. */
function reduceAll(bodies: readonly EventBody[]): readonly TurnView[] {
  let view = startTurn("what can I cook?");
  return bodies.map((body, index) => {
    const stamp = { thread: "t", turn: 3, run: "r", seq: index + 1, time: "" };
    view = reduceTurn(view, { ...stamp, ...body });
    return view;
  });
}

function describeRows(bodies: readonly EventBody[]): Omit<TrailRow, "seq">[] {
  const view = reduceAll(bodies).at(-1) ?? startTurn("");
  return describeTurn(view).rows.map(({ kind, text }) => ({ kind, text }));
}

/** Describes the turn of a message after its first event and these. */
function describeAll(bodies: readonly EventBody[]) {
  const start: EventBody = { type: "turn-start", messageId: "m", message: "what can I cook?" };
  return describeTurn(reduceAll([start, ...bodies]).at(-1) ?? startTurn(""));
}

const TOOL = { step: 0, call: 1, tool: "read_planned_meals", table: "meal_plans", ms: 4 } as const;

test("describeTurn() has a row for each plan, read, write, outcome and problem", () => {
  const rows = describeRows([
    { type: "turn-start", messageId: "m", message: "what can I cook? " },
    { type: "node-start", node: "think" },
    {
      type: "plan",
      goal: "Plan the week",
      decision: "plan",
      steps: [makeStep({ description: "Read" })],
    },
    { type: "step-start", index: 0, description: "Read the plan" },
    { type: "tool-start", ...TOOL },
    { type: "tool-end", ...TOOL, effect: "read", ok: true, count: 9, suppressed: false },
    { type: "tool-end", ...TOOL, effect: "read", ok: true, count: 59, suppressed: true },
    { type: "tool-end", ...TOOL, effect: "write", ok: true, count: 2, suppressed: false },
    { type: "tool-end", ...TOOL, effect: "write", ok: false, count: 0, suppressed: false },
    { type: "step-end", index: 0, status: "done", outcome: "Found 9", refs: [], warnings: [] },
    { type: "step-start", index: 1, description: "Compare" },
    {
      type: "step-end",
      index: 1,
      status: "done",
      outcome: "Six can be cooked",
      refs: [],
      warnings: [],
    },
    { type: "step-start", index: 2, description: "Save it" },
    {
      type: "step-end",
      index: 2,
      status: "failed",
      outcome: "the row is gone",
      refs: [],
      warnings: [],
    },
    { type: "notice", node: "think", code: "repair", text: "the answer was not JSON" },
    { type: "notice", node: "think", code: "model_timeout", text: "No answer in time" },
    { type: "notice", node: "summarize", code: "model_timeout", text: "No answer in time" },
  ]);

  expect(rows).toEqual([
    { kind: "done", text: "plan: Plan the week" },
    { kind: "done", text: "reading meal plans … 9" },
    { kind: "done", text: "from memory: meal plans (59)" },
    { kind: "done", text: "writing meal plans … 2" },
    { kind: "problem", text: "read_planned_meals meal plans: did not work" },
    { kind: "done", text: "Six can be cooked" },
    { kind: "problem", text: "Save it: the row is gone" },
    { kind: "detail", text: "think: No answer in time" },
  ]);
});

test("describeTurn() names the activity that was begun last, with its event", () => {
  const views = reduceAll([
    { type: "turn-start", messageId: "m", message: "what can I cook?" },
    { type: "node-start", node: "understand" },
    { type: "node-start", node: "intake" },
    { type: "step-start", index: 0, description: "Read the recipes" },
    { type: "tool-start", ...TOOL },
    { type: "node-end", node: "act", ms: 1 },
    { type: "expert-start", batch: "b", purpose: "workflow", expert: "risk" },
    { type: "expert-start", batch: "b", purpose: "step-help", expert: "risk" },
    { type: "analysis", batch: "b", purpose: "workflow", shape: null, confidence: null, map: null },
    { type: "error", code: "internal", message: "no" },
  ]);

  expect(views.map((view) => describeTurn(view).status)).toEqual([
    null,
    { seq: 2, text: "reading the message" },
    { seq: 2, text: "reading the message" },
    { seq: 4, text: "Read the recipes" },
    { seq: 5, text: "read_planned_meals meal plans" },
    { seq: 5, text: "read_planned_meals meal plans" },
    { seq: 7, text: "asking risk about the plan" },
    { seq: 7, text: "asking risk about the plan" },
    { seq: 9, text: "weighing the answers" },
    null,
  ]);
});

test("describeTurn() has a row for each expert's answer, with its subject", () => {
  const opening = { batch: "t3-b1", purpose: "opening" } as const;
  const help = { batch: "t3-b2", purpose: "step-help" } as const;
  const end = { type: "expert-end", reason: null, ms: 2_149 } as const;
  const rows = describeRows([
    { type: "turn-start", messageId: "m", message: "what can I cook?" },
    { type: "expert-start", ...opening, expert: "risk" },
    { ...end, ...opening, expert: "risk", outcome: "answered" },
    { ...end, ...opening, expert: "role", outcome: "partial" },
    { ...end, ...opening, expert: "cost", outcome: "late", reason: "No answer in 45 s" },
    { ...end, ...opening, expert: "user", outcome: "cut", reason: "The batch was cut" },
    { ...end, ...opening, expert: "mean", outcome: "failed", reason: "No such model" },
    {
      type: "analysis",
      ...opening,
      shape: "settled",
      confidence: 0.9,
      map: { claims: [], edges: [], gaps: ["a price"] },
    },
    { type: "phase-change", from: "starter", to: "explorer" },
    { type: "expert-start", ...help, expert: "risk" },
    { type: "expert-start", ...help, expert: "cost" },
    { type: "analysis", ...help, shape: null, confidence: null, map: null },
  ]);

  expect(rows).toEqual([
    { kind: "done", text: "risk on the question: answered (2.1 s)" },
    { kind: "done", text: "role on the question: answered in part (2.1 s)" },
    { kind: "detail", text: "cost on the question: late" },
    { kind: "detail", text: "user on the question: cut short" },
    { kind: "problem", text: "mean on the question: failed: No such model" },
    { kind: "done", text: "0 claims, 0 tensions, 1 gap; /map shows them" },
    { kind: "detail", text: "now: exploring what could be done" },
    {
      kind: "detail",
      text: "The experts are working on the step; you can continue at any time.",
    },
    { kind: "detail", text: "too few answers to compare" },
  ]);
});

const WAIT = {
  type: "waiting",
  node: "reply",
  reason: "queue",
  label: "Waiting its turn",
} as const;

test("describeTurn() says what is waited for until something else happens, and for how long at most", () => {
  const waiting = describeAll([
    { type: "node-start", node: "reply" },
    { ...WAIT, seconds: 5, most: null },
    { ...WAIT, seconds: 10, most: 119.2 },
  ]);
  const going = describeAll([
    { type: "node-start", node: "reply" },
    { ...WAIT, seconds: 5, most: null },
    { type: "step-start", index: 0, description: "Compare" },
  ]);

  expect(waiting.status).toEqual({ seq: 4, text: "Waiting its turn (at most 120 s)" });
  expect(waiting.rows).toEqual([]);
  expect(going.status).toEqual({ seq: 4, text: "Compare" });
});

test("describeTurn() keeps the time that a batch was announced to take", () => {
  const { rows } = describeAll([
    {
      ...WAIT,
      node: "convene",
      label: "Asking for 2 views takes 90 seconds",
      seconds: 0,
      most: 100,
    },
  ]);

  expect(rows).toEqual([{ seq: 2, kind: "detail", text: "Asking for 2 views takes 90 seconds" }]);
});
