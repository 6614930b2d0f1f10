import { describe, expect, test } from "vitest";
import {
  routeAfterAct,
  routeAfterThink,
  routeAfterTools,
  routeAfterUnderstand,
  routeToService,
} from "../../graph/routes.ts";
import { INITIAL_PHASE_STATE, type Phase } from "../../state/phase.ts";
import type { TurnState } from "../../state/turn.ts";
import type { Understanding } from "../../state/understanding.ts";
import type { ShortPlanAction } from "../../state/plan-action.ts";
import type { JourneyPlan } from "../../state/journey-plan.ts";
import { startPlan } from "../../state/start-plan.ts";
import { changePlan, planAction, plannedPlan } from "../support/journey-plans.ts";
import type { Decision } from "../../state/plan.ts";
import type { PendingCall, StepStatus } from "../../state/step.ts";
import { makePlan, makeResult, turnState, makeUnderstanding } from "../support/turn-state.ts";

const DONE: ShortPlanAction = {
  kind: "done",
  step: "step_1",
  after: null,
  text: null,
  words: "step 1 is done",
};

describe("after Understand", () => {
  test.each([
    ["clarify", "reply"],
    ["meta", "reply"],
    ["look", "act"],
    ["talk", "reply"],
    ["accept", "act"],
    ["task", "think"],
    ["concierge", "reply"],
  ] as const)("%s goes to %s", (route, next) => {
    expect(routeAfterUnderstand(turnState({ understanding: makeUnderstanding({ route }) }))).toBe(
      next,
    );
  });

  const question = { question: "What should I do?", answer: "Begin small.", analysis: null };
  const owed: Partial<TurnState> = {
    opening: question,
    concierge: { ...INITIAL_PHASE_STATE, currentPhase: "executor" },
  };
  const begun = startPlan("g", plannedPlan(["One"]));
  const complete = changePlan(
    begun,
    planAction({ kind: "mark", target: "step_1", mark: "done", words: "done" }),
  );
  test.each<[string, Partial<TurnState>, Understanding["journey"], string]>([
    ["small talk before any journey", {}, "continue", "reply"],
    ["an open question", {}, "new", "convene"],
    ["an answer to the starter", { opening: question }, "continue", "starter"],
    [
      "a question that is still owed",
      { opening: { ...question, answer: "" } },
      "continue",
      "starter",
    ],
    ["the explorer's turn", inPhase("explorer"), "continue", "explorer"],
    ["a plan that is under way", inPhase("executor"), "continue", "executor"],
    ["a plan that is owed", owed, "new", "executor"],
    ["a plan that is owed and dropped", owed, "reopen", "explorer"],
    ["a plan that is dropped", inPhase("executor"), "reopen", "explorer"],
    ["nothing to drop yet", inPhase("explorer"), "reopen", "explorer"],
    ["another question in the middle of a plan", inPhase("executor"), "new", "convene"],
    ["another wish after the last step", inPhase("executor", complete), "reopen", "convene"],
  ])("in the concierge lane: %s", (_, channels, journey, next) => {
    const understanding = makeUnderstanding({ route: "concierge", journey });
    expect(routeAfterUnderstand(turnState({ ...channels, understanding }))).toBe(next);
  });

  function inPhase(
    currentPhase: Phase,
    journeyPlan: JourneyPlan | null = null,
  ): Partial<TurnState> {
    const concierge = { ...INITIAL_PHASE_STATE, currentPhase, turnInPhase: 1 };
    return { opening: question, concierge, journeyPlan };
  }

  test.each<[string, Partial<Understanding>, JourneyPlan | null, string]>([
    ["a change", { planActions: [DONE] }, begun, "changePlan"],
    ["a wish to change it", { rework: "shorter" }, begun, "changePlan"],
    ["nothing of it", {}, begun, "executor"],
    ["a change without a plan", { planActions: [DONE] }, null, "executor"],
  ])("of a plan: %s", (_, answer, plan, next) => {
    const understanding = makeUnderstanding({ route: "concierge", ...answer });
    const state = turnState({ ...inPhase("executor", plan), understanding });
    expect(routeAfterUnderstand(state)).toBe(next);
    expect(routeToService(state)).toBe("executor");
  });

  test("without an understanding Think decides", () => {
    expect(routeAfterUnderstand(turnState())).toBe("think");
  });
});

describe("after Think", () => {
  test.each<[Decision, StepStatus[], string]>([
    ["plan", ["open"], "act"],
    ["plan", ["done", "open"], "act"],
    ["plan", ["done"], "reply"],
    ["plan", [], "reply"],
    ["answer", [], "reply"],
    ["clarify", [], "reply"],
    ["propose", [], "reply"],
    // After a replan: what was done before stays, and nothing of it is open.
    ["propose", ["done"], "reply"],
  ])("to %s with %j goes to %s", (decision, statuses, next) => {
    const state = turnState({ plan: makePlan({ decision }), stepResults: results(statuses) });
    expect(routeAfterThink(state)).toBe(next);
  });
});

const WAITING: PendingCall = {
  step: 0,
  call: 1,
  callId: "call_1",
  tool: "read_recipes",
  args: {},
  argsError: null,
  effectKey: "key",
};

describe("after Act", () => {
  test.each<[StepStatus[], PendingCall[], string]>([
    [["open"], [WAITING], "tools"],
    [["open", "replan"], [WAITING], "tools"],
    [["open"], [], "act"],
    [["done", "open"], [], "act"],
    [["replan", "open"], [], "act"],
    [["replan", "skipped"], [], "think"],
    [["done", "failed", "skipped"], [], "reply"],
    [["asked", "skipped"], [], "reply"],
    [["blocked"], [], "reply"],
  ])("%j with %j waiting goes to %s", (statuses, pendingCalls, next) => {
    expect(routeAfterAct(turnState({ stepResults: results(statuses), pendingCalls }))).toBe(next);
  });
});

describe("after the tools", () => {
  test.each<[StepStatus[], string]>([
    [["open"], "act"],
    [["done", "open"], "act"],
    [["done", "done"], "reply"],
    [["asked", "skipped"], "reply"],
    [["replan", "done"], "think"],
    [["replan", "open"], "act"],
  ])("%j goes to %s", (statuses, next) => {
    expect(routeAfterTools(turnState({ stepResults: results(statuses) }))).toBe(next);
  });
});

function results(statuses: readonly StepStatus[]) {
  return statuses.map((status, index) => makeResult(index, { status }));
}
