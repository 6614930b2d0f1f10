import type { ModelAnswer, ModelError, ModelErrorCode, ToolCall } from "../../state/model.ts";
import { findStrictBreaches } from "../schema/find-breaches.ts";
import type { ReasoningLevel } from "../profile/known-models.ts";
import type { Observation } from "../profile/learn.ts";
import { extractJson } from "../answers/normalize-answer.ts";
import {
  STRUCTURED_MODES,
  ToolModeSchema,
  TRAITS,
  type ModelProfile,
  type ProfileTraits,
  type ToolMode,
} from "../profile/profile.ts";
import {
  DISH_SCHEMA,
  findHiddenWord,
  PROBE_TOOLS,
  PROBED_NODES,
  WINDOW_SIZES,
  type ProbedNode,
  type ProbePlan,
  type ProbeStep,
  type ReasoningControl,
} from "./probe-steps.ts";

// The pure part of a probe (models.md §1): what is asked next, and what the answers mean.

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

/** An endpoint that counts less of a prompt has cut it. */
const READ_SHARE = 0.8;
/** Windows come in such steps: one that has taken a prompt of 15,000 tokens has at least 16,384. */
const WINDOW_STEP = 4_096;
/** Valid answers below this share make a model small (models.md §1). */
const FULL_SHARE = 0.9;

/** The state of a probe from which the next step follows. */
export interface ProbeProgress {
  readonly plan: ProbePlan;
  readonly done: readonly ProbedStep[];
  /** Assumed, and known by the name. */
  readonly start: ModelProfile;
}

