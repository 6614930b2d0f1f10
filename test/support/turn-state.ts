import type { Curation } from "../../state/registry.ts";
import { mealsDomain } from "../../meals/index.ts";
import { listChangeableTypes } from "../../state/domain.ts";
import type {
  GivenThinkAnswer,
  Plan,
  PlannedWrite,
  PlanStep,
  ThinkAnswer,
} from "../../state/plan.ts";
import type { RowCall, RowRead, SetRows } from "../../state/row-call.ts";
import type { CallResult, Effect, StepResult } from "../../state/step.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import { createEmptyState, type TurnContext, type TurnState } from "../../state/turn.ts";
import {
  EMPTY_ADVICE,
  NOTHING_RARE,
  type GivenUnderstandAnswer,
  type UnderstandAnswer,
  type Understanding,
} from "../../state/understanding.ts";
import { foldRegistry } from "../../registry/apply-event.ts";
import { openStep, startTurnPlan } from "../../nodes/steps/plan-progress.ts";
import type { LedgerLine } from "../../state/turn-summary.ts";

/** For whom and when test turns run: a Monday in January, in Berlin. */
export const TEST_RUN: TurnContext = {
  runId: "run-1",
  threadId: "thread-1",
  userId: "demo",
  today: "2026-01-12",
  timeZone: "Europe/Berlin",
  locale: "en",
  audience: "operator",
};

/** The state of a first turn after intake, with the given channels in place of the empty ones. */
export function turnState(changes: Partial<TurnState> = {}): TurnState {
  return {
    ...createEmptyState(),
    input: { messageId: "m-1", text: "what could I cook this week?" },
    run: TEST_RUN,
    turn: 1,
    ...changes,
  };
}

/** Nothing decided about refs, except what is given. */
export function makeCuration(changes: Partial<Curation> = {}): Curation {
  return {
    retain: [],
    demote: [],
    restore: [],
    drop: [],
    clearAll: false,
    summary: null,
    ...changes,
  };
}

/** A plain task message's answer from Understand, with the given fields in place. */
export function understandAnswer(changes: Partial<UnderstandAnswer> = {}): GivenUnderstandAnswer {
  const flat = flatAnswer(changes);
  const { clarification, undo, topic, meta, metaBatch, language, ...others } = flat;
  const { conciergePart, journey, journeyTo, planActions, ...more } = others;
  const { rework, asksForPlan, commits, stance, isNews, ...rest } = more;
  const { lane, needs, expressed, answersPending, curation, ...answer } = rest;
  const plan = { planActions, rework, asksForPlan };
  return {
    ...answer,
    needs: lane === "concierge" || needs === null ? "advise" : needs,
    extras: {
      expressed,
      answersPending,
      curation,
      advice: { conciergePart, journey, journeyTo, ...plan, commits, stance, isNews },
      rare: { clarification, undo, topic, meta, metaBatch, language },
    },
  };
}

/** The same as code reads it. */
export function flatAnswer(changes: Partial<UnderstandAnswer> = {}): UnderstandAnswer {
  return {
    reasoning: "It asks for the data.",
    lane: "task",
    ...EMPTY_ADVICE,
    references: [],
    curation: makeCuration(),
    constraints: [],
    expressed: "Wants to see options",
    needs: "work",
    look: null,
    answersPending: null,
    ...NOTHING_RARE,
    ...changes,
  };
}

/** The same as code leaves it in the state. */
export function makeUnderstanding(changes: Partial<Understanding> = {}): Understanding {
  return { ...flatAnswer(), route: "task", waived: [], degraded: false, ...changes };
}

/** A step: a read of recipes in group 1 unless said otherwise. A write step lists all that its part of the kitchen can change. */
export function makeStep(changes: Partial<PlanStep> = {}): PlanStep {
  const { stepType = "read", subdomain = "recipes" } = changes;
  return {
    description: "Read the recipes",
    stepType,
    subdomain,
    group: 1,
    refs: [],
    writes: stepType === "write" ? listAllWrites(subdomain) : [],
    ...changes,
  };
}

/** Returns every change that a subdomain of the kitchen can make, of rows that the step finds. */
export function listAllWrites(subdomain: string): PlannedWrite[] {
  const parts = mealsDomain.subdomains.filter(({ name }) => name === subdomain);
  return parts
    .flatMap((part) => listChangeableTypes(part, mealsDomain))
    .flatMap(({ type, actions }) => actions.map((action) => ({ action, type, refs: [] })));
}

/** Returns a short call: a read of all recipes in the first step unless given otherwise. */
export function makeRowCall(changes: Partial<RowCall> = {}): RowCall {
  return {
    do: "read",
    step: 0,
    type: "recipe",
    refs: [],
    find: null,
    set: null,
    ...changes,
  };
}

