import { expertQuestion } from "../../support/expert-questions.ts";
import { expect, test } from "vitest";
import { describeThread } from "../../../cli/inspect/describe-thread.ts";
import type { ThreadReport, ThreadState } from "../../../cli/thread-state.ts";
import { JOURNEY_PLAN } from "../../support/concierge-documents.ts";
import { toActiveWorkflow } from "../../../state/view-plan.ts";
import { INITIAL_PHASE_STATE } from "../../../state/phase.ts";
import { archivedBatch } from "../../support/archived-batch.ts";

const TASK_STATE = {
  schemaVersion: 1,
  turn: 4,
  registry: { entries: [], counters: [], listed: [], choices: [], journalSeen: null },
  turnExecutionSummaries: [],
  ledger: [],
  history: { lines: [], messages: [], throughTurn: 0 },
  constraints: [],
  pending: null,
  unansweredMessages: ["and cheap, please"],
};
const STATE: ThreadState = {
  ...TASK_STATE,
  concierge: INITIAL_PHASE_STATE,
  journeyPlan: null,
  opening: null,
  conciergeThread: { contextId: null, model: "", messages: [], throughTurn: 0, planVersion: 0 },
  expertThreads: [],
};
const REPORT: ThreadReport = {
  thread: {
    threadId: "t1",
    userId: "demo",
    title: "Guests",
    createdAt: "2026-01-12T08:00:00.000Z",
    updatedAt: "2026-01-12T08:00:00.000Z",
  },
  state: STATE,
  waiting: [],
  usage: { turns: 0, total: { calls: 0, input: 0, cached: 0, output: 0 }, nodes: {} },
  lastTurns: [],
  lastBatch: null,
};
const countCharacters = (text: string): number => text.length;

test("describeThread() returns phase, plan and batch, and the sizes of long texts", () => {
  const batch = archivedBatch();
  const journeyPlan = JOURNEY_PLAN;
  const concierge = {
    ...INITIAL_PHASE_STATE,
    currentPhase: "executor" as const,
    turnInPhase: 2,
    conciergeContextId: "context-1",
    activeWorkflow: toActiveWorkflow(journeyPlan),
    pendingStepBatchAnalysis: batch.analysis,
  };
  const messages = [
    { role: "system" as const, text: "12345" },
    { role: "assistant" as const, text: "123" },
  ];
  const state: ThreadState = {
    ...STATE,
    concierge,
    journeyPlan,
    opening: { question: "How?", answer: "So.", analysis: batch.analysis },
    conciergeThread: {
      contextId: "context-1",
      model: "m",
      messages,
      throughTurn: 4,
      planVersion: 0,
    },
    expertThreads: [{ expert: "risk", messages: messages.slice(1) }],
  };

  const described = describeThread({ ...REPORT, state, lastBatch: batch }, countCharacters);

  const analysis = { shape: "contested", confidence: 0.8, runnerUp: null, claims: 4 };
  expect(described.state).toEqual({
    ...TASK_STATE,
    concierge: {
      ...concierge,
      pendingStepBatchAnalysis: analysis,
    },
    journeyPlan: { ...journeyPlan, progress: { done: 1, of: 2 } },
    opening: { question: "How?", answer: "So.", analysis },
    conciergeThread: {
      contextId: "context-1",
      model: "m",
      throughTurn: 4,
      messages: 2,
      tokens: 8,
    },
    expertThreads: [{ expert: "risk", messages: 1, tokens: 3 }],
  });
  expect(described.lastBatch).toEqual({
    turn: 3,
    id: "t3-b1",
    purpose: "opening",
    step: null,
    question: expertQuestion("How do I feed eight guests?"),
    experts: batch.answers.map(({ expert, outcome, reason, ms, text, usage }) => {
      return { expert, outcome, reason, ms, characters: text.length, usage };
    }),
    analysis,
    map: batch.map,
  });
});
