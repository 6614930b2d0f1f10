import type { DraftVerdicts } from "../../domain/check-drafts.ts";
import type { Breach } from "../../state/change.ts";
import { createRefBook } from "../../registry/ref-book.ts";
import { isTurnNearlySpent } from "../ask/turn-meter.ts";
import type { PlanStep } from "../../state/plan.ts";
import type { Artifact, StepResult } from "../../state/step.ts";
import { breachQuestion, collectRules, describeBreaches } from "./breaches.ts";
import { readArtifact } from "./drafts.ts";
import { hideMachinery } from "./hide-machinery.ts";
import { hasDoneSomething, listTouched, openRows, withOpenRows } from "./open-rows.ts";
import { toPendingCalls } from "./pending-calls.ts";
import type { ActRound, OpenStep, StepClosing, StepDecision } from "./round.ts";
import { requireRun } from "../require-run.ts";
import { addFullStop, renderSentence } from "../../text/sentences.ts";
import { RECALL_SCHEMA } from "./recall.ts";
import { wordFailedReads } from "../reply/render-look-up.ts";
import type { CompleteEnd, StepEnd } from "./step-tools.ts";

/** Ends a step the way its model asks for. */
export async function endStep(given: StepEnd, open: OpenStep): Promise<StepClosing> {
  const { result, round } = open;
  const end = hideMachinery(given, round.services.toolbox);
  switch (end.kind) {
    case "complete":
      return completeStep(end, open);
    case "ask":
      return (
        askAboutRefused(open) ??
        closing({
          ...closed(result, "asked", trueWords(end.partialAnalysis, open)),
          question: end.question,
          breaches: result.calls.flatMap(({ breaches }) => breaches),
        })
      );
    case "block":
      return closing({
        ...closed(result, blockedStatus(end.suggestion, round), withOpenRows(result, end.reason)),
        question: end.suggestion === "ask" ? end.reason : null,
        blocked: { reason: end.reason, tried: end.tried, suggestion: end.suggestion },
      });
    case "fail":
      return failStep(result, end.reason);
    default:
      return end satisfies never;
  }
}

/**
 * A question after a call that was sent back for a rule which the person may override: the same call
 * is made again, and code words what it would do. Null where there is no such call.
 */
function askAboutRefused({ result, round }: OpenStep): StepClosing | null {
  const since = result.calls.findLastIndex(({ ok, effect }) => ok && effect === "write") + 1;
  const refused = result.calls
    .slice(since)
    .filter(
      ({ breaches }) => breaches.length > 0 && breaches.every(({ overridable }) => overridable),
    );
  if (refused.length === 0) return null;
  const again = refused.map(({ callId: id, tool: name, args }) => ({
    id,
    name,
    args,
    argsError: null,
  }));
  return { result, pendingCalls: toPendingCalls(again, { result, round }), artifacts: [] };
}

/** Ends the step as failed, or as partial where it has done something. */
export function failStep(result: StepResult, reason: string): StepClosing {
  const status = hasDoneSomething(result) ? "partial" : "failed";
  return closing(closed(result, status, withOpenRows(result, reason)));
}

/** Ends the step at a limit, with the results so far. */
export function cutStep(
  { step, result }: Pick<OpenStep, "step" | "result">,
  reason: string,
): StepDecision {
  const done = doneSoFar(step, result);
  const outcome =
    done === null
      ? renderSentence("stepNotDone", { cause: reason })
      : renderSentence("stepEndedEarly", { cause: reason, result: done });
  const status = done === null ? "failed" : step.stepType === "write" ? "partial" : "done";
  return {
    ...closing(closed(result, status, withOpenRows(result, outcome))),
    calls: [],
    notices: [{ node: "act", code: "limit", text: `Step ${result.step + 1} was cut: ${reason}` }],
  };
}

/** Describes the result of a step that is cut; null where none of its purpose was reached. */
function doneSoFar(step: PlanStep, result: StepResult): string | null {
  switch (step.stepType) {
    case "read":
      return hasFound(result) ? renderSentence("resultFound") : null;
    case "write":
      return hasDoneSomething(result) ? renderSentence("resultStored") : null;
    case "analyze":
    case "generate":
      return null;
    default:
      return step.stepType satisfies never;
  }
}

