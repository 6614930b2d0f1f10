import { buildActPrompt } from "../prompts/act.ts";
import { viewConversation, type ConversationView } from "../prompts/view.ts";
import { applyEvent, foldRegistry } from "../registry/apply-event.ts";
import { setCandidates } from "../registry/candidates.ts";
import { createRefBook } from "../registry/ref-book.ts";
import type { Breach } from "../domains/domain.ts";
import type { PromptMessage, ToolCall } from "../state/model.ts";
import type { Plan, PlanStep } from "../state/plan.ts";
import type { Candidates, Registry, RegistryEvent } from "../state/registry.ts";
import type { Artifact, CallResult, PendingCall, StepResult } from "../state/step.ts";
import { ToolInputError, UnknownRefError } from "../state/tool.ts";
import type { CallRecord, TurnState, TurnUpdate } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { renderPriorContext } from "../summaries/prior-context.ts";
import { askForToolCalls, tokensOf } from "./ask-model.ts";
import { currentTurnOf } from "./current-turn.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { loadPerson } from "./person.ts";
import { progressOf } from "./plan-progress.ts";
import { runOf } from "./run-of.ts";
import { rowsForStep } from "./step-rows.ts";
import { endsStep, readStepEnd, toolsByStepType, type StepEnd } from "./step-tools.ts";

/** What one step decided in this round. */
interface StepDecision {
  readonly result: StepResult;
  readonly pendingCalls: readonly PendingCall[];
  /** Drafts to take into the registry, in order. */
  readonly artifacts: readonly Artifact[];
  readonly calls: readonly CallRecord[];
  readonly notices: readonly Notice[];
}

/** What all steps of a round see. */
interface Round {
  readonly state: TurnState;
  readonly plan: Plan;
  readonly view: ConversationView;
  readonly profile: Awaited<ReturnType<typeof loadPerson>>["profile"];
  readonly services: NodeServices;
  readonly tools: ReturnType<typeof toolsByStepType>;
  readonly io: NodeIO;
}

/**
 * Makes the node that decides what every open step of the current group does next, all of them at
 * once. It carries nothing out: decisions are checkpointed before `tools` gives them effect.
 */
export function createActNode(services: NodeServices) {
  const tools = toolsByStepType(services.toolbox, services.domain);
  return async function act(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { plan, cursor } = state;
    if (plan === null || cursor === null) {
      throw new TypeError('Cannot act without "plan" and "cursor": a plan is made first');
    }
    const round: Round = {
      state,
      plan,
      view: viewConversation(state, services),
      profile: (await loadPerson(services, runOf(state))).profile,
      services,
      tools,
      io,
    };
    const open = state.stepResults.filter(
      ({ step, status }) => status === "open" && plan.steps[step]?.group === cursor.group,
    );
    for (const { step, calls } of open) {
      if (calls.length === 0) {
        io.emit({
          type: "step-start",
          index: step,
          description: plan.steps[step]?.description ?? "",
        });
      }
    }
    const decisions = await Promise.all(open.map((result) => decideStep(result, round)));
    return foldRound(decisions, round);
  };
}

async function decideStep(result: StepResult, round: Round): Promise<StepDecision> {
  const { services, state } = round;
  const step = round.plan.steps[result.step];
  if (step === undefined)
    throw new RangeError(`Cannot act on step ${result.step}: the plan has no such step`);
  const { limits } = services;
  if (tokensOf(state.calls) >= limits.tokensPerTurn) {
    return cut(result, `the turn's limit of ${limits.tokensPerTurn} tokens is reached`);
  }
  if (result.calls.length >= limits.toolCallsPerStep) {
    return cut(result, `the step's limit of ${limits.toolCallsPerStep} tool calls is reached`);
  }
  const asked = await askForToolCalls(questionOf(result, step, round), {
    tools: round.tools[step.stepType],
    check: (calls, text) => checkCalls(calls, { text, step, result, round }),
    services,
    io: round.io,
  });
  const spent = { calls: asked.calls, notices: asked.notices };
  if (asked.kind === "failed") {
    return { ...close(result, "failed", sentence(asked.reason)), ...spent };
  }
  const doing = asked.value.filter((call) => !endsStep(call));
  if (doing.length > 0) {
    const room = limits.toolCallsPerStep - result.calls.length;
    const pendingCalls = doing
      .slice(0, room)
      .map((call, index) =>
        pendingCall(call, result.calls.length + index + 1, { step: result.step, state }),
      );
    return { result, pendingCalls, artifacts: [], ...spent };
  }
  const ending = asked.value[0];
  const end = ending === undefined ? null : readStepEnd(ending, step.stepType);
  if (end === null || end.kind === "wrong") {
    return { ...close(result, "failed", "The step ended without a result."), ...spent };
  }
  return { ...endStep(end, { result, step, round }), ...spent };
}

