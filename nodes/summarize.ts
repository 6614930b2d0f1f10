import { z } from "zod";
import { claimsChange } from "../output-filter/claimed-change.ts";
import { createTextCleaner } from "../output-filter/output-gate.ts";
import { buildSummarizePrompt } from "../prompts/summarize.ts";
import { viewConversation } from "../prompts/view.ts";
import { fence } from "../text/fence.ts";
import type { EventBody } from "../state/event.ts";
import type { JourneyPlan } from "../state/journey-plan.ts";
import { toActiveWorkflow, viewPlan } from "../state/view-plan.ts";
import type { TurnState, TurnUpdate } from "../state/turn.ts";
import type { Narrative } from "../state/turn-summary.ts";
import { buildRecord, fitRecord } from "../summaries/build-record.ts";
import { foldIntoHistory } from "../summaries/history.ts";
import { rollUp } from "../summaries/ledger.ts";
import { fallbackNarrative, withNothingStored } from "../summaries/narrative.ts";
import { shorten } from "../summaries/recent-turns.ts";
import type { TurnFacts } from "../summaries/turn-facts.ts";
import { canSummarizeWithoutModel } from "../summaries/summary-without-model.ts";
import { emitReplies } from "./reply/announce-replies.ts";
import { collectTurnNames } from "./reply/output-names.ts";
import { askForAnswer, type Asked } from "./ask/ask-model.ts";
import { answerSchema } from "./ask/read-checked.ts";
import { findBudgetQuestion } from "./budget/thread-budget.ts";
import { collectTurnFacts } from "./current-turn.ts";
import type { NodeIO, NodeServices } from "./node.ts";
import { outlinePlan } from "./concierge/outline-plan.ts";
import { withPlan } from "./concierge/phase-transitions.ts";
import { outcomeLines } from "./reply/step-outcomes.ts";
import { requireRun } from "./require-run.ts";
import { translateSentences } from "./translate/translate-sentences.ts";

/** The one field that only the reply's words tell; code knows everything else. */
const NarrativeAnswerSchema = z.object({
  responseSummary: z
    .string()
    .describe(
      'what the reply says, one line with its names and numbers, as "Risotto keeps for two days in the fridge"',
    ),
});
type SummarizeAnswer = z.infer<typeof NarrativeAnswerSchema>;

export const NARRATIVE_ANSWER = answerSchema(
  "summarize",
  "What the turn came to.",
  NarrativeAnswerSchema,
);

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
    const isDecided = state.input?.decision !== undefined;
    const byCode = isStopped(state) || findBudgetQuestion(state) !== null || isDecided;
    const needsNoModel = byCode || canSummarizeWithoutModel(state, facts);
    const [asked, planned, translating] = await Promise.all([
      needsNoModel ? null : askNarrative(state, { facts, services, io }),
      outlinePlan(state, { byCode, services, io }),
      isTranslatable(state, byCode) ? translateSentences(state, { services, io }) : [],
    ]);
    const names = collectTurnNames(state, { registry: view.registry, domain: services.domain });
    const narrative = mergeNarrative(asked, {
      facts,
      byCode: fallbackNarrative(facts, previous),
      clean: createTextCleaner(names),
    });
    const plan = planned?.plan ?? null;
    if (plan !== null) io.emit(firstVersion(plan));
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
      ...(plan === null
        ? {}
        : {
            ...withPlan(state.concierge, plan),
            // The instance has written this version itself.
            conciergeThread: { ...state.conciergeThread, planVersion: plan.version },
          }),
      calls: [...state.calls, ...(asked?.calls ?? []), ...(planned?.calls ?? []), ...translating],
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

function firstVersion(plan: JourneyPlan): EventBody {
  return {
    type: "plan-change",
    change: null,
    affected: [],
    workflow: toActiveWorkflow(plan),
    plan: viewPlan(plan),
  };
}

/** True where the language is a model's reading of the message, and the turn goes on to its end. */
function isTranslatable({ understanding }: TurnState, byCode: boolean): boolean {
  return !byCode && understanding?.degraded === false;
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
      }),
      required: ["rules", "message"],
      thread: [],
      earlier: state.notices,
      maxOutputTokens: limits.summarizeOutputTokens,
    },
    {
      schema: NARRATIVE_ANSWER,
      check: () => [],
      services,
      io,
    },
  );
}

/** The tokens of a reply that its summary needs. */
const REPLY_TOKENS = 700;
