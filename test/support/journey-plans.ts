import * as fc from "fast-check";
import { applyPlanAction } from "../../state/apply-plan-action.ts";
import {
  PlanActionKindSchema,
  type JourneyPlan,
  type PlannedPlan,
  type PlannedStep,
} from "../../state/journey-plan.ts";
import type { PlanAction, PlanOutcome } from "../../state/plan-action.ts";
import { INITIAL_PHASE_STATE } from "../../state/phase.ts";
import { startPlan } from "../../state/start-plan.ts";
import type { TurnState } from "../../state/turn.ts";
import { storedReply } from "./replies.ts";
import { turnState } from "./turn-state.ts";

/** The words of a step, empty but for what is given. */
export function plannedStep(words: Partial<PlannedStep> = {}): PlannedStep {
  return {
    title: "",
    description: "",
    doneWhen: "",
    phase: "",
    time: "",
    pitfall: "",
    ...words,
  };
}

/** A part of an action: a step's words and relations, as they were but for what is given. */
export function planPart(part: Partial<PlanAction["parts"][number]>): PlanAction["parts"][number] {
  return { ...plannedStep(), restsOn: null, ...part };
}

/** An action without anything but what is given. */
export function planAction(action: Pick<PlanAction, "kind"> & Partial<PlanAction>): PlanAction {
  return { target: null, after: null, parts: [], mark: null, text: null, words: "", ...action };
}

/** A plan as outlinePlan's answer, of steps named by their titles alone but for what is given. */
export function plannedPlan(
  steps: readonly (string | Partial<PlannedPlan["steps"][number]>)[],
  decisions: PlannedPlan["decisions"] = [],
): PlannedPlan {
  return {
    goal: "",
    steps: steps.map((step) => ({
      ...plannedStep(),
      restsOnSteps: [],
      restsOnDecisions: [],
      restsOnMade: [],
      ...(typeof step === "string" ? { title: step } : step),
    })),
    decisions,
  };
}

/** A plan of four steps and two decisions: Tickets and Room rest on the week, Room on Tickets, Invite on Room. */
export function tripPlan(): JourneyPlan {
  return startPlan(
    "go to Lisbon",
    plannedPlan(
      [
        { title: "Tickets", description: "buy them", restsOnDecisions: [1] },
        { title: "Room", restsOnSteps: [1], restsOnDecisions: [1] },
        { title: "Invite", restsOnSteps: [2] },
        { title: "Passport", restsOnMade: [1] },
      ],
      [{ question: "Which week?", recommendation: "the first", atStep: 1 }],
    ),
    { decisionsMade: ["by train"] },
  );
}

/** Applies an action as the person, in turn 7. */
export function act(plan: JourneyPlan, action: PlanAction): PlanOutcome {
  return applyPlanAction(plan, action, { who: "person", why: action.words, turn: 7 });
}

/** Applies actions that must not be refused. */
export function changePlan(plan: JourneyPlan, ...actions: readonly PlanAction[]): JourneyPlan {
  return actions.reduce((current, action) => {
    const outcome = act(current, action);
    if (outcome.kind === "refused") throw new Error(`Refused: ${outcome.code}`);
    return outcome.plan;
  }, plan);
}

const title = fc.constantFrom("Tickets", "Room", "Invite", "Passport", "Bag", "Route", "房间", "");
const text = fc.constantFrom("", "the first", "the second", "订票", "  ", "two\nlines");
const stepId = fc.integer({ min: 1, max: 16 }).map((number) => `step_${number}`);
const decisionId = fc.integer({ min: 1, max: 16 }).map((number) => `decision_${number}`);
const anyId = fc.oneof(
  { weight: 9, arbitrary: stepId },
  { weight: 3, arbitrary: decisionId },
  { weight: 1, arbitrary: fc.constantFrom("", "__proto__", "start", "STEP_1") },
);
const words = {
  title,
  description: text,
  doneWhen: text,
  phase: text,
  time: text,
  pitfall: text,
};
const number = fc.integer({ min: -1, max: 14 });

/** Plans as a model may outline them, numbers that do not fit among them. */
export const anyPlannedPlan: fc.Arbitrary<PlannedPlan> = fc.record({
  goal: text,
  steps: fc.array(
    fc.record({
      ...words,
      restsOnSteps: fc.array(number, { maxLength: 3 }),
      restsOnDecisions: fc.array(number, { maxLength: 2 }),
      restsOnMade: fc.array(number, { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 14 },
  ),
  decisions: fc.array(
    fc.record({ question: text, recommendation: text, atStep: fc.option(number) }),
    { maxLength: 6 },
  ),
});

/** Version 1 of plans. */
export const anyStartedPlan: fc.Arbitrary<JourneyPlan> = fc
  .tuple(anyPlannedPlan, fc.array(text, { maxLength: 4 }))
  .map(([planned, decisionsMade]) => startPlan("travel", planned, { decisionsMade }));

const part = fc.record({ ...words, restsOn: fc.option(fc.array(anyId, { maxLength: 3 })) });

/** Actions of any form, most of which a plan refuses. */
const wildAction: fc.Arbitrary<PlanAction> = fc.record({
  kind: fc.constantFrom(...PlanActionKindSchema.options),
  target: fc.option(anyId, { freq: 6 }),
  after: fc.oneof(anyId, fc.constantFrom("start", null)),
  parts: fc.array(part, { maxLength: 3 }),
  mark: fc.option(fc.constantFrom("open", "done", "skipped")),
  text: fc.option(text),
  words: text,
});

const nearStep = fc.integer({ min: 1, max: 6 }).map((each) => `step_${each}`);
const nearDecision = fc.integer({ min: 1, max: 4 }).map((each) => `decision_${each}`);
const nearIds = fc.array(fc.oneof(nearStep, nearStep, nearDecision), { maxLength: 3 });
const namedPart = fc.record({
  ...words,
  title: fc.integer({ min: 1, max: 99 }).map((count) => `Stop ${count}`),
  restsOn: fc.option(nearIds),
});
const choice = fc.constantFrom("the first", "the second", "neither");

/** Actions that have what their kind asks for. */
const fittingAction: fc.Arbitrary<PlanAction> = fc
  .record({
    kind: fc.constantFrom(...PlanActionKindSchema.options),
    step: nearStep,
    decision: fc.option(nearDecision, { freq: 4 }),
    after: fc.oneof(nearStep, fc.constantFrom("start", null)),
    parts: fc.array(namedPart, { minLength: 2, maxLength: 3 }),
    mark: fc.constantFrom("open" as const, "done" as const, "skipped" as const),
    text: choice,
  })
  .map(({ kind, step, decision, after, parts, mark, text: chosen }) =>
    planAction({
      kind,
      target: kind === "decide" ? decision : step,
      after,
      parts: kind === "split" ? parts : parts.slice(0, 1),
      mark,
      text: chosen,
      words: chosen,
    }),
  );

/** Actions of every kind, with ids that the plan may have or not. */
export const anyPlanAction: fc.Arbitrary<PlanAction> = fc.oneof(
  { weight: 1, arbitrary: wildAction },
  { weight: 4, arbitrary: fittingAction },
);

/** The state at the end of the turn in which the executor has shown a plan. */
export function shownPlan(text: string): TurnState {
  return turnState({
    replies: [storedReply(text)],
    concierge: { ...INITIAL_PHASE_STATE, currentPhase: "executor", turnInPhase: 1 },
    conciergeThread: {
      contextId: "executor@turn-1",
      model: "m",
      messages: [],
      throughTurn: 1,
      planVersion: 0,
    },
  });
}
