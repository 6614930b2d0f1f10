import type { ModelAnswer, ModelError, ModelErrorCode, ToolCall } from "../../state/model.ts";
import { findStrictBreaches } from "../schema/find-breaches.ts";
import type { Observation } from "../profile/learn.ts";
import { extractJson } from "../answers/normalize-answer.ts";
import type { ModelProfile, ToolMode } from "../profile/profile.ts";
import {
  DISH_SCHEMA,
  findHiddenWord,
  PROBE_TOOLS,
  PROBED_NODES,
  type ProbedNode,
  type ProbePlan,
  type ProbeStep,
  type ReasoningControl,
} from "./probe-steps.ts";

/** A step with what came of it. */
export interface ProbedStep {
  readonly step: ProbeStep;
  readonly observations: readonly Observation[];
  readonly ms: number;
  /** Milliseconds until the first piece of a streamed text; null without one. */
  readonly firstMs: number | null;
  /** Pieces of a streamed text. */
  readonly pieces: number;
  readonly outcome:
    | { readonly kind: "answered"; readonly answer: ModelAnswer }
    | { readonly kind: "failed"; readonly error: ModelError };
}

/** The state of a probe from which the next step follows. */
export interface ProbeProgress {
  readonly plan: ProbePlan;
  readonly done: readonly ProbedStep[];
  /** Assumed, and known by the name. */
  readonly start: ModelProfile;
}

type StepNamed<K extends ProbeStep["kind"]> = Extract<ProbeStep, { readonly kind: K }>;

type ProbedNamed<K extends ProbeStep["kind"]> = ProbedStep & { readonly step: StepNamed<K> };

export function listProbed<K extends ProbeStep["kind"]>(
  done: readonly ProbedStep[],
  kind: K,
): readonly ProbedNamed<K>[] {
  return done.filter((one): one is ProbedNamed<K> => one.step.kind === kind);
}

/** Failures that say nothing of what was asked, and that the next call would meet as well. */
const STOPPING: ReadonlySet<ModelErrorCode> = new Set([
  "model_key_rejected",
  "model_unknown",
  "model_unreachable",
  "model_no_credit",
  "model_rate_limited",
  "model_busy",
]);

/** Returns the failure that ended the probe; null where none did. */
export function findStop(done: readonly ProbedStep[]): ModelError | null {
  const { outcome } = done.at(-1) ?? {};
  return outcome?.kind === "failed" && STOPPING.has(outcome.error.code) ? outcome.error : null;
}

export function isStructured({ step, outcome }: ProbedNamed<"structured">): boolean {
  if (outcome.kind === "failed") return false;
  const { text, json } = outcome.answer;
  // With the schema in the prompt alone an answer may be as loose as can be mended.
  if (step.mode === "json_object" || step.mode === "text") {
    return findStrictBreaches(json, DISH_SCHEMA.schema).length === 0;
  }
  const [found] = extractJson(text).found;
  return (
    found?.place === "whole" && findStrictBreaches(found.value, DISH_SCHEMA.schema).length === 0
  );
}

export function listUsableCalls({ outcome }: ProbedStep): readonly ToolCall[] {
  if (outcome.kind === "failed") return [];
  return outcome.answer.toolCalls.filter(({ name, args }) => {
    const tool = PROBE_TOOLS.find((one) => one.name === name);
    return tool !== undefined && findStrictBreaches(args, tool.schema).length === 0;
  });
}

export function findWorkingTools(done: readonly ProbedStep[]): ToolMode | null {
  const working = listProbed(done, "tools").find((one) => listUsableCalls(one).length > 0);
  if (working === undefined) return null;
  return isChoiceIgnored(working) ? "union" : working.step.mode;
}

export function isChoiceIgnored({ observations }: ProbedStep): boolean {
  return observations.some(({ kind }) => kind === "tool-choice-ignored");
}

/** Returns the field that turns thinking off, or down where its name is known; null where none was seen to. */
export function findControl(
  done: readonly ProbedStep[],
  { reasoningControl }: ModelProfile,
): ReasoningControl | null {
  const quiet = listProbed(done, "thinking").find(
    (one) =>
      one.step.level === "off" &&
      one.outcome.kind === "answered" &&
      (!hasThought(one) || one.step.control === reasoningControl),
  );
  return quiet?.step.control ?? null;
}

export function hasThought({ observations }: ProbedStep): boolean {
  return observations.some(({ kind }) => kind === "thought");
}

export function isValid(
  { step, outcome }: ProbedNamed<"question">,
  { questions }: ProbePlan,
): boolean {
  if (outcome.kind === "failed") return false;
  const { accept } = questions[step.index]?.request ?? {};
  return (accept?.(outcome.answer) ?? []).length === 0;
}

/** Valid answers of a node. */
export interface ValidityCount {
  readonly node: ProbedNode;
  readonly valid: number;
  readonly asked: number;
}

/** Counts the valid answers of each node that was asked. */
export function countValid(done: readonly ProbedStep[], plan: ProbePlan): readonly ValidityCount[] {
  return PROBED_NODES.map((node) => {
    const asked = listProbed(done, "question").filter(
      ({ step }) => plan.questions[step.index]?.node === node,
    );
    return {
      node,
      valid: asked.filter((one) => isValid(one, plan)).length,
      asked: asked.length,
    };
  });
}

/** Counts new input and output tokens, those of the window's search left out. */
export function countUsed(done: readonly ProbedStep[]): number {
  return done.reduce((sum, { step, outcome }) => {
    if (step.kind === "window" || outcome.kind === "failed") return sum;
    const { input, cached, output } = outcome.answer.usage;
    return sum + input - cached + output;
  }, 0);
}

/** Counts the calls that came when two were asked for; null where that was not tried. */
export function countCallsAtOnce(done: readonly ProbedStep[]): number | null {
  const [step] = listProbed(done, "two-calls");
  return step === undefined ? null : listUsableCalls(step).length;
}

/** An endpoint that counts less of a prompt has cut it. */
const READ_SHARE = 0.8;

type WindowReading =
  | { readonly kind: "kept"; readonly tokens: number }
  /** Of a longer prompt `read` tokens were left; null where nothing says how many. */
  | { readonly kind: "cut"; readonly read: number | null }
  | { readonly kind: "refused"; readonly window: number | null }
  | { readonly kind: "failed" };

export function readWindowStep({
  step,
  outcome,
  observations,
}: ProbedNamed<"window">): WindowReading {
  if (outcome.kind === "failed") {
    if (outcome.error.code !== "model_context_too_long") return { kind: "failed" };
    const named = observations.find((one) => one.kind === "window-named");
    return { kind: "refused", window: named?.tokens ?? null };
  }
  const { text, usage } = outcome.answer;
  if (usage.input > 0 && usage.input < READ_SHARE * step.tokens) {
    return { kind: "cut", read: usage.input };
  }
  if (!text.toLowerCase().includes(findHiddenWord(step.tokens))) {
    return { kind: "cut", read: null };
  }
  return { kind: "kept", tokens: Math.max(step.tokens, usage.input) };
}