/** Returns the next step; null at the end of the probe. Pure. */
export function chooseNextStep(progress: ProbeProgress): ProbeStep | null {
  const { done, plan } = progress;
  const text = findStep(done, "text")[0];
  if (text === undefined) return { kind: "text" };
  // A model that cannot say a word need not be asked for more.
  if (text.outcome.kind === "failed" || findStop(done) !== null) return null;
  return (
    chooseMode(done) ??
    chooseToolMode(done) ??
    (findWorkingTools(done) !== null && findStep(done, "two-calls").length === 0
      ? { kind: "two-calls" }
      : null) ??
    (findStep(done, "stream").length === 0 ? { kind: "stream" } : null) ??
    chooseThinking(progress) ??
    chooseQuestion(progress) ??
    chooseOtherMode(progress) ??
    (plan.window ? chooseWindow(done) : null)
  );
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
function findStop(done: readonly ProbedStep[]): ModelError | null {
  const { outcome } = done.at(-1) ?? {};
  return outcome?.kind === "failed" && STOPPING.has(outcome.error.code) ? outcome.error : null;
}

type StepNamed<K extends ProbeStep["kind"]> = Extract<ProbeStep, { readonly kind: K }>;
type ProbedNamed<K extends ProbeStep["kind"]> = ProbedStep & { readonly step: StepNamed<K> };

function findStep<K extends ProbeStep["kind"]>(
  done: readonly ProbedStep[],
  kind: K,
): readonly ProbedNamed<K>[] {
  return done.filter((one): one is ProbedNamed<K> => one.step.kind === kind);
}

function chooseMode(done: readonly ProbedStep[]): ProbeStep | null {
  const tried = findStep(done, "structured");
  if (tried.some(isStructured)) return null;
  const mode = STRUCTURED_MODES[tried.length];
  return mode === undefined ? null : { kind: "structured", mode };
}

function chooseOtherMode({ done, plan }: ProbeProgress): ProbeStep | null {
  if (isSpent(done, plan)) return null;
  const mode = STRUCTURED_MODES[findStep(done, "structured").length];
  return mode === undefined ? null : { kind: "structured", mode };
}

function chooseToolMode(done: readonly ProbedStep[]): ProbeStep | null {
  const tried = findStep(done, "tools");
  if (tried.some((one) => listUsableCalls(one).length > 0)) return null;
  const mode = ToolModeSchema.options[tried.length];
  return mode === undefined ? null : { kind: "tools", mode };
}

const CONTROLS = ["effort", "template", "think"] as const;

/** A known field is tried both ways; for a model that thinks without one, each until it is quiet. */
function chooseThinking({ done, start }: ProbeProgress): ProbeStep | null {
  const tried = findStep(done, "thinking");
  const known = start.reasoningControl;
  const wasTried = (control: ReasoningControl, level: ReasoningLevel): boolean =>
    tried.some(({ step }) => step.control === control && step.level === level);
  if (known !== "none") {
    const level = (["medium", "off"] as const).find((one) => !wasTried(known, one));
    if (level !== undefined) return { kind: "thinking", control: known, level };
  }
  if (findControl(done, start) !== null) return null;
  const thinks = done.some((one) => one.step.kind !== "thinking" && hasThought(one));
  if (thinks) {
    const control = CONTROLS.find((one) => !wasTried(one, "off"));
    return control === undefined ? null : { kind: "thinking", control, level: "off" };
  }
  if (known !== "none") return null;
  const [control] = CONTROLS;
  if (!wasTried(control, "medium")) return { kind: "thinking", control, level: "medium" };
  return tried.some(hasThought) && !wasTried(control, "off")
    ? { kind: "thinking", control, level: "off" }
    : null;
}

/** Returns the field that turns thinking off, or down where its name is known; null where none was seen to. */
function findControl(
  done: readonly ProbedStep[],
  { reasoningControl }: ModelProfile,
): ReasoningControl | null {
  const quiet = findStep(done, "thinking").find(
    (one) =>
      one.step.level === "off" &&
      one.outcome.kind === "answered" &&
      (!hasThought(one) || one.step.control === reasoningControl),
  );
  return quiet?.step.control ?? null;
}

function hasThought({ observations }: ProbedStep): boolean {
  return observations.some(({ kind }) => kind === "thought");
}

function chooseQuestion({ done, plan }: ProbeProgress): ProbeStep | null {
  const asked = findStep(done, "question");
  const indexes = new Set(asked.map(({ step }) => step.index));
  const nodes = new Set([...indexes].map((index) => plan.questions[index]?.node));
  // Where an answer was wrong, one alone decides nothing.
  const mayGoOn = !isSpent(done, plan) || asked.some((one) => !isValid(one, plan));
  const index = plan.questions.findIndex(
    ({ node }, each) => !indexes.has(each) && (mayGoOn || !nodes.has(node)),
  );
  return index === -1 ? null : { kind: "question", index };
}

function isSpent(done: readonly ProbedStep[], { tokens }: ProbePlan): boolean {
  return tokens !== null && countUsed(done) >= tokens;
}

/** Counts new input and output tokens, those of the window's search left out. */
export function countUsed(done: readonly ProbedStep[]): number {
  return done.reduce((sum, { step, outcome }) => {
    if (step.kind === "window" || outcome.kind === "failed") return sum;
    const { input, cached, output } = outcome.answer.usage;
    return sum + input - cached + output;
  }, 0);
}

function chooseWindow(done: readonly ProbedStep[]): ProbeStep | null {
  const tried = findStep(done, "window");
  if (tried.some((one) => readWindowStep(one).kind !== "kept")) return null;
  const tokens = WINDOW_SIZES[tried.length];
  return tokens === undefined ? null : { kind: "window", tokens };
}

function isStructured({ step, outcome }: ProbedNamed<"structured">): boolean {
  if (outcome.kind === "failed") return false;
  const { text, json } = outcome.answer;
  // With the schema in the prompt alone an answer may be as loose as can be mended.
  if (step.mode === "json_object" || step.mode === "text") {
    return findStrictBreaches(json, DISH_SCHEMA.schema).length === 0;
  }
  const { found } = extractJson(text);
  return (
    found?.place === "whole" && findStrictBreaches(found.value, DISH_SCHEMA.schema).length === 0
  );
}

function listUsableCalls({ outcome }: ProbedStep): readonly ToolCall[] {
  if (outcome.kind === "failed") return [];
  return outcome.answer.toolCalls.filter(({ name, args }) => {
    const tool = PROBE_TOOLS.find((one) => one.name === name);
    return tool !== undefined && findStrictBreaches(args, tool.schema).length === 0;
  });
}

function findWorkingTools(done: readonly ProbedStep[]): ToolMode | null {
  const working = findStep(done, "tools").find((one) => listUsableCalls(one).length > 0);
  if (working === undefined) return null;
  return isChoiceIgnored(working) ? "union" : working.step.mode;
}

function isChoiceIgnored({ observations }: ProbedStep): boolean {
  return observations.some(({ kind }) => kind === "tool-choice-ignored");
}

function isValid({ step, outcome }: ProbedNamed<"question">, { questions }: ProbePlan): boolean {
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
    const asked = findStep(done, "question").filter(
      ({ step }) => plan.questions[step.index]?.node === node,
    );
    return {
      node,
      valid: asked.filter((one) => isValid(one, plan)).length,
      asked: asked.length,
    };
  });
}

