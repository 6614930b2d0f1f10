import { z } from "zod";
import { claimsChange } from "../output-filter/claimed-change.ts";
import { createTextCleaner } from "../output-filter/output-gate.ts";
import { buildSummarizePrompt } from "../prompts/summarize.ts";
import { viewConversation } from "../prompts/view.ts";
import { fence } from "../text/fence.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Narrative } from "../state/turn-summary.ts";
import {
  NO_PROGRESS,
  WorkflowProgressSchema,
  type ActiveWorkflow,
  type WorkflowProgress,
} from "../state/workflow.ts";
import { buildRecord, fitRecord } from "../summaries/build-record.ts";
import { foldIntoHistory } from "../summaries/history.ts";
import { rollUp } from "../summaries/ledger.ts";
import { fallbackNarrative, withNothingStored } from "../summaries/narrative.ts";
import { readProgress } from "../summaries/read-progress.ts";
import { shorten } from "../summaries/recent-turns.ts";
import type { TurnFacts } from "../summaries/turn-facts.ts";
import { canSummarizeWithoutModel } from "../summaries/summary-without-model.ts";
import { applyProgress } from "../summaries/workflow-progress.ts";
import { emitReplies } from "./reply/announce-replies.ts";
import { collectTurnNames } from "./reply/output-names.ts";
import { answerSchema, askForAnswer, type AnswerSchema, type Asked } from "./ask/ask-model.ts";
import { findBudgetQuestion } from "./budget/thread-budget.ts";
import { collectTurnFacts } from "./current-turn.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { outlinePlan } from "./concierge/outline-plan.ts";
import { outcomeLines } from "./reply/step-outcomes.ts";
import { requireRun } from "./require-run.ts";

/** The one field that only the reply's words tell; code knows everything else. */
const NarrativeAnswerSchema = z.object({
  responseSummary: z
    .string()
    .describe(
      'what the reply says, one line with its names and numbers, as "Risotto keeps for two days in the fridge"',
    ),
});
/** While a plan is carried out the message may confirm steps of it. */
const NarrativeAndProgressSchema = NarrativeAnswerSchema.extend({
  workflow: WorkflowProgressSchema.describe("what the message says of the plan's steps"),
});
type SummarizeAnswer = z.infer<typeof NarrativeAndProgressSchema>;

/** Reads an answer with or without progress: one that leaves it out is as good. */
const parse: AnswerSchema<SummarizeAnswer>["parse"] = (value) =>
  NarrativeAnswerSchema.extend({ workflow: WorkflowProgressSchema.default(NO_PROGRESS) }).safeParse(
    value,
  );

/** The answer of a turn without a plan under way. */
export const NARRATIVE_ANSWER: AnswerSchema<SummarizeAnswer> = {
  ...answerSchema("summarize", "What the turn came to.", NarrativeAnswerSchema),
  parse,
};
/** The answer of a turn while a plan is carried out. */
export const NARRATIVE_AND_PROGRESS_ANSWER: AnswerSchema<SummarizeAnswer> = {
  ...answerSchema(
    "summarize",
    "What the turn came to, and what was confirmed of the plan.",
    NarrativeAndProgressSchema,
  ),
  parse,
};

/**
 * Makes the node that writes the turn's record after the reply, never in its way. What the facts do
 * not tell comes from a model; when it fails, code's own words stand in and the turn is fine.
 */
