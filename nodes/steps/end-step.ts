import type { Breach } from "../../state/domain.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { Artifact, StepResult } from "../../state/step.ts";
import { findBreaches, breachQuestion, describeBreaches } from "./breaches.ts";
import { readArtifact } from "./drafts.ts";
import { openRows, withOpenRows } from "./open-rows.ts";
import type { ActRound, OpenStep, StepClosing, StepDecision } from "./round.ts";
import { renderSentence } from "../../text/sentences.ts";
import type { CompleteEnd, StepEnd } from "./step-tools.ts";

/** Ends a step the way its model asks for. */
export function endStep(end: StepEnd, open: OpenStep): StepClosing {
  const { result, round } = open;
  switch (end.kind) {
    case "complete":
      return completeStep(end, open);
    case "ask":
      return closing({
        ...closed(result, "asked", end.partialAnalysis),
        question: end.question,
        breaches: result.calls.flatMap(({ breaches }) => breaches),
      });
    case "block":
      return closing({
        ...closed(result, blockedStatus(end.suggestion, round), withOpenRows(result, end.reason)),
        question: end.suggestion === "ask" ? end.reason : null,
        blocked: { reason: end.reason, tried: end.tried, suggestion: end.suggestion },
      });
    case "fail":
      return closing(closed(result, "failed", withOpenRows(result, end.reason)));
    default:
      return end satisfies never;
  }
}

/** Ends the step as failed, for a reason that code gives. */
export function failStep(result: StepResult, reason: string): StepClosing {
  return closing(closed(result, "failed", withOpenRows(result, reason)));
}

/** Ends the step at a limit, with the results so far. */
export function cutStep(
  { step, result }: Pick<OpenStep, "step" | "result">,
  reason: string,
): StepDecision {
  const done = doneSoFar(step, result);
  const outcome =
    done === null
      ? renderSentence("stepNotDone", { reason })
      : renderSentence("stepEndedEarly", { reason, result: done });
  const status = done !== null && openRows(result).length === 0 ? "done" : "failed";
  return {
    ...closing(closed(result, status, withOpenRows(result, outcome))),
    calls: [],
    notices: [{ node: "act", code: "limit", text: `Step ${result.step + 1} was cut: ${reason}` }],
  };
}

/** Describes the result of a step that is cut; null where none of its purpose was reached. */
function doneSoFar(step: PlanStep, result: StepResult): string | null {
  const good = result.calls.filter(({ ok }) => ok);
  switch (step.stepType) {
    case "read":
      return good.length > 0 ? renderSentence("resultFound") : null;
    case "write":
      return good.some(({ effect, refs }) => effect === "write" && refs.length > 0)
        ? renderSentence("resultStored")
        : null;
    case "analyze":
    case "generate":
      return null;
    default:
      return step.stepType satisfies never;
  }
}

function blockedStatus(
  suggestion: "ask" | "replan" | "stop",
  { plan, services }: ActRound,
): StepResult["status"] {
  if (suggestion === "ask") return "asked";
  const again = suggestion === "replan" && plan.replans < services.limits.replansPerTurn;
  return again ? "replan" : "blocked";
}

function completeStep(end: CompleteEnd, open: OpenStep): StepClosing {
  const { result, step, round } = open;
  const breaches = draftBreaches(end.artifacts, round);
  if (breaches.length > 0) return breakingStep(end, { result, breaches });
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

interface BrokenResult {
  readonly result: StepResult;
  readonly breaches: Breach[];
}

/** Drafts that break a wish or a rule go back once; if they stand, the person is asked. */
function breakingStep(end: CompleteEnd, { result, breaches }: BrokenResult): StepClosing {
  if (result.breaches.length === 0 && result.repairs.length === 0) {
    const reason = `The drafts break what was asked: ${describeBreaches(breaches)}`;
    return closing({ ...result, repairs: [reason] });
  }
  const question = breachQuestion(breaches);
  return {
    result: { ...result, status: "asked", outcome: end.resultSummary, breaches, question },
    pendingCalls: [],
    artifacts: end.artifacts,
  };
}

function draftBreaches(artifacts: readonly Artifact[], round: ActRound): Breach[] {
  const { services, state, view, profile } = round;
  const facts = { registry: view.registry, toolbox: services.toolbox };
  const contents = artifacts.flatMap((artifact) => {
    const reading = readArtifact(artifact, facts);
    return reading.kind === "content" ? [reading.content] : [];
  });
  const check = services.domain.checks.drafts;
  return findBreaches(contents, { check, state, profile: profile.facts });
}

function closed(result: StepResult, status: StepResult["status"], outcome: string): StepResult {
  return { ...result, status, outcome, refs: touched(result) };
}

function closing(result: StepResult): StepClosing {
  return { result, pendingCalls: [], artifacts: [] };
}

/** The refs that the step's calls found or wrote, each once. */
function touched(result: StepResult): string[] {
  return [...new Set(result.calls.filter(({ ok }) => ok).flatMap(({ refs }) => refs))];
}
