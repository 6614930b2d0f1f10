import type { Toolbox } from "../domain/toolbox.ts";
import { viewConversation, viewEntities } from "../prompts/view.ts";
import type { ToolCall } from "../state/model.ts";
import type { PlanStep } from "../state/plan.ts";
import { rememberFor } from "../state/remember.ts";
import type { StepResult } from "../state/step.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { askForToolCalls } from "./ask/ask-model.ts";
import { explainFailure } from "./ask/report-failure.ts";
import { measureTurn, TURN_BUDGET } from "./ask/turn-meter.ts";
import { formatAmount, sumCalls } from "../state/budget.ts";
import { cutStep, endStep, failStep } from "./steps/end-step.ts";
import { foldDecisions } from "./steps/fold-decisions.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { loadPerson } from "./person.ts";
import { loadRows } from "./steps/load-rows.ts";
import { listStepRefs } from "./steps/step-rows.ts";
import { listCallLabels } from "./steps/name-calls.ts";
import { toPendingCalls } from "./steps/pending-calls.ts";
import { joinCalls, listPlannedCalls } from "./steps/planned-calls.ts";
import type { ActRound, OpenStep, StepClosing, StepDecision } from "./steps/round.ts";
import { requireRun } from "./require-run.ts";
import { renderSentence } from "../text/sentences.ts";
import { checkCalls, selectCalls, usableCalls } from "./steps/step-checks.ts";
import { listStepTools, stepQuestion } from "./steps/step-question.ts";
import { StepTools, completesStep, readStepEnd } from "./steps/step-tools.ts";

const openStepTools = rememberFor((toolbox: Toolbox) => new StepTools(toolbox));

/**
 * Makes the node that decides what every open step of the current group does next, all of them at
 * once. It carries nothing out: decisions are checkpointed before `tools` gives them effect.
 */
export function createActNode(services: NodeServices) {
  const tools = openStepTools(services.toolbox);
  return async function act(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { plan, cursor } = state;
    if (plan === null || cursor === null) {
      throw new TypeError('Cannot act without "plan" and "cursor": a plan is made first');
    }
    const { profile } = await loadPerson(services, requireRun(state));
    const open = state.stepResults.filter(
      ({ step, status }) => status === "open" && plan.steps[step]?.group === cursor.group,
    );
    // Only the prompts of models show rows.
    const asking = open.filter((result) => listPlannedCalls(result, plan, services).length === 0);
    const steps = asking.flatMap(({ step }) => plan.steps[step] ?? []);
    const loaded = await withStepRows(state, steps, services);
    const view = viewConversation(loaded, services);
    const round: ActRound = {
      state: loaded,
      plan,
      view,
      profile,
      services,
      tools,
      io,
    };
    emitStepStarts(open, round);
    const decisions = await Promise.all(open.map((result) => decideStep(result, round)));
    return foldDecisions(decisions, round);
  };
}

/** The state with the rows that the prompts of the steps show. */
async function withStepRows(
  state: TurnState,
  steps: readonly PlanStep[],
  services: NodeServices,
): Promise<TurnState> {
  const view = viewEntities(state, services.domain);
  const { registry } = view;
  const refs = steps.flatMap((step) => listStepRefs(step, { state, view }));
  const named = steps.flatMap((step) => step.refs);
  const rows = await loadRows(state, { registry, refs, named, services });
  return rows.length === 0
    ? state
    : { ...state, registryEvents: [...state.registryEvents, ...rows] };
}

function emitStepStarts(open: readonly StepResult[], { plan, io }: ActRound): void {
  for (const { step, calls, repairs } of open) {
    if (calls.length > 0 || repairs.length > 0) continue;
    const description = plan.steps[step]?.description ?? "";
    io.emit({ type: "step-start", index: step, description });
  }
}

async function decideStep(result: StepResult, round: ActRound): Promise<StepDecision> {
  const step = round.plan.steps[result.step];
  if (step === undefined) {
    throw new RangeError(`Cannot act on step ${result.step}: the plan has no such step`);
  }
  const open: OpenStep = { step, result, round };
  if (measureTurn(sumCalls(round.state.calls), round.services) >= 1) return cutForBudget(open);
  const { roundsPerStep } = round.services.limits;
  if (result.rounds >= roundsPerStep) {
    return cutStep(open, renderSentence("roundLimit", { limit: roundsPerStep }));
  }
  const planned = decideCalls(listPlannedCalls(result, round.plan, round.services), open);
  if (planned !== null) return { ...planned, calls: [], notices: [] };
  const asked = await askForToolCalls(stepQuestion(open), {
    tools: listStepTools(open),
    select: selectCalls,
    check: (calls) => checkCalls(calls, open),
    salvage: (calls) => usableCalls(calls, open),
    services: round.services,
    io: round.io,
  });
  const { calls, notices } = asked;
  if (asked.kind === "failed") {
    if (asked.code === TURN_BUDGET) return { ...cutForBudget(open), calls };
    return { ...failStep(result, explainFailure(asked)), calls, notices };
  }
  const decided = decideCalls(asked.value, open);
  if (decided !== null) return { ...decided, calls, notices };
  const ending = asked.value[0];
  const end = ending === undefined ? null : readStepEnd(ending, step, round.services.toolbox);
  if (end === null || end.kind === "wrong") {
    return { ...failStep(result, renderSentence("stepWithoutResult")), calls, notices };
  }
  return { ...(await endStep(end, open)), calls, notices };
}

/** Decides the calls of a step that do something; null where none does. */
function decideCalls(
  calls: readonly ToolCall[],
  { step, result, round }: OpenStep,
): StepClosing | null {
  const { toolbox, limits } = round.services;
  const doing = joinCalls(calls, toolbox);
  if (doing.length === 0) return null;
  const made = doing.slice(0, limits.callsPerRound);
  const left = doing.slice(limits.callsPerRound);
  // What is to be done is done; an end beside it counts in a write, once all of it went through.
  const mayEnd = step.stepType === "write" && left.length === 0;
  const ends = mayEnd ? calls.filter(completesStep).slice(0, 1) : [];
  const pendingCalls = toPendingCalls([...made, ...ends], { result, round });
  const begun = { ...result, rounds: result.rounds + 1 };
  return {
    result: left.length === 0 ? begun : leaveForLater(begun, { left, round }),
    pendingCalls,
    artifacts: [],
  };
}

interface LeftCalls {
  readonly left: readonly ToolCall[];
  readonly round: ActRound;
}

/** Keeps the calls over the limit by the labels of their rows; the model is told to give them again. */
function leaveForLater(result: StepResult, { left, round }: LeftCalls): StepResult {
  const facts = { toolbox: round.services.toolbox, registry: round.view.registry };
  const labels = left.flatMap((call) => listCallLabels(call, facts));
  const notStarted = [...new Set([...result.notStarted, ...labels])];
  const sentence = renderSentence("notStartedYet", { rows: labels.join(", ") });
  return { ...result, notStarted, repairs: [...result.repairs, sentence] };
}

/** Ends a step because the turn's budget is used up; the rest of the plan is offered to the person. */
function cutForBudget(open: OpenStep): StepDecision {
  const { budget } = open.round.services;
  const reason =
    budget.turn !== null && "micros" in budget.turn
      ? renderSentence("moneyLimit", { amount: formatAmount(budget.turn) })
      : renderSentence("tokenLimit");
  const cut = cutStep(open, reason);
  return { ...cut, result: { ...cut.result, overBudget: true } };
}