type WindowReading =
  | { readonly kind: "kept"; readonly tokens: number }
  /** Of a longer prompt `read` tokens were left; null where nothing says how many. */
  | { readonly kind: "cut"; readonly read: number | null }
  | { readonly kind: "refused"; readonly window: number | null }
  | { readonly kind: "failed" };

function readWindowStep({ step, outcome, observations }: ProbedNamed<"window">): WindowReading {
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

/** A field that a probe has found out. */
export interface ProbedTrait {
  readonly field: keyof ProfileTraits;
  /** The fields to set; none where what is known stays. */
  readonly traits: Partial<ProfileTraits>;
  readonly reason: string;
}

/** Returns what the answers so far tell about the endpoint and its model. Pure. */
export function readProbedTraits(progress: ProbeProgress): readonly ProbedTrait[] {
  const { plan, start } = progress;
  const done = findStop(progress.done) === null ? progress.done : progress.done.slice(0, -1);
  return [
    readStructured(done),
    readTools(done),
    readStrict(done),
    readStream(done),
    readControl(done, start),
    readWindowTrait(done, start),
    readCache(done, plan),
    readTier(done, plan),
  ].flatMap((trait) => trait ?? []);
}

function readStructured(done: readonly ProbedStep[]): ProbedTrait | null {
  const tried = findStep(done, "structured");
  const working = tried.findIndex(isStructured);
  if (working === -1) {
    // Nothing worked: the way with the fewest demands is left.
    return tried.length < STRUCTURED_MODES.length
      ? null
      : {
          field: "structured",
          traits: { structured: "text" },
          reason: "no way of asking gave a valid answer",
        };
  }
  const found = tried[working];
  if (found === undefined) return null;
  const failed = tried.slice(0, working).map((one) => `${one.step.mode} ${describeFailure(one)}`);
  const { mode } = found.step;
  const others = tried
    .slice(working + 1)
    .filter(isStructured)
    .map((one) => one.step.mode);
  const areAll = others.length === STRUCTURED_MODES.length - 1;
  const also = areAll ? "all others" : others.join(", ");
  const first = others.length === 0 ? mode : `${mode}; also ${also}`;
  return {
    field: "structured",
    traits: { structured: mode },
    reason: failed.length === 0 ? first : `${failed.join(", ")} → ${mode}`,
  };
}

function describeFailure({ outcome }: ProbedStep): string {
  if (outcome.kind === "answered") return "is ignored";
  return outcome.error.code === "model_request_refused" ? "is refused" : "fails";
}

function readTools(done: readonly ProbedStep[]): ProbedTrait | null {
  const tried = findStep(done, "tools");
  const tools = findWorkingTools(done);
  if (tools === null) {
    return tried.length < ToolModeSchema.options.length
      ? null
      : { field: "tools", traits: { tools: "union" }, reason: "no way of asking gave a call" };
  }
  const ignored = tried.some(isChoiceIgnored);
  const first = tried[0];
  const isFirst = tools === "required";
  const failure =
    ignored || first === undefined ? "required is ignored" : `required ${describeFailure(first)}`;
  const reason = isFirst ? "required" : `${failure} → ${tools}`;
  return { field: "tools", traits: { tools }, reason };
}

function readStrict(done: readonly ProbedStep[]): ProbedTrait | null {
  const sent = findStep(done, "structured").find(
    (one) => isStructured(one) && ["json_schema", "tool"].includes(one.step.mode),
  );
  if (sent === undefined) return null;
  const isRefused = done.some(({ observations }) =>
    observations.some((one) => one.kind === "field-refused" && one.field === "strict"),
  );
  return {
    field: "strict",
    traits: { strict: !isRefused },
    reason: isRefused ? '"strict" is refused' : '"strict" is taken',
  };
}

/** An answer this short may come in one piece from anybody. */
const LONG_TEXT = 100;

function readStream(done: readonly ProbedStep[]): ProbedTrait | null {
  const [stream] = findStep(done, "stream");
  if (stream === undefined) return null;
  const field = "streams";
  const { outcome, pieces, observations } = stream;
  if (outcome.kind === "failed") return { field, traits: {}, reason: "a streamed answer failed" };
  const isRefused = observations.some(
    (one) => one.kind === "field-refused" && one.field === "stream",
  );
  const isIgnored = observations.some(({ kind }) => kind === "stream-ignored");
  if (isRefused || isIgnored) {
    const reason = `${isRefused ? "is refused" : "is ignored"} → whole answers`;
    return { field, traits: { streams: false }, reason };
  }
  if (pieces > 1) return { field, traits: { streams: true }, reason: "in pieces" };
  if (outcome.answer.text.length < LONG_TEXT) return null;
  return { field, traits: { streams: false }, reason: "the whole answer in one piece" };
}

function readControl(done: readonly ProbedStep[], start: ModelProfile): ProbedTrait | null {
  const tried = findStep(done, "thinking");
  if (tried.length === 0) return null;
  const control = findControl(done, start);
  if (control !== null && done.some(hasThought)) {
    const isDown = tried.some((one) => one.step.level === "off" && hasThought(one));
    return {
      field: "reasoningControl",
      traits: { reasoningControl: control },
      reason: isDown ? "can be turned down" : "can be switched off",
    };
  }
  // A field that changes nothing need not be sent.
  if (!done.some(hasThought)) {
    return {
      field: "reasoningControl",
      traits: start.reasoningControl === "none" ? { reasoningControl: "none" } : {},
      reason: "none seen",
    };
  }
  return {
    field: "reasoningControl",
    traits: { reasoningControl: "none" },
    reason: "cannot be switched off",
  };
}

function readWindowTrait(done: readonly ProbedStep[], start: ModelProfile): ProbedTrait | null {
  const readings = findStep(done, "window").map(readWindowStep);
  const kept = readings.findLast((one) => one.kind === "kept")?.tokens ?? null;
  const least = kept === null ? null : Math.ceil(kept / WINDOW_STEP) * WINDOW_STEP;
  const field = "contextWindow";
  const last = readings.at(-1);
  switch (last?.kind) {
    case "cut": {
      const tokens = last.read ?? least;
      const reason = "a longer prompt lost its beginning";
      return { field, traits: tokens === null ? {} : { contextWindow: tokens }, reason };
    }
    case "refused": {
      const tokens = last.window ?? least;
      const reason = "a longer prompt is refused";
      return { field, traits: tokens === null ? {} : { contextWindow: tokens }, reason };
    }
    case "kept": {
      const isKnown = start.evidence.contextWindow?.source === "known";
      // More was not tried: what is known by the name may be more.
      if (isKnown && (start.contextWindow ?? 0) >= last.tokens) {
        return { field, traits: {}, reason: `a prompt of ${last.tokens} tokens was read whole` };
      }
      const traits = least === null ? {} : { contextWindow: least };
      return { field, traits, reason: "at least; more was not tried" };
    }
    case "failed":
      return { field, traits: {}, reason: "a long prompt failed" };
    case undefined:
      return null;
    default:
      return last satisfies never;
  }
}

function readCache(done: readonly ProbedStep[], { questions }: ProbePlan): ProbedTrait | null {
  const isReported = done.some(({ observations }) =>
    observations.some(({ kind }) => kind === "cached"),
  );
  const field = "promptCache";
  if (isReported) return { field, traits: { promptCache: "reported" }, reason: "counted" };
  const asked = findStep(done, "question").map(({ step }) => questions[step.index]?.request);
  return new Set(asked).size === asked.length
    ? null
    : { field, traits: { promptCache: "unreported" }, reason: "none of the same prompt twice" };
}

function readTier(done: readonly ProbedStep[], plan: ProbePlan): ProbedTrait | null {
  const counts = countValid(done, plan);
  const asked = counts.reduce((sum, count) => sum + count.asked, 0);
  const valid = counts.reduce((sum, count) => sum + count.valid, 0);
  if (asked === 0 || valid / asked >= FULL_SHARE) return null;
  const reason = `${valid} of ${asked} answers valid`;
  return { field: "tier", traits: { tier: "small" }, reason };
}

/** Tokens a second, and seconds of a usual turn; null where nothing shows it. */
export interface ProbedSpeed {
  readonly read: number | null;
  readonly written: number | null;
  readonly turnSeconds: number | null;
}

/** Computes the speed from the answers: of reading from the nodes' prompts, of writing from the stream. */
export function readSpeed(done: readonly ProbedStep[], plan: ProbePlan): ProbedSpeed {
  const [stream] = findStep(done, "stream");
  const written = stream === undefined ? null : readWritingSpeed(stream);
  const answered = findStep(done, "question").flatMap(({ step, ms, outcome }) =>
    outcome.kind === "failed"
      ? []
      : [{ node: plan.questions[step.index]?.node, ms, usage: outcome.answer.usage }],
  );
  const reading = answered.flatMap(({ ms, usage }) => {
    const seconds = ms / 1_000 - (written === null ? 0 : usage.output / written);
    const tokens = usage.input - usage.cached;
    return seconds > 0 && tokens > 0 ? [tokens / seconds] : [];
  });
  const nodes = PROBED_NODES.map((node) =>
    average(answered.filter((one) => one.node === node).map(({ ms }) => ms)),
  );
  const [understand, think] = nodes;
  return {
    read: average(reading),
    written,
    turnSeconds:
      understand == null || think == null || stream === undefined
        ? null
        : (understand + think + stream.ms) / 1_000,
  };
}

function readWritingSpeed({ ms, firstMs, outcome }: ProbedStep): number | null {
  if (outcome.kind === "failed") return null;
  // A text in one piece was written before it came.
  const writing = firstMs !== null && ms - firstMs > ms / 10 ? ms - firstMs : ms;
  const { output } = outcome.answer.usage;
  return output === 0 || writing <= 0 ? null : (output * 1_000) / writing;
}

function average(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

/** Fields that a probe sets only where something is lacking, and the step that would show it. */
const SHOWN_BY: Partial<Record<keyof ProfileTraits, ProbeStep["kind"]>> = {
  systemRole: "text",
  delivery: "stream",
  streamUsage: "stream",
  tier: "question",
};

/** Lists the fields that would have been set if they were still lacking: their step was answered. */
export function listShown(done: readonly ProbedStep[]): readonly (keyof ProfileTraits)[] {
  const answered = new Set(
    done.flatMap(({ step, outcome }) => (outcome.kind === "answered" ? [step.kind] : [])),
  );
  return TRAITS.filter((name) => {
    const kind = SHOWN_BY[name];
    return kind !== undefined && answered.has(kind);
  });
}

/** The verdict on a model. */
export type ProbeVerdict =
  /** `partly`: the prompts of the nodes were not reached. */
  | { readonly kind: "usable"; readonly judged: "valid" | "with repairs" | "partly" }
  /** `advice`: the first thing to do, an imperative. */
  | { readonly kind: "unusable"; readonly advice: string }
  /** It gives no answer at all; the sentence says why and what to do. */
  | { readonly kind: "failed"; readonly sentence: string };

/** Judges a model by its answers. */
export function judgeProbe({ done, plan }: ProbeProgress): ProbeVerdict {
  const [text] = findStep(done, "text");
  if (text === undefined) {
    return { kind: "unusable", advice: "choose a faster model: it gave no answer in time" };
  }
  if (text.outcome.kind === "failed") {
    return { kind: "failed", sentence: text.outcome.error.message };
  }
  const stop = findStop(done);
  if (stop !== null) return { kind: "failed", sentence: stop.message };
  const stream = findStep(done, "stream")[0]?.outcome;
  // Every reply in words is streamed.
  if (stream?.kind === "failed") return { kind: "failed", sentence: stream.error.message };
  const modes = findStep(done, "structured");
  if (modes.length === STRUCTURED_MODES.length && !modes.some(isStructured)) {
    return {
      kind: "unusable",
      advice: "choose another model: it gave no structured answer that can be read",
    };
  }
  const counts = countValid(done, plan);
  const none = counts.find(({ asked, valid }) => asked > 0 && valid === 0);
  if (none !== undefined) {
    return {
      kind: "unusable",
      advice: `choose another model: no answer to the prompt of ${none.node} was valid`,
    };
  }
  if (counts.some(({ asked }) => asked === 0)) return { kind: "usable", judged: "partly" };
  const isValid = counts.every(({ asked, valid }) => valid === asked);
  return { kind: "usable", judged: isValid ? "valid" : "with repairs" };
}

/** Names what a probe did not get to, in words for its reader; empty where it got to everything. */
export function listNotReached(progress: ProbeProgress): readonly string[] {
  const { done, plan, start } = progress;
  const modes = findStep(done, "structured");
  const untried = STRUCTURED_MODES.slice(modes.length);
  const questions = PROBED_NODES.flatMap((node) => {
    const all = plan.questions.flatMap((one, index) => (one.node === node ? [index] : []));
    const asked = findStep(done, "question").filter(({ step }) => all.includes(step.index)).length;
    if (asked === all.length) return [];
    return asked === 0 ? [node] : [`${node} ${all.length - asked} more`];
  });
  const isToolsOpen = chooseToolMode(done) !== null;
  const isPairTried = findStep(done, "two-calls").length > 0;
  const seesCache = readCache(done, plan) !== null;
  return [
    ...(untried.length === 0 ? [] : [`structured answers by ${untried.join(", ")}`]),
    ...(isToolsOpen ? ["tool calls"] : []),
    ...(isToolsOpen || (findWorkingTools(done) !== null && !isPairTried)
      ? ["two calls at once"]
      : []),
    ...(findStep(done, "stream").length > 0 ? [] : ["streaming"]),
    ...(chooseThinking({ done, plan, start }) === null ? [] : ["thinking on and off"]),
    ...questions,
    ...(seesCache || plan.questions.length === 0 ? [] : ["cached tokens"]),
    ...(plan.window && chooseWindow(done) !== null ? ["the window"] : []),
  ];
}

/** Counts the calls that came when two were asked for; null where that was not tried. */
export function countCallsAtOnce(done: readonly ProbedStep[]): number | null {
  const [step] = findStep(done, "two-calls");
  return step === undefined ? null : listUsableCalls(step).length;
}