function questionOf(result: StepResult, step: PlanStep, round: Round) {
  const { state, view, services, plan } = round;
  const works = step.stepType === "analyze" || step.stepType === "generate";
  return {
    node: "act",
    role: "act",
    run: runOf(state),
    turn: state.turn,
    parts: buildActPrompt(
      {
        view,
        goal: plan.goal,
        step,
        position: { index: result.step, of: plan.steps.length },
        rows: rowsForStep(step, { state, view, services }),
        priorContext: works
          ? renderPriorContext({
              records: state.turnExecutionSummaries,
              current: currentTurnOf(state, view),
              types: services.domain.entityTypes,
            })
          : "",
        profile: round.profile.text,
        before: beforeLines(state, plan, step.group),
        sentBack: result.repairs,
      },
      services,
    ),
    required: ["rules", "message", "step"],
    thread: threadOf(result.calls),
    maxOutputTokens: 4_000,
  } as const;
}

/** Outcomes and notes of the groups before. */
function beforeLines(state: TurnState, plan: Plan, group: number): string[] {
  return state.stepResults
    .filter(({ step, status }) => status !== "open" && (plan.steps[step]?.group ?? 0) < group)
    .map(({ step, status, outcome, note }) => {
      const failed = status === "done" ? "" : ` (${status})`;
      return `Step ${step + 1}${failed}: ${outcome}${note === null ? "" : ` Note: ${note}`}`;
    });
}

/** The step's own calls and what they came to, as its model's message history. */
function threadOf(calls: readonly CallResult[]): PromptMessage[] {
  return calls.flatMap((call) => [
    {
      role: "assistant",
      text: "",
      toolCalls: [{ id: call.callId, name: call.tool, args: call.args, argsError: null }],
    },
    { role: "tool", callId: call.callId, name: call.tool, text: call.text },
  ]);
}

/** What is wrong with what a step wants to do; it goes back once with this. */
function checkCalls(
  calls: readonly ToolCall[],
  facts: {
    readonly text: string;
    readonly step: PlanStep;
    readonly result: StepResult;
    readonly round: Round;
  },
): string[] {
  if (calls.length === 0) {
    return [
      "no tool was called; call a tool, or end the step with complete_step, block_step or fail_step",
    ];
  }
  const known = facts.round.tools[facts.step.stepType].map(({ name }) => name);
  const doing = calls.filter((call) => !endsStep(call));
  const problems = doing.flatMap((call) => [
    ...(known.includes(call.name)
      ? []
      : [`tool "${call.name}" does not exist; there are: ${known.join(", ")}`]),
    ...(answeredBefore(call, facts.result)
      ? [`${call.name} with these arguments has answered already; use what it gave or end the step`]
      : []),
  ]);
  if (doing.length > 0) return problems;
  const [first] = calls;
  const end = first === undefined ? null : readStepEnd(first, facts.step.stepType);
  if (end === null) return problems;
  return end.kind === "wrong" ? [end.problem] : checkEnd(end, facts);
}

function answeredBefore(call: ToolCall, result: StepResult): boolean {
  const args = JSON.stringify(call.args);
  return result.calls.some(
    ({ tool, ok, args: before }) => ok && tool === call.name && JSON.stringify(before) === args,
  );
}