export function createSummarizeNode(services: NodeServices) {
  return async function summarize(state: TurnState, io: NodeIO): Promise<TurnUpdate> {
    emitReplies(state, io);

    const view = viewConversation(state, services);
    const facts = collectTurnFacts(state, view);
    const previous = state.turnExecutionSummaries.at(-1) ?? null;
    const byCode = isStopped(state) || findBudgetQuestion(state) !== null;
    const needsNoModel = byCode || canSummarizeWithoutModel(state, facts);
    const [asked, planned] = await Promise.all([
      needsNoModel ? null : askNarrative(state, { facts, services, io }),
      outlinePlan(state, { byCode, services, io }),
    ]);
    const names = collectTurnNames(state, { registry: view.registry, domain: services.domain });
    const narrative = mergeNarrative(asked, {
      facts,
      byCode: fallbackNarrative(facts, previous),
      clean: createTextCleaner(names),
    });
    const workflow =
      planned?.workflow ??
      advanceWorkflow(state, asked?.kind === "answered" ? asked.value.workflow : null);
    if (workflow !== null) io.emit({ type: "workflow", workflow });
    const notices = [...state.notices, ...(asked?.notices ?? []), ...(planned?.notices ?? [])];
    const record = fitRecord(buildRecord({ ...facts, notices }, narrative), {
      limits: services.limits,
      countTokens: services.countTokens,
      types: services.domain.entityTypes,
    });

    const { summaries, ledger, fold } = rollUp(
      { summaries: state.turnExecutionSummaries, ledger: state.ledger },
      record,
      services.limits,
    );
    for (const { node, code, text } of notices) io.emit({ type: "notice", node, code, text });
    return {
      turnExecutionSummaries: [...summaries],
      ledger: [...ledger],
      ...(fold === null ? {} : { history: foldIntoHistory(state.history, fold, services) }),
      ...(workflow === null ? {} : { concierge: { ...state.concierge, activeWorkflow: workflow } }),
      calls: [...state.calls, ...(asked?.calls ?? []), ...(planned?.calls ?? [])],
      notices,
    };
  };
}

interface MergeNarrativeOptions {
  readonly facts: TurnFacts;
  readonly byCode: Narrative;
  readonly clean: (text: string) => string;
}

/**
 * Code's narrative, with the model's line where it only says what the reply said. One that names refs
 * or ids, or claims a change, gives way to the reply's own first words in quotation marks.
 */
function mergeNarrative(
  asked: Asked<SummarizeAnswer> | null,
  { facts, byCode, clean }: MergeNarrativeOptions,
): Narrative {
  // Of a turn with receipts they say what it came to.
  if (asked?.kind !== "answered" || facts.receipts !== "") return byCode;
  const line = asked.value.responseSummary.trim();
  if (line === "" || clean(line) !== line || claimsChange(`I ${line}`) || claimsChange(line))
    return byCode;
  return { ...byCode, responseSummary: withNothingStored(line, facts) };
}

/** The plan after what the person has confirmed; null where nothing changes. */
function advanceWorkflow(state: TurnState, read: WorkflowProgress | null): ActiveWorkflow | null {
  const { activeWorkflow } = state.concierge;
  if (activeWorkflow === null) return null;
  // Where no model has read the message, its plain words count.
  const progress = read ?? readProgress(state.input?.text ?? "", activeWorkflow);
  const workflow = applyProgress(activeWorkflow, progress);
  return workflow === activeWorkflow ? null : workflow;
}

/** A turn that was stopped or given up is recorded by code alone. */
function isStopped(state: TurnState): boolean {
  return state.notices.some(({ node, code }) => node === "driver" && code !== "resumed");
}

interface AskNarrativeOptions {
  readonly facts: TurnFacts;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

async function askNarrative(
  state: TurnState,
  { facts, services, io }: AskNarrativeOptions,
): Promise<Asked<SummarizeAnswer>> {
  const { limits, countTokens } = services;
  const short = (name: string, text: string): string =>
    fence(name, shorten(text, { tokens: REPLY_TOKENS, countTokens }));
  return askForAnswer(
    {
      node: "summarize",
      role: "summarize",
      run: requireRun(state),
      turn: state.turn,
      parts: buildSummarizePrompt({
        turn: state.turn,
        message: fence(
          "message",
          shorten(facts.userMessage, { tokens: limits.recentMessageTokens, countTokens }),
        ),
        goal: facts.goal,
        outcomes: outcomeLines(state),
        curation: state.understanding?.curation.summary ?? "",
        reply: short("reply", facts.replies.join("\n\n")),
        workflow: state.concierge.activeWorkflow,
      }),
      required: ["rules", "message"],
      ids: { step: state.concierge.activeWorkflow?.steps.map(({ id }) => id) ?? [] },
      thread: [],
      earlier: state.notices,
      maxOutputTokens: limits.summarizeOutputTokens,
    },
    {
      schema:
        state.concierge.activeWorkflow === null ? NARRATIVE_ANSWER : NARRATIVE_AND_PROGRESS_ANSWER,
      check: () => [],
      salvage: (answer) => answer,
      services,
      io,
    },
  );
}

/** The tokens of a reply that its summary needs. */
const REPLY_TOKENS = 700;
