import { clip } from "../registry/shorten.ts";
import { neutralise, oneLine } from "../text/fence.ts";
import type { StepExecutionSummary } from "../state/turn-summary.ts";
import type { Batch, ExpertAnswer } from "../state/batch.ts";
import { createJourneyId, findActiveJourney } from "../state/journey.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import type { ExpertThread, Opening, ThreadMessage } from "../state/phase.ts";
import { findActiveStep } from "../state/view-plan.ts";
import { numberStep } from "../summaries/affected-steps.ts";
import { foldQuoted } from "../text/holds-words.ts";
import { renderSentence } from "../text/sentences.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import { computeStructuralAnalysis } from "../claim-analysis/analysis.ts";
import { selectAnswers } from "./mapper.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { cleanExecutionHandover, createPlanWordCleaner } from "./concierge/clean-plan-words.ts";
import { afterStepBatch, afterWorkflowBatch, withPlan } from "./concierge/phase-transitions.ts";
import { makeMove } from "./concierge/change-journey.ts";
import { emptyJourney } from "./concierge/journey-state.ts";
import { requireRun } from "./require-run.ts";

/**
 * Makes the node that ends a batch: computes the structure of its map, puts it where its purpose
 * wants it, lets the experts' threads grow, and archives the batch.
 */
export function createStructureNode(services: NodeServices) {
  return async function structure(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    const { batchInfo: batch, claimMap: map } = state;
    if (batch === null) throw new TypeError("Cannot analyse a map: there is no batch");
    const run = requireRun(state);
    const answers = selectAnswers(state, batch);
    const analysis =
      map === null ? null : computeStructuralAnalysis({ ...map, experts: answers.length });
    await services.archive.saveBatch({
      threadId: run.threadId,
      userId: run.userId,
      lease: io.lease,
      runId: run.runId,
      turn: state.turn,
      ...nameJourney(state, batch),
      batch,
      answers: state.answers,
      map,
      analysis,
    });
    io.emit({
      type: "analysis",
      batch: batch.id,
      purpose: batch.purpose,
      shape: analysis?.shape.name ?? null,
      confidence: analysis?.shape.confidence ?? null,
      map,
    });
    return {
      analysis,
      batchSteps: [...state.batchSteps, batchStep(batch, { answers, analysis })],
      expertThreads: growThreads(state.expertThreads, { batch, answers, services }),
      ...(await applyAnalysis(state, { batch, analysis, services, io })),
    };
  };
}

/** The journey for which a batch was asked: an opening's begins with it. */
function nameJourney(
  { journeys, turn }: TurnState,
  { purpose }: Batch,
): { readonly journeyId?: string } {
  if (purpose === "opening") return { journeyId: createJourneyId(turn) };
  const active = findActiveJourney(journeys);
  return active === null ? {} : { journeyId: active.id };
}

interface BatchResult {
  readonly answers: readonly ExpertAnswer[];
  readonly analysis: TurnState["analysis"];
}

/** Describes the batch as a step of the turn summary. */
function batchStep(batch: Batch, came: BatchResult): StepExecutionSummary {
  const { answers, analysis } = came;
  const shape = analysis === null ? "no map" : analysis.shape.name;
  return {
    description: clip(oneLine(`Asked ${WHAT[batch.purpose]}: ${batch.question.text}`), 200),
    stepType: "analyze",
    subdomain: "concierge",
    outcome: `${answers.length} of ${batch.experts.length} experts answered, ${shape}`,
    note: null,
    entitiesAffected: [],
    warnings: [],
  };
}

const WHAT = {
  opening: "the experts about the question",
  workflow: "the experts for a plan",
  "step-help": "the experts about a step",
} as const satisfies Record<Batch["purpose"], string>;

