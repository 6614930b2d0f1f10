import type {
  ConversationPhase,
  Narrative,
  Tone,
  TurnExecutionSummary,
} from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { clip } from "../registry/shorten.ts";
import { curationSummaryOf } from "./curation-summary.ts";
import { describeEffects } from "./effects.ts";
import { quoteMessage } from "./quote.ts";
import { outcomeOf } from "./step-outcome.ts";
import { PHASES } from "./tables.ts";
import { hasNarrowed, hasQuestion, hasTrouble, type TurnFacts } from "./turn-facts.ts";

const SUMMARY_CHARACTERS = 160;

/**
 * The narrative fields written by rule: all of them where no model is asked, and always those that
 * the facts tell (phase, tone, what was expressed). The same facts, the same words.
 */
export function standInNarrative(
  facts: TurnFacts,
  previous: TurnExecutionSummary | null,
): Narrative {
  const phase = phaseOf(facts, previous);
  return {
    analysisConclusions: conclusionsOf(facts),
    responseSummary: responseOf(facts),
    conversationPhase: phase,
    tone: keepTone(facts, previous),
    whatUserExpressed: expressedBy(facts),
    whatWeAcknowledged: acknowledgedBy(facts),
    naturalNext: hasQuestion(facts) ? "User answers the question" : PHASES[phase].next,
  };
}

/** Where the conversation is, from what happened in the turn; where nothing did, where it was. */
export function phaseOf(
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

function conclusionsOf(facts: TurnFacts): string | null {
  const outcomes = facts.stepResults
    .filter((result) => facts.plan?.steps[result.step]?.stepType === "analyze")
    .filter((result) => result.status === "done" || result.status === "asked")
    .map((result) => result.outcome)
    .filter((outcome) => outcome !== "");
  return outcomes.length === 0 ? null : outcomes.join("; ");
}

/** What the person saw: what the steps came to, else the beginning of what was said. */
function responseOf(facts: TurnFacts): string {
  const outcomes = facts.stepResults.map(outcomeOf).filter((outcome) => outcome !== "");
  const text = outcomes.length > 0 ? outcomes.join("; ") : (facts.replies.at(-1) ?? "");
  return clip(oneLine(text), SUMMARY_CHARACTERS);
}

function expressedBy(facts: TurnFacts): string {
  const expressed = facts.understanding?.expressed ?? "";
  return expressed === "" ? `Said ${quoteMessage(facts.userMessage)}` : oneLine(expressed);
}

function acknowledgedBy(facts: TurnFacts): string {
  const parts = [
    curationSummaryOf(facts.understanding?.curation ?? null, facts.labels) ?? "",
    facts.effects.length === 0 ? "" : `Confirmed: ${describeEffects(facts.effects)}`,
    hasTrouble(facts) ? "Said what was not done" : "",
    hasQuestion(facts) ? "Asked back" : "",
  ].filter((part) => part !== "");
  if (parts.length > 0) return clip(parts.join("; "), SUMMARY_CHARACTERS);
  const response = responseOf(facts);
  return response === "" ? "Answered" : clip(`Answered: ${response}`, SUMMARY_CHARACTERS);
}