/** Returns what a short call sets in one row. */
export function setRow(values: Readonly<Record<string, SetValue>>): SetRows {
  return { columns: Object.keys(values), rows: [Object.values(values)] };
}

type SetValue = SetRows["rows"][number][number];

/** Returns the read of a look-up: all recipes unless given otherwise. */
export function makeRowRead(changes: Partial<RowRead> = {}): RowRead {
  return { type: "recipe", refs: [], all: false, where: [], ...changes };
}

/** Returns an answer of Think as a model gives it: a plan with one read step unless given otherwise. */
export function thinkAnswer(changes: Partial<ThinkAnswer> = {}): GivenThinkAnswer {
  const { proposal, questions, ...answer } = flatPlan(changes);
  const lead = answer.decision === "propose" && proposal !== null ? [proposal] : [];
  return { ...answer, asks: answer.decision === "clarify" ? questions : lead };
}

/** The same as code reads it. */
export function flatPlan(changes: Partial<ThinkAnswer> = {}): ThinkAnswer {
  return {
    reasoning: "The recipes have to be seen first.",
    goal: "Show recipe options",
    decision: "plan",
    steps: [makeStep()],
    calls: [],
    proposal: null,
    questions: [],
    ...changes,
  };
}

/** The same as it stands in the state. */
export function makePlan(changes: Partial<Plan> = {}): Plan {
  const { goal, ...answer } = flatPlan();
  const base = { ...answer, goal: goal ?? "", origin: "think" as const, replans: 0 };
  return { ...base, failure: null, misfits: [], ...changes };
}

/** A step's result: open unless said otherwise. */
export function makeResult(step: number, changes: Partial<StepResult> = {}): StepResult {
  return { ...openStep(step), ...changes };
}

/** A turn whose plan has these steps, none of them begun. Its message asks for what they do, to any part of the data. */
export function plannedTurn(steps: PlanStep[], changes: Partial<TurnState> = {}): TurnState {
  const plan = startTurnPlan(makePlan({ steps }));
  const work = steps.map(({ description }) => description).join(", ");
  const text = `${work}: recipes, stock, plan, list, tasks, members, preferences, cooked, whatever that takes`;
  return turnState({
    input: { messageId: "m-1", text },
    understanding: makeUnderstanding({ needs: "change" }),
    ...plan,
    ...changes,
  });
}

/** A call that has answered: a read that found no recipes unless said otherwise. */
export function callResult(changes: Partial<CallResult> = {}): CallResult {
  return {
    call: 1,
    callId: "call_1",
    tool: "read_recipes",
    table: "recipes",
    args: {},
    effect: "read",
    ok: true,
    text: "",
    summary: "",
    refs: [],
    count: 0,
    suppressed: false,
    undescribed: null,
    failures: [],
    outside: null,
    breaches: [],
    ...changes,
  };
}

/** An effect of a step: a planned soup, unless changed. */
export function createEffect(changes: Partial<Effect> = {}): Effect {
  return {
    effectId: 1,
    action: "created",
    ref: "meal_1",
    type: "meal",
    table: "meal_plans",
    label: "Lentil Soup",
    facts: "2026-01-13, dinner",
    change: null,
    step: 0,
    ...changes,
  };
}

/** Answer of Summarize for a turn without anything of note. */
export const NARRATIVE_ANSWER = {
  responseSummary: "Answered",
} as const;

/** A turn's record with nothing in it, except what is given. */
export function makeRecord(
  turnNumber: number,
  changes: Partial<TurnExecutionSummary> = {},
): TurnExecutionSummary {
  return {
    turnNumber,
    userMessage: `message ${turnNumber}`,
    goal: `Goal of turn ${turnNumber}`,
    steps: [],
    curationSummary: null,
    retainedRefs: [],
    demotedRefs: [],
    analysisConclusions: null,
    responseSummary: `Answered message ${turnNumber}`,
    conversationPhase: "exploring",
    tone: "collaborative",
    whatUserExpressed: "Wanted something",
    whatWeAcknowledged: "Answered",
    naturalNext: "User goes on",
    decision: "answer",
    reasoning: null,
    blockedReason: null,
    effects: [],
    wishes: null,
    notices: [],
    failure: null,
    ...changes,
  };
}

/** The open choices of a turn that has not ended: type, refs and conclusion of each. */
export function listChoices({ registry, registryEvents }: TurnState) {
  const { choices } = foldRegistry(registry, registryEvents, mealsDomain.entityTypes);
  return choices.map(({ type, refs, conclusion }) => [type, refs, conclusion]);
}

/** A line of the ledger for a turn that only looked something up. */
export function makeLedgerLine(turn: number, changes: Partial<LedgerLine> = {}): LedgerLine {
  return {
    turn,
    goal: "Look it up",
    stored: [],
    storedNothing: changes.stored === undefined,
    drafted: "",
    decided: "",
    blocked: "",
    ...changes,
  };
}
