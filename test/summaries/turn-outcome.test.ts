import { describe, expect, test } from "vitest";
import type { TurnFailure } from "../../state/turn-summary.ts";
import { judgeOutcome, type JudgedTurn } from "../../summaries/turn-outcome.ts";
import { makePlan, makeResult, makeUnderstanding } from "../support/turn-state.ts";

const REPLY = { id: "r", text: "Hello", body: "Hello", receipts: [], at: "2026-01-12T08:00:00Z" };
const FAILED_PLAN = makePlan({ decision: "answer", steps: [], failure: "That took too long." });

function note(node: string, code: string) {
  return { node, code, text: "why" };
}

function turn(changes: Partial<JudgedTurn>): JudgedTurn {
  return {
    understanding: makeUnderstanding(),
    plan: makePlan(),
    stepResults: [],
    notices: [],
    replies: [REPLY],
    effects: [],
    planNews: null,
    ...changes,
  };
}

describe("judgeOutcome()", () => {
  test.each<[string, Partial<JudgedTurn>, TurnFailure | null]>([
    ["nothing happened", {}, null],
    ["an answer was asked for again", { notices: [note("think", "repair")] }, null],
    ["Summarize failed", { notices: [note("summarize", "model_failed")] }, null],
    ["an expert failed", { notices: [note("expert", "model_failed")] }, null],
    [
      "Understand failed",
      {
        understanding: makeUnderstanding({ degraded: true }),
        notices: [note("understand", "model_failed")],
      },
      { outcome: "degraded", code: "model_failed" },
    ],
    [
      "Think failed",
      { plan: FAILED_PLAN, notices: [note("think", "model_key_rejected")] },
      { outcome: "failed", code: "model_key_rejected" },
    ],
    [
      "Think's answer could not be used",
      { plan: FAILED_PLAN, notices: [note("think", "repair"), note("think", "invalid")] },
      { outcome: "failed", code: "model_answer_unusable" },
    ],
    [
      "the turn's budget was used up before Think",
      { plan: FAILED_PLAN, notices: [note("think", "turn-budget")] },
      { outcome: "failed", code: "budget_reached" },
    ],
    [
      "Think failed after a step was done",
      {
        plan: FAILED_PLAN,
        stepResults: [makeResult(0, { status: "done" })],
        notices: [note("think", "turn-time")],
      },
      { outcome: "degraded", code: "model_timeout" },
    ],
    [
      "a step failed",
      { stepResults: [makeResult(0)], notices: [note("act", "model_busy")] },
      { outcome: "degraded", code: "model_busy" },
    ],
    [
      "the reply of a turn with a step failed",
      { stepResults: [makeResult(0)], notices: [note("reply", "model_refused")] },
      { outcome: "degraded", code: "model_refused" },
    ],
    [
      "the reply of a turn without steps failed",
      { notices: [note("reply", "model_refused")] },
      { outcome: "failed", code: "model_refused" },
    ],
    [
      "the concierge was silent",
      { plan: null, notices: [note("starter", "model_timeout"), note("starter", "no-answer")] },
      { outcome: "failed", code: "model_timeout" },
    ],
    [
      "the concierge was silent after the plan was changed",
      {
        plan: null,
        planNews: { report: "Done: 1.", isChanged: true },
        notices: [note("starter", "model_timeout"), note("starter", "no-answer")],
      },
      { outcome: "degraded", code: "model_timeout" },
    ],
    [
      "the concierge was silent after its first reply",
      {
        plan: null,
        replies: [REPLY, REPLY],
        notices: [note("executor", "model_timeout"), note("executor", "no-answer")],
      },
      { outcome: "degraded", code: "model_timeout" },
    ],
    [
      "it was stopped",
      { notices: [note("driver", "stopped")] },
      { outcome: "degraded", code: "stopped" },
    ],
    [
      "it was given up",
      { notices: [note("driver", "given-up")] },
      { outcome: "failed", code: "given-up" },
    ],
  ])("judges a turn in which %s", (_, changes, end) => {
    expect(judgeOutcome(turn(changes))).toEqual(end);
  });
});
