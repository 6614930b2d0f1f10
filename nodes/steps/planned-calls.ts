import type { Toolbox } from "../../domain/toolbox.ts";
import type { Domain } from "../../state/domain.ts";
import type { ToolCall } from "../../state/model.ts";
import type { Plan, PlannedWrite, PlanStep, ThinkAnswer } from "../../state/plan.ts";
import type { RowCall } from "../../state/row-call.ts";
import type { StepResult } from "../../state/step.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { mergeCalls } from "./merge-calls.ts";
import { createCompleteCall, endsStep } from "./step-tools.ts";
import { toTypedCall, type TypedCall } from "./to-typed-call.ts";

/** The domain and its tools, by which short calls are read. */
export interface CallTools {
  readonly domain: Pick<Domain, "entityTypes" | "subdomains">;
  readonly toolbox: Pick<Toolbox, "listTools">;
}

/** Returns the answer with what its calls change as the writes of their steps. Pure. */
export function deriveWrites(answer: ThinkAnswer): ThinkAnswer {
  const steps = answer.steps.map((step, index): PlanStep => {
    const writes = answer.calls
      .filter((call) => call.step === index)
      .flatMap((call) => toPlannedWrite(call) ?? []);
    return writes.length === 0 || step.stepType !== "write" ? step : { ...step, writes };
  });
  return { ...answer, steps };
}

function toPlannedWrite({ do: action, type, refs }: RowCall): PlannedWrite | null {
  if (action === "read") return null;
  return { action, type, refs: action === "create" ? [] : refs };
}

/** A step with a call that code cannot run. */
interface UnfitStep extends Pick<
  Extract<TypedCall, { readonly kind: "unfit" }>,
  "problem" | "reason"
> {
  readonly step: number;
}

interface FittingCalls {
  readonly calls: RowCall[];
  readonly notices: readonly Notice[];
  /** The steps whose values do not fit, with what of it is for the person. */
  readonly misfits: Plan["misfits"];
}

/**
 * Returns the calls that code can run. Where one of a step's calls is unfit, all of them are left to
 * the step's model, and a notice says why: half of them would be mistaken for the whole. Pure.
 */
export function selectFitting(
  { calls, steps }: Pick<ThinkAnswer, "calls" | "steps">,
  tools: CallTools,
): FittingCalls {
  const unfit = calls.flatMap((call): UnfitStep[] => {
    const { step } = call;
    const place = steps[step];
    if (place === undefined)
      return [{ step, problem: `Cannot ${call.do} in step ${step}: no such step`, reason: null }];
    const typed = toTypedCall(call, { place, ...tools });
    return typed.kind === "typed" ? [] : [{ step, ...typed }];
  });
  const problems = new Map(unfit.map(({ step, problem }) => [step, problem]));
  return {
    calls: calls.filter(({ step }) => !problems.has(step)),
    notices: [...problems.values()].map((text) => ({ node: "think", code: "call-unfit", text })),
    misfits: unfit.flatMap(({ step, reason }) => (reason === null ? [] : [{ step, reason }])),
  };
}

/**
 * Returns the calls of a step that code decides, with its end; none once the step has begun: what
 * came of them is for its model to read. Pure.
 */
export function listPlannedCalls(
  { step: index, calls: made, rounds }: Pick<StepResult, "step" | "calls" | "rounds">,
  { steps, calls }: Pick<Plan, "steps" | "calls">,
  tools: CallTools,
): readonly ToolCall[] {
  const place = steps[index];
  if (place === undefined || made.length > 0 || rounds > 0) return [];
  const typed = calls
    .filter(({ step }) => step === index)
    .map((call) => toTypedCall(call, { place, ...tools }));
  if (typed.length === 0 || typed.some(({ kind }) => kind === "unfit")) return [];
  const planned = typed.flatMap((call, number): ToolCall[] =>
    call.kind === "unfit"
      ? []
      : [{ id: `planned_${number + 1}`, name: call.tool, args: call.args, argsError: null }],
  );
  return [...planned, createCompleteCall("planned_end")];
}

/** Returns the calls that do something, each once, those that create rows of one table, or delete named ones of a type, as one. Pure. */
export function joinCalls(
  calls: readonly ToolCall[],
  toolbox: Pick<Toolbox, "findCreated">,
): readonly ToolCall[] {
  const doing = calls.filter((call) => !endsStep(call));
  // A model that gives the same call twice at once means it once.
  const single = new Map(doing.map((call) => [JSON.stringify([call.name, call.args]), call]));
  return mergeCalls([...single.values()], toolbox);
}

/** Returns the calls of the steps that remain, by their new places. Pure. */
export function renumberCalls(calls: readonly RowCall[], kept: readonly number[]): RowCall[] {
  return calls.flatMap((call) => {
    const step = kept.indexOf(call.step);
    return step === -1 ? [] : [{ ...call, step }];
  });
}