function checkEnd(
  end: StepEnd,
  facts: { readonly step: PlanStep; readonly result: StepResult; readonly round: Round },
): string[] {
  if (end.kind !== "complete") return [];
  const { round, result, step } = facts;
  const book = createRefBook(round.view.registry);
  const demoted = new Set(
    round.view.registry.entries.flatMap(({ ref, demotion }) => (demotion === null ? [] : [ref])),
  );
  const wrongRefs = end.refs.flatMap((ref) => {
    try {
      book.resolve(ref);
      return step.stepType === "analyze" && demoted.has(ref)
        ? [`ref "${ref}" is excluded by the person; leave it out`]
        : [];
    } catch (error) {
      return [messageOf(error)];
    }
  });
  const rows = openRows(result);
  const openProblem =
    rows.length > 0 && result.calls.at(-1)?.ok !== false && !triedAgain(result)
      ? [`rows are still open: ${rows.join("; ")}. Try those once more, or block the step`]
      : [];
  const nothingWritten =
    step.stepType === "write" && !result.calls.some(({ effect }) => effect === "write")
      ? ["nothing was written in this step; write, or end it with block_step or fail_step"]
      : [];
  return [...wrongRefs, ...openProblem, ...nothingWritten, ...checkArtifacts(end.artifacts, round)];
}

/** Drafts must be savable as they stand, and break nothing the person has said. */
function checkArtifacts(artifacts: readonly Artifact[], round: Round): string[] {
  const contents = artifacts.map((artifact) => draftContent(artifact, round.view.registry, round));
  return contents.flatMap((content) => (typeof content === "string" ? [content] : []));
}

function draftContent(artifact: Artifact, registry: Registry, round: Round) {
  const refs = createRefBook(registry);
  try {
    const before = artifact.ref === null ? null : refs.resolve(artifact.ref).draft;
    if (artifact.ref !== null && before === null) {
      return `"${artifact.ref}" is not a draft; change it with db_update`;
    }
    return {
      type: artifact.type,
      ref: artifact.ref,
      values: round.services.toolbox.readDraft(artifact, { before, refs }),
    };
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ToolInputError || error instanceof UnknownRefError) return error.message;
  throw error;
}

/** Rows of this step's writes that failed and have not been written since. */
function openRows(result: StepResult): string[] {
  const writes = result.calls.filter(({ effect }) => effect === "write");
  const failed = writes.flatMap(({ failures }) => failures);
  const written = new Set(writes.filter(({ ok }) => ok).flatMap(({ refs }) => refs));
  return failed
    .filter(({ ref }) => ref === null || !written.has(ref))
    .map(({ label, reason }) => `${label}: ${reason}`);
}

function triedAgain(result: StepResult): boolean {
  return result.calls.filter(({ failures }) => failures.length > 0).length > 1;
}

function pendingCall(
  call: ToolCall,
  number: number,
  place: { readonly step: number; readonly state: TurnState },
): PendingCall {
  const { threadId } = runOf(place.state);
  return {
    step: place.step,
    call: number,
    callId: call.id,
    tool: call.name,
    args: jsonOf(call.args),
    argsError: call.argsError,
    effectKey: `${threadId}/${place.state.turn}/${place.state.plan?.replans ?? 0}.${place.step}/${number}`,
  };
}

function jsonOf(value: unknown): PendingCall["args"] {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as PendingCall["args"]);
}

function endStep(
  end: StepEnd,
  facts: { readonly result: StepResult; readonly step: PlanStep; readonly round: Round },
): Omit<StepDecision, "calls" | "notices"> {
  const { result } = facts;
  switch (end.kind) {
    case "complete":
      return completeStep(end, facts);
    case "ask":
      return {
        ...close(result, "asked", end.partialAnalysis),
        result: {
          ...result,
          status: "asked",
          outcome: end.partialAnalysis,
          question: end.question,
          breaches: result.calls.flatMap(({ breaches }) => breaches),
        },
      };
    case "block": {
      const asks = end.suggestion === "ask";
      const replans =
        end.suggestion === "replan" &&
        facts.round.plan.replans < facts.round.services.limits.replansPerTurn;
      return {
        ...close(result, "blocked", end.reason),
        result: {
          ...result,
          status: asks ? "asked" : replans ? "replan" : "blocked",
          outcome: withOpenRows(result, end.reason),
          refs: touched(result),
          question: asks ? end.reason : null,
          blocked: { reason: end.reason, tried: end.tried, suggestion: end.suggestion },
        },
      };
    }
    case "fail":
      return {
        ...close(result, "failed", end.reason),
        result: {
          ...result,
          status: "failed",
          outcome: withOpenRows(result, end.reason),
          refs: touched(result),
        },
      };
    default:
      return end satisfies never;
  }
}