interface ApplyAnalysisOptions {
  readonly batch: Batch;
  readonly analysis: TurnState["analysis"];
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Returns the update that hands the analysis to the purpose of its batch. */
async function applyAnalysis(state: TurnState, facts: ApplyAnalysisOptions): Promise<TurnUpdate> {
  const { batch, analysis, services, io } = facts;
  const { concierge } = state;
  switch (batch.purpose) {
    case "opening":
      return openJourney(state, { analysis, services, io });
    case "workflow": {
      const given = state.signal?.handover ?? null;
      const clean = createPlanWordCleaner(state, services);
      const handover = given === null ? null : cleanExecutionHandover(given, clean);
      const next = afterWorkflowBatch(concierge, { handover, analysis });
      io.emit({ type: "phase-change", from: concierge.currentPhase, to: next.currentPhase });
      return { ...withPlan(next, null), helpStep: null, signal: null };
    }
    case "step-help":
      return helpWithStep(state, { batch, analysis, io });
    default:
      return batch.purpose satisfies never;
  }
}

/** Begins a journey; the one before it is put aside, its plan and messages with it. */
async function openJourney(
  state: TurnState,
  { analysis, services, io }: Pick<ApplyAnalysisOptions, "analysis" | "services" | "io">,
): Promise<TurnUpdate> {
  const { concierge, journeys, input } = state;
  const opened = await makeMove(state, {
    move: { kind: "open", question: input?.text ?? "" },
    known: journeys,
    services,
    io,
  });
  if (concierge.currentPhase !== "starter") {
    io.emit({ type: "phase-change", from: concierge.currentPhase, to: "starter" });
  }
  return {
    ...opened,
    ...emptyJourney(state.conciergeThread),
    opening: beginOpening(state, analysis),
  };
}

function beginOpening(
  { input, understanding }: TurnState,
  analysis: TurnState["analysis"],
): Opening {
  const opening = { question: input?.text ?? "", answer: "", analysis };
  return understanding === null || understanding.degraded
    ? opening
    : { ...opening, stance: understanding.stance };
}

/** Hands the help with a step to the executor; says so to a person who waits for the first step's. */
function helpWithStep(
  { concierge, journeyPlan }: TurnState,
  { batch, analysis, io }: Pick<ApplyAnalysisOptions, "batch" | "analysis" | "io">,
): TurnUpdate {
  const step = journeyPlan === null ? null : findHelpStep(batch, journeyPlan);
  const title = step?.title ?? batch.step ?? "";
  const isFirst = concierge.currentPhase === "executor" && concierge.turnInPhase === 1;
  if (isFirst && analysis !== null && title !== "" && io.cut?.aborted !== true) {
    io.emit({
      type: "step-help-ready",
      step: step?.id ?? null,
      text:
        step === null
          ? renderSentence("stepHelpReadyUnnumbered", { title })
          : renderSentence("stepHelpReady", { number: step.number, title }),
    });
  }
  return {
    concierge: afterStepBatch(concierge, analysis),
    helpStep: title === "" ? null : { id: step?.id ?? null, title },
    signal: null,
  };
}

/** The step that a batch was asked about: the one with its title, else the one that is worked on. */
function findHelpStep({ step }: Pick<Batch, "step">, plan: JourneyPlan) {
  const named = plan.steps.find(({ title }) => foldTitle(title) === foldTitle(step ?? ""));
  const found = named ?? findActiveStep(plan);
  if (found === null) return null;
  const numbered = numberStep(plan, found.id);
  return numbered === null ? null : { id: found.id, ...numbered };
}

/** A title without its number: "Step 1: Dark room" is "dark room". */
function foldTitle(title: string): string {
  return foldQuoted(title.replace(/^step \d+[.:]?\s*/iu, ""));
}

interface GrowThreadsOptions {
  readonly batch: Batch;
  readonly answers: readonly ExpertAnswer[];
  readonly services: NodeServices;
}

/** Adds the question and the answer to the transcript of each expert that answered, within its budget. */
function growThreads(threads: readonly ExpertThread[], facts: GrowThreadsOptions): ExpertThread[] {
  const { batch, answers, services } = facts;
  const others = threads.filter(
    ({ expert }) => !answers.some((answer) => answer.expert === expert),
  );
  const grown = answers.map(({ expert, text }) => {
    const known = threads.find((thread) => thread.expert === expert)?.messages ?? [];
    const messages: ThreadMessage[] = [
      ...known,
      { role: "user", text: neutralise(batch.question.text) },
      { role: "assistant", text: neutralise(text) },
    ];
    return { expert, messages: newestWithin(messages, services) };
  });
  return [...others, ...grown];
}

/** Returns the newest pairs of question and answer within the budget. */
function newestWithin(
  messages: readonly ThreadMessage[],
  { limits, countTokens }: NodeServices,
): ThreadMessage[] {
  const sizes = messages.map(({ text }) => countTokens(text));
  let from = 0;
  let tokens = sizes.reduce((sum, size) => sum + size, 0);
  while (tokens > limits.expertThreadTokens && from < messages.length) {
    tokens -= (sizes[from] ?? 0) + (sizes[from + 1] ?? 0);
    from += 2;
  }
  return messages.slice(from);
}