function blockedStatus(
  suggestion: "ask" | "replan" | "stop",
  { plan, state, services, io }: ActRound,
): StepResult["status"] {
  if (suggestion === "ask") return "asked";
  const again =
    suggestion === "replan" &&
    plan.replans < services.limits.replansPerTurn &&
    !isTurnNearlySpent(state.calls, services, io);
  return again ? "replan" : "blocked";
}

async function completeStep(end: CompleteEnd, open: OpenStep): Promise<StepClosing> {
  const { result, step, round } = open;
  const { breaches, warnings } = await judgeDrafts(end.artifacts, round);
  if (breaches.length > 0) return breakingStep(end, { result, breaches });
  if (wordUnread(open) !== null) {
    const status = hasFound(result) ? "partial" : "failed";
    return closing(closed(result, status, trueWords(end.resultSummary, open)));
  }
  const rows = openRows(result);
  const touched = step.stepType === "analyze" ? [] : listTouched(result);
  const refs = [...new Set([...touched, ...end.refs])];
  return {
    result: {
      ...result,
      status: rows.length === 0 ? "done" : hasDoneSomething(result) ? "partial" : "failed",
      outcome: withOpenRows(result, end.resultSummary),
      note: end.noteForNextStep,
      refs,
      warnings: [...result.warnings, ...warnings],
    },
    pendingCalls: [],
    artifacts: step.stepType === "generate" ? end.artifacts : [],
  };
}

/** Words what a read step could not look up; null where nothing failed, and for every other step. */
export function wordUnread({ step, result, round }: OpenStep): string | null {
  if (step.stepType !== "read") return null;
  return wordFailedReads(result.calls, round.services.domain);
}

/** The words of a model about a step, which stand only beside what was found where something could not be looked up. */
function trueWords(words: string, open: OpenStep): string {
  const unread = wordUnread(open);
  if (unread === null) return words;
  return hasFound(open.result) ? `${addFullStop(words)} ${unread}` : unread;
}

/** Returns true where a read has answered. What was said earlier does not stand for it. */
function hasFound({ calls }: StepResult): boolean {
  return calls.some(({ ok, tool }) => ok && tool !== RECALL_SCHEMA.name);
}

interface BrokenResult {
  readonly result: StepResult;
  readonly breaches: readonly Breach[];
}

/** Drafts that break a wish or a rule go back once; if they stand, the person is asked. */
function breakingStep(end: CompleteEnd, { result, breaches }: BrokenResult): StepClosing {
  if (result.breaches.length === 0 && result.repairs.length === 0) {
    const reason = `The drafts break what was asked: ${describeBreaches(breaches)}`;
    return closing({ ...result, repairs: [reason] });
  }
  const question = breachQuestion(breaches);
  return {
    result: {
      ...result,
      status: "asked",
      outcome: end.resultSummary,
      breaches: [...breaches],
      question,
    },
    pendingCalls: [],
    artifacts: end.artifacts,
  };
}

async function judgeDrafts(
  artifacts: readonly Artifact[],
  round: ActRound,
): Promise<DraftVerdicts> {
  const { services, state, view, io } = round;
  const facts = { registry: view.registry, toolbox: services.toolbox };
  const contents = artifacts.flatMap((artifact) => {
    const reading = readArtifact(artifact, facts);
    return reading.kind === "content" ? [reading.content] : [];
  });
  if (contents.length === 0) return { breaches: [], warnings: [] };
  const rules = await collectRules(state, services, io);
  const waived = state.understanding?.waived ?? [];
  const { userId } = requireRun(state);
  const refs = createRefBook(view.registry);
  return services.data.judgeDrafts(userId, contents, { rules, refs, waived });
}

function closed(result: StepResult, status: StepResult["status"], outcome: string): StepResult {
  return { ...result, status, outcome, refs: listTouched(result) };
}

function closing(result: StepResult): StepClosing {
  return { result, pendingCalls: [], artifacts: [] };
}