function completeStep(
  end: StepEnd & { readonly kind: "complete" },
  facts: { readonly result: StepResult; readonly step: PlanStep; readonly round: Round },
): Omit<StepDecision, "calls" | "notices"> {
  const { result, step, round } = facts;
  const breaches = breachesOf(end.artifacts, round);
  if (breaches.length > 0) {
    const text = breaches.map(({ constraint, reason }) => `${reason} (${constraint})`).join("; ");
    if (result.breaches.length === 0 && result.repairs.length === 0) {
      return {
        result: { ...result, repairs: [`The drafts break what was asked: ${text}`] },
        pendingCalls: [],
        artifacts: [],
      };
    }
    return {
      result: {
        ...result,
        status: "asked",
        outcome: end.resultSummary,
        breaches,
        question: breachQuestion(breaches),
      },
      pendingCalls: [],
      artifacts: end.artifacts,
    };
  }
  const rows = openRows(result);
  const refs =
    step.stepType === "analyze" ? end.refs : [...new Set([...touched(result), ...end.refs])];
  return {
    result: {
      ...result,
      status: rows.length === 0 ? "done" : "failed",
      outcome: withOpenRows(result, end.resultSummary),
      note: end.noteForNextStep,
      refs,
    },
    pendingCalls: [],
    artifacts: step.stepType === "generate" ? end.artifacts : [],
  };
}

/** The question that a breach becomes when it stands after being sent back. */
export function breachQuestion(breaches: readonly Breach[]): string {
  const list = breaches.map(({ constraint, reason }) => `${reason} (${constraint})`).join("; ");
  return `${sentence(list)} Shall I go on all the same?`;
}

function breachesOf(artifacts: readonly Artifact[], round: Round): Breach[] {
  const { services, state } = round;
  const contents = artifacts
    .map((artifact) => draftContent(artifact, round.view.registry, round))
    .filter((content) => typeof content !== "string");
  if (contents.length === 0) return [];
  const waived = state.understanding?.waived ?? [];
  return services.domain.checks
    .drafts(contents, {
      constraints: state.constraints,
      profile: round.profile.facts,
      today: runOf(state).today,
    })
    .filter(({ constraint }) => !waived.includes(constraint));
}

function touched(result: StepResult): string[] {
  return [...new Set(result.calls.filter(({ ok }) => ok).flatMap(({ refs }) => refs))];
}

function withOpenRows(result: StepResult, text: string): string {
  const rows = openRows(result);
  return rows.length === 0 ? text : `${text} Not done: ${rows.join("; ")}`;
}

function close(
  result: StepResult,
  status: StepResult["status"],
  outcome: string,
): Omit<StepDecision, "calls" | "notices"> {
  return {
    result: { ...result, status, outcome, refs: touched(result) },
    pendingCalls: [],
    artifacts: [],
  };
}

/** The step ends with what it has. */
function cut(result: StepResult, reason: string): StepDecision {
  const has = result.calls.some(({ ok }) => ok);
  const outcome = has ? `Ended early (${reason}) with what was found` : `Not done: ${reason}`;
  return {
    ...close(
      result,
      has && openRows(result).length === 0 ? "done" : "failed",
      withOpenRows(result, outcome),
    ),
    calls: [],
    notices: [{ node: "act", code: "limit", text: `Step ${result.step + 1} was cut: ${reason}` }],
  };
}

