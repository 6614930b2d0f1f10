import type { ToolCall } from "../../state/model.ts";
import type { Artifact, StepResult } from "../../state/step.ts";
import { readArtifact } from "./drafts.ts";
import { wordUnread } from "./end-step.ts";
import { hasAnswered, openRows, triedAgain } from "./open-rows.ts";
import type { ActRound, OpenStep } from "./round.ts";
import {
  endsStep,
  listCallable,
  readStepEnd,
  type CompleteEnd,
  type StepEnd,
} from "./step-tools.ts";

/** Returns the problems of a step's calls, as sentences that go back to its model. */
export function checkCalls(calls: readonly ToolCall[], open: OpenStep): string[] {
  if (calls.length === 0) {
    return [
      `no tool was called; call a tool, or end the step with complete_step or ${describeGivingUp(open)}`,
    ];
  }
  return selectCalls(calls).flatMap((call) => {
    if (!endsStep(call)) return checkDoing(call, open);
    const end = readStepEnd(call, open.step, open.round.services.toolbox);
    return end.kind === "wrong" ? [end.problem] : checkEnd(end, open);
  });
}

/** Selects the calls that count: all that do something, else the first that ends the step. */
export function selectCalls(calls: readonly ToolCall[]): readonly ToolCall[] {
  const doing = calls.filter((call) => !endsStep(call));
  return doing.length > 0 ? doing : calls.slice(0, 1);
}

/** Lists the refs that a step's end may name: a judgement leaves out what the person has excluded. */
export function listRefsForEnd({ step, round }: OpenStep): string[] {
  return round.view.registry.entries
    .filter(
      ({ action, demotion }) =>
        action !== "deleted" && (demotion === null || step.stepType !== "analyze"),
    )
    .map(({ ref }) => ref);
}

/**
 * Returns the usable part of calls that stay wrong: those that are right by themselves, or an end.
 * Rows that are still open do not keep a step from ending.
 */
export function usableCalls(calls: readonly ToolCall[], open: OpenStep): ToolCall[] | null {
  const doing = calls.filter((call) => !endsStep(call) && checkDoing(call, open).length === 0);
  if (doing.length > 0) return doing;
  const [first] = calls;
  if (first === undefined || !endsStep(first)) return null;
  const end = readStepEnd(first, open.step, open.round.services.toolbox);
  return end.kind === "complete" && checkWork(end, open).length === 0 ? [first] : null;
}

function checkDoing(call: ToolCall, open: OpenStep): string[] {
  return [
    ...checkTool(call.name, open),
    ...(answeredBefore(call, open.result)
      ? [`${call.name} with these arguments has answered already; use what it gave or end the step`]
      : []),
  ];
}

/** A step may call the tools that it is offered. */
function checkTool(name: string, { step, round }: OpenStep): string[] {
  const { toolbox, tier = "full" } = round.services;
  const callable = listCallable({ ...step, tier }, toolbox);
  if (callable.includes(name)) return [];
  const exists = toolbox.tools.some((tool) => tool.name === name);
  const wrong = exists
    ? `is not for ${step.stepType} steps of ${step.subdomain}`
    : "does not exist";
  return [`tool "${name}" ${wrong}; there are: ${callable.join(", ")}, and those that end a step`];
}

function answeredBefore(call: ToolCall, result: StepResult): boolean {
  const args = JSON.stringify(call.args);
  // One whose rows did not all go in may be tried once more as it was.
  return result.calls.some(
    ({ tool, ok, failures, args: before }) =>
      ok && failures.length === 0 && tool === call.name && JSON.stringify(before) === args,
  );
}

function checkEnd(end: StepEnd, open: OpenStep): string[] {
  if (end.kind !== "complete") return [];
  return [...checkRows(open), ...checkReads(open), ...checkWork(end, open)];
}

/** A look-up that failed is made another way before its step completes. */
function checkReads(open: OpenStep): string[] {
  if (wordUnread(open) === null) return [];
  return [
    `a read failed, so nothing is known of what it was to find; read it another way, or end the step with ${describeGivingUp(open)}`,
  ];
}

/** Rows that did not go in are tried once more before a step ends; a call that was refused is not. */
function checkRows(open: OpenStep): string[] {
  const { result } = open;
  const rows = openRows({ ...result, calls: result.calls.filter(({ ok }) => ok) });
  const tried = result.calls.at(-1)?.ok === false || triedAgain(result);
  if (rows.length === 0 || tried) return [];
  const end = open.round.services.tier === "small" ? "fail" : "block";
  return [`rows are still open: ${rows.join("; ")}. Try those once more, or ${end} the step`];
}

/** Names the tools by which a step ends without its result. */
function describeGivingUp({ round }: OpenStep): string {
  return round.services.tier === "small" ? "fail_step" : "block_step or fail_step";
}

/** A write has written, and drafts can be saved as they stand. */
function checkWork(end: CompleteEnd, open: OpenStep): string[] {
  const { step, result, round } = open;
  const wrote = result.calls.some(
    // A step that plans no write is there for a service outside.
    (call) => call.effect === "write" || (step.writes.length === 0 && hasAnswered(call)),
  );
  return [
    ...(step.stepType === "write" && !wrote
      ? [`nothing was written in this step; write, or end it with ${describeGivingUp(open)}`]
      : []),
    ...checkArtifacts(end.artifacts, round),
  ];
}

function checkArtifacts(artifacts: readonly Artifact[], round: ActRound): string[] {
  const facts = { registry: round.view.registry, toolbox: round.services.toolbox };
  return artifacts.flatMap((artifact) => {
    const reading = readArtifact(artifact, facts);
    return reading.kind === "wrong" ? [reading.problem] : [];
  });
}
