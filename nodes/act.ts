import { viewConversation } from "../prompts/view.ts";
import type { Json } from "../state/json.ts";
import type { ToolCall } from "../state/model.ts";
import type { PendingCall, StepResult } from "../state/step.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { askForToolCalls, countUsedTokens, explainFailure } from "./ask/ask-model.ts";
import { mintEffectKey } from "./steps/effect-key.ts";
import { cutStep, endStep, failStep } from "./steps/end-step.ts";
import { foldDecisions } from "./steps/fold-decisions.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { loadPerson } from "./person.ts";
import type { ActRound, OpenStep, StepDecision } from "./steps/round.ts";
import { requireRun } from "./require-run.ts";
import { addFullStop, renderSentence } from "../text/sentences.ts";
import { checkCalls, selectCalls, usableCalls } from "./steps/step-checks.ts";
import { stepQuestion } from "./steps/step-question.ts";
import { actTools, completesStep, endsStep, readStepEnd } from "./steps/step-tools.ts";

/**
 * Makes the node that decides what every open step of the current group does next, all of them at
 * once. It carries nothing out: decisions are checkpointed before `tools` gives them effect.
 */
export function createActNode(services: NodeServices) {
  const tools = actTools(services.toolbox);
  return async function act(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { plan, cursor } = state;
    if (plan === null || cursor === null) {
      throw new TypeError('Cannot act without "plan" and "cursor": a plan is made first');
    }
    const { profile } = await loadPerson(services, requireRun(state));
    const view = viewConversation(state, services);
    const round: ActRound = { state, plan, view, profile, services, tools, io };
    const open = state.stepResults.filter(
      ({ step, status }) => status === "open" && plan.steps[step]?.group === cursor.group,
    );
    emitStepStarts(open, round);
    const decisions = await Promise.all(open.map((result) => decideStep(result, round)));
    return foldDecisions(decisions, round);
  };
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
  const limit = limitReached(result, round);
  if (limit !== null) return cutStep(open, limit);
  const asked = await askForToolCalls(stepQuestion(open), {
    tools: round.tools,
    select: selectCalls,
    check: (calls) => checkCalls(calls, open),
    salvage: (calls) => usableCalls(calls, open),
    services: round.services,
    io: round.io,
  });
  const { calls, notices } = asked;
  if (asked.kind === "failed") {
    return { ...failStep(result, addFullStop(explainFailure(asked))), calls, notices };
  }
  const doing = unique(asked.value.filter((call) => !endsStep(call)));
  if (doing.length > 0) {
    // What is to be done is done; an end beside it counts in a write, once all of it went through.
    const made = doing.slice(0, round.services.limits.toolCallsPerStep - result.calls.length);
    const mayEnd = step.stepType === "write" && made.length === doing.length;
    const ends = mayEnd ? asked.value.filter(completesStep).slice(0, 1) : [];
    const pendingCalls = toPendingCalls([...made, ...ends], { result, round });
    return { result, pendingCalls, artifacts: [], calls, notices };
  }
  const ending = asked.value[0];
  const end = ending === undefined ? null : readStepEnd(ending, step.stepType);
  if (end === null || end.kind === "wrong") {
    return { ...failStep(result, renderSentence("stepWithoutResult")), calls, notices };
  }
  return { ...endStep(end, open), calls, notices };
}

/** Returns the limit that keeps a step from continuing; null where there is none. */
function limitReached(result: StepResult, { state, services }: ActRound): string | null {
  const { tokensPerTurn, toolCallsPerStep } = services.limits;
  if (countUsedTokens(state.calls) >= tokensPerTurn) {
    return renderSentence("tokenLimit", { limit: tokensPerTurn });
  }
  if (result.calls.length >= toolCallsPerStep) {
    return renderSentence("callLimit", { limit: toolCallsPerStep });
  }
  return null;
}

interface CallOrigin {
  readonly result: StepResult;
  readonly round: ActRound;
}

/** Returns the calls in the form in which they are checkpointed. */
function toPendingCalls(calls: readonly ToolCall[], { result, round }: CallOrigin): PendingCall[] {
  const { state, plan } = round;
  const run = requireRun(state);
  const before = result.calls.length;
  return calls.map((call, index) => {
    const number = before + index + 1;
    return {
      step: result.step,
      call: number,
      callId: call.id,
      tool: call.name,
      args: cloneAsJson(call.args),
      argsError: call.argsError,
      effectKey: mintEffectKey(run, {
        turn: state.turn,
        step: `${plan.replans}.${result.step}`,
        call: number,
      }),
    };
  });
}

/** Removes repeated calls: a model that gives the same call twice at once means it once. */
function unique(calls: readonly ToolCall[]): ToolCall[] {
  return [...new Map(calls.map((call) => [JSON.stringify([call.name, call.args]), call])).values()];
}

function cloneAsJson(value: unknown): Json {
  const json: Json = value === undefined ? null : JSON.parse(JSON.stringify(value));
  return json;
}
