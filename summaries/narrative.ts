import type {
  ConversationPhase,
  Narrative,
  Tone,
  TurnExecutionSummary,
} from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { clip } from "../registry/shorten.ts";
import { summarizeCuration } from "./curation-summary.ts";
import { describeEffects } from "./effects.ts";
import { quoteMessage } from "./quote.ts";
import { describeOutcome } from "./step-outcome.ts";
import { PHASES } from "./tables.ts";
import { hasNarrowed, hasQuestion, hasTrouble, type TurnFacts } from "./turn-facts.ts";

const SUMMARY_CHARACTERS = 160;

/**
 * The narrative fields written by rule: all of them where no model is asked, and always those that
 * the facts tell (phase, tone, what was expressed). The same facts, the same words.
 */
export function fallbackNarrative(
  facts: TurnFacts,
  previous: TurnExecutionSummary | null,
): Narrative {
  const phase = derivePhase(facts, previous);
  return {
    analysisConclusions: collectConclusions(facts),
    responseSummary: summarizeResponse(facts),
    conversationPhase: phase,
    tone: keepTone(facts, previous),
    whatUserExpressed: describeExpressed(facts),
    whatWeAcknowledged: describeAcknowledged(facts),
    naturalNext: hasQuestion(facts) ? "User answers the question" : PHASES[phase].next,
  };
}

/** Derives the phase of the conversation from the turn; keeps the last one where nothing happened. */
export function derivePhase(
  facts: TurnFacts,
  previous: TurnExecutionSummary | null,
): ConversationPhase {
  const did = (stepType: string): boolean =>
    facts.plan?.steps.some((step) => step.stepType === stepType) ?? false;
  if (facts.effects.length > 0) return "executing";
  if (facts.plan?.decision === "propose") return "confirming";
  if (hasNarrowed(facts)) return "narrowing";
  if (did("write")) return "executing";
  if (did("generate")) return "confirming";
  if (did("analyze")) return "narrowing";
  if (did("read")) return "exploring";
  if (previous === null) return "exploring";
  return previous.conversationPhase === "executing" ? "reflecting" : previous.conversationPhase;
}

/**
 * The tone of a turn: kept from the last one unless something changed it.
 *
 * Trouble and questions bring their own tone, and when they are over the tone before them is not
 * kept.
 */
export function keepTone(facts: TurnFacts, previous: TurnExecutionSummary | null): Tone {
  if (hasTrouble(facts)) return "problem_solving";
  if (hasQuestion(facts)) return "clarifying";
  const kept = previous?.tone;
  if (kept === "collaborative" || kept === "informative") return kept;
  return facts.plan?.origin === "quick" ? "informative" : "collaborative";
}

function collectConclusions(facts: TurnFacts): string | null {
  const outcomes = facts.stepResults
    .filter((result) => facts.plan?.steps[result.step]?.stepType === "analyze")
    .filter((result) => result.status === "done" || result.status === "asked")
    .map((result) => result.outcome)
    .filter((outcome) => outcome !== "");
  return outcomes.length === 0 ? null : outcomes.join("; ");
}

/** Summarizes the reply: the results of the steps, else the beginning of the reply's text. */
function summarizeResponse(facts: TurnFacts): string {
  const outcomes = facts.stepResults.map(describeOutcome).filter((outcome) => outcome !== "");
  const text = outcomes.length > 0 ? outcomes.join("; ") : (facts.replies.at(-1) ?? "");
  return clip(oneLine(text), SUMMARY_CHARACTERS);
}

function describeExpressed(facts: TurnFacts): string {
  const expressed = facts.understanding?.expressed ?? "";
  return expressed === "" ? `Said ${quoteMessage(facts.userMessage)}` : oneLine(expressed);
}

function describeAcknowledged(facts: TurnFacts): string {
  const parts = [
    summarizeCuration(facts.understanding?.curation ?? null, facts.labels) ?? "",
    facts.effects.length === 0 ? "" : `Confirmed: ${describeEffects(facts.effects)}`,
    hasTrouble(facts) ? "Said what was not done" : "",
    hasQuestion(facts) ? "Asked back" : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return clip(parts.join("; "), SUMMARY_CHARACTERS);
  const response = summarizeResponse(facts);
  return response === "" ? "Answered" : clip(`Answered: ${response}`, SUMMARY_CHARACTERS);
}