function sentence(text: string): string {
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

/** Joins the decisions in step order: one writer, the same refs every time. */
function foldRound(decisions: readonly StepDecision[], round: Round): TurnUpdate {
  const { state, plan, services, io } = round;
  const byStep = new Map(decisions.map((decision) => [decision.result.step, decision]));
  let registry = foldRegistry(state.registry, state.registryEvents, services.domain.entityTypes);
  const events: RegistryEvent[] = [];
  const results = state.stepResults.map((before) => {
    const decision = byStep.get(before.step);
    if (decision === undefined) return before;
    const drafted: string[] = [];
    for (const artifact of decision.artifacts) {
      const content = draftContent(artifact, registry, round);
      if (typeof content === "string") throw new ToolInputError(content);
      const event: RegistryEvent = {
        kind: "drafted",
        turn: state.turn,
        type: artifact.type,
        ref: artifact.ref,
        content: content.values,
      };
      const known = new Set(registry.entries.map(({ ref }) => ref));
      registry = applyEvent(registry, event, services.domain.entityTypes);
      events.push(event);
      const made = registry.entries.find(({ ref }) => !known.has(ref))?.ref ?? artifact.ref;
      if (made !== null) drafted.push(made);
    }
    const refs = [...new Set([...decision.result.refs, ...drafted])];
    return { ...decision.result, artifacts: drafted, refs };
  });
  const pendingCalls = decisions.flatMap((decision) => decision.pendingCalls);
  const progress = progressOf(plan, results, { group: state.cursor?.group ?? 1 });
  const stepResults = [...progress.results];
  emitEnds(state.stepResults, stepResults, io);
  const candidates = candidatesOf(decisions, { state, plan, registry, services });
  const notices = decisions.flatMap((decision) => decision.notices);
  return {
    stepResults,
    pendingCalls,
    cursor: { group: progress.group },
    ...(events.length === 0 ? {} : { registryEvents: [...state.registryEvents, ...events] }),
    ...(candidates === null ? {} : { candidates }),
    calls: [...state.calls, ...decisions.flatMap((decision) => decision.calls)],
    ...(notices.length === 0 ? {} : { notices: [...state.notices, ...notices] }),
  };
}

/** Announces the steps that have ended between two rounds. */
export function emitEnds(
  before: readonly StepResult[],
  after: readonly StepResult[],
  io: NodeIO,
): void {
  for (const result of after) {
    const was = before[result.step]?.status ?? "open";
    if (was !== "open" || result.status === "open" || result.status === "skipped") continue;
    io.emit({
      type: "step-end",
      index: result.step,
      status: result.status,
      outcome: result.outcome,
      refs: [...result.refs],
    });
  }
}

/** An analysis that ended sets the candidates of the types it judged; null when none did. */
function candidatesOf(
  decisions: readonly StepDecision[],
  facts: {
    readonly state: TurnState;
    readonly plan: Plan;
    readonly registry: Registry;
    readonly services: NodeServices;
  },
): Candidates[] | null {
  const types = new Map(facts.registry.entries.map(({ ref, type }) => [ref, type]));
  const judged = decisions.flatMap(({ result }) => {
    const step = facts.plan.steps[result.step];
    if (step?.stepType !== "analyze" || result.status !== "done") return [];
    const { entityTypes, subdomains } = facts.services.domain;
    const tables = subdomains.find(({ name }) => name === step.subdomain)?.tables ?? [];
    const own = entityTypes.filter(({ table }) => tables.includes(table)).map(({ type }) => type);
    const found = [...new Set(result.refs.flatMap((ref) => types.get(ref) ?? []))];
    // What the step is about is judged; rows it merely leaned on are not.
    const about = found.filter((type) => own.includes(type));
    const judgedTypes = about.length > 0 ? about : found.length > 0 ? found : own.slice(0, 1);
    return judgedTypes.map((type) => ({
      type,
      refs: result.refs.filter((ref) => types.get(ref) === type),
      conclusion: result.outcome,
      turn: facts.state.turn,
    }));
  });
  return judged.length === 0 ? null : setCandidates(facts.state.candidates, judged);
}
