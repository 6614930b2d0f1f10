import type { ReasoningLevel } from "../profile/known-models.ts";
import { STRUCTURED_MODES, ToolModeSchema } from "../profile/profile.ts";
import {
  PROBED_NODES,
  WINDOW_SIZES,
  type ProbePlan,
  type ProbeStep,
  type ReasoningControl,
} from "./probe-steps.ts";
import {
  readWindowStep,
  type ProbedStep,
  type ProbeProgress,
  listProbed,
  findStop,
  isStructured,
  listUsableCalls,
  findWorkingTools,
  findControl,
  hasThought,
  isValid,
  countUsed,
} from "./probe-progress.ts";
import { readCache } from "./read-traits.ts";

/** Returns the next step; null at the end of the probe. Pure. */
export function chooseNextStep(progress: ProbeProgress): ProbeStep | null {
  const { done, plan } = progress;
  const text = listProbed(done, "text")[0];
  if (text === undefined) return { kind: "text" };
  // A model that cannot say a word need not be asked for more.
  if (text.outcome.kind === "failed" || findStop(done) !== null) return null;
  return (
    chooseMode(done) ??
    chooseToolMode(done) ??
    (findWorkingTools(done) !== null && listProbed(done, "two-calls").length === 0
      ? { kind: "two-calls" }
      : null) ??
    (listProbed(done, "stream").length === 0 ? { kind: "stream" } : null) ??
    chooseThinking(progress) ??
    chooseQuestion(progress) ??
    chooseOtherMode(progress) ??
    (plan.window ? chooseWindow(done) : null)
  );
}

function chooseMode(done: readonly ProbedStep[]): ProbeStep | null {
  const tried = listProbed(done, "structured");
  if (tried.some(isStructured)) return null;
  const mode = STRUCTURED_MODES[tried.length];
  return mode === undefined ? null : { kind: "structured", mode };
}

function chooseOtherMode({ done, plan }: ProbeProgress): ProbeStep | null {
  if (isSpent(done, plan)) return null;
  const mode = STRUCTURED_MODES[listProbed(done, "structured").length];
  return mode === undefined ? null : { kind: "structured", mode };
}

function chooseToolMode(done: readonly ProbedStep[]): ProbeStep | null {
  const tried = listProbed(done, "tools");
  if (tried.some((one) => listUsableCalls(one).length > 0)) return null;
  const mode = ToolModeSchema.options[tried.length];
  return mode === undefined ? null : { kind: "tools", mode };
}

const CONTROLS = ["effort", "template", "think"] as const;

/** A known field is tried both ways; for a model that thinks without one, each until it is quiet. */
function chooseThinking({ done, start }: ProbeProgress): ProbeStep | null {
  const tried = listProbed(done, "thinking");
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

function chooseQuestion({ done, plan }: ProbeProgress): ProbeStep | null {
  const asked = listProbed(done, "question");
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

function chooseWindow(done: readonly ProbedStep[]): ProbeStep | null {
  const tried = listProbed(done, "window");
  if (tried.some((one) => readWindowStep(one).kind !== "kept")) return null;
  const tokens = WINDOW_SIZES[tried.length];
  return tokens === undefined ? null : { kind: "window", tokens };
}

/** Names what a probe did not get to, in words for its reader; empty where it got to everything. */
export function listNotReached(progress: ProbeProgress): readonly string[] {
  const { done, plan, start } = progress;
  const modes = listProbed(done, "structured");
  const untried = STRUCTURED_MODES.slice(modes.length);
  const questions = PROBED_NODES.flatMap((node) => {
    const all = plan.questions.flatMap((one, index) => (one.node === node ? [index] : []));
    const asked = listProbed(done, "question").filter(({ step }) =>
      all.includes(step.index),
    ).length;
    if (asked === all.length) return [];
    return asked === 0 ? [node] : [`${node} ${all.length - asked} more`];
  });
  const isToolsOpen = chooseToolMode(done) !== null;
  const isPairTried = listProbed(done, "two-calls").length > 0;
  const seesCache = readCache(done, plan) !== null;
  return [
    ...(untried.length === 0 ? [] : [`structured answers by ${untried.join(", ")}`]),
    ...(isToolsOpen ? ["tool calls"] : []),
    ...(isToolsOpen || (findWorkingTools(done) !== null && !isPairTried)
      ? ["two calls at once"]
      : []),
    ...(listProbed(done, "stream").length > 0 ? [] : ["streaming"]),
    ...(chooseThinking({ done, plan, start }) === null ? [] : ["thinking on and off"]),
    ...questions,
    ...(seesCache || plan.questions.length === 0 ? [] : ["cached tokens"]),
    ...(plan.window && chooseWindow(done) !== null ? ["the window"] : []),
  ];
}
