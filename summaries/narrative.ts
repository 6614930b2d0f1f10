import type { Narrative, TurnExecutionSummary } from "../state/turn-summary.ts";
import { oneLine } from "../text/fence.ts";
import { clip } from "../registry/shorten.ts";
import { summarizeCuration } from "./curation-summary.ts";
import { describeEffects } from "./effects.ts";
import { NOTHING_STORED } from "./ledger.ts";
import { quoteMessage } from "./quote.ts";
import { describeOutcome } from "./step-outcome.ts";
import { computePhase, computeTone } from "./phase-and-tone.ts";
import { PHASES } from "./phase-and-tone-words.ts";
import { hasQuestion, hasTrouble, type TurnFacts } from "./turn-facts.ts";

const SUMMARY_CHARACTERS = 160;

/**
 * The narrative fields written by rule: all of them where no model is asked, and always those that
 * the facts tell (phase, tone, what was expressed). The same facts, the same words.
 */
export function fallbackNarrative(
  facts: TurnFacts,
  previous: TurnExecutionSummary | null,
): Narrative {
  const phase = computePhase(facts, previous);
  return {
    analysisConclusions: collectConclusions(facts),
    responseSummary: summarizeResponse(facts),
    conversationPhase: phase,
    tone: computeTone(facts, previous),
    whatUserExpressed: describeExpressed(facts),
    whatWeAcknowledged: describeAcknowledged(facts),
    naturalNext: hasQuestion(facts) ? "User answers the question" : PHASES[phase].next,
  };
}

function collectConclusions(facts: TurnFacts): string | null {
  const outcomes = facts.stepResults
    .filter((result) => facts.plan?.steps[result.step]?.stepType === "analyze")
    .filter((result) => result.status === "done" || result.status === "asked")
    .map((result) => result.outcome)
    .filter((outcome) => outcome !== "");
  return outcomes.length === 0 ? null : outcomes.join("; ");
}

/**
 * Summarizes the reply from what code knows of it: the receipts, the things it listed, the question it
 * asked. Only where there is none of these, its first words are quoted.
 */
function summarizeResponse(facts: TurnFacts): string {
  const { receipts, listed, question, stepResults } = facts;
  const outcomes = stepResults.map(describeOutcome).filter((outcome) => outcome !== "");
  const known = [
    ...(receipts === "" ? [] : [receipts]),
    ...(receipts === "" && outcomes.length > 0 ? [outcomes.join("; ")] : []),
    ...(listed.length === 0 ? [] : [`Listed ${nameSome(listed)}`]),
    ...(question === "" ? [] : [`Asked ${quoteMessage(question)}`]),
  ];
  const words = facts.replies.at(-1) ?? "";
  const isByModel = receipts === "" && outcomes.length > 0 && facts.plan?.origin !== "understand";
  if (known.length > 0 || words === "") {
    const text = known.join("; ");
    return isByModel ? withNothingStored(text, facts) : clip(oneLine(text), SUMMARY_CHARACTERS);
  }
  const beginning = clip(oneLine(words), SUMMARY_CHARACTERS - QUOTE_ROOM);
  return withNothingStored(`Said ${quoteMessage(beginning)}`, facts);
}

/**
 * Returns words of a model as the summary of a reply. Where the turn has stored nothing, code says so
 * behind them: whatever they claim, and in whatever language, the next prompt is not misled.
 */
export function withNothingStored(
  words: string,
  { effects, receipts }: Pick<TurnFacts, "effects" | "receipts">,
): string {
  // A change that leaves no effect leaves a receipt.
  const ending = effects.length === 0 && receipts === "" ? `; ${NOTHING_STORED}` : "";
  return `${clip(oneLine(words), SUMMARY_CHARACTERS - ending.length)}${ending}`;
}

/** Characters that a quotation needs around it, with its ending. */
const QUOTE_ROOM = 24;

function nameSome(labels: readonly string[]): string {
  const shown = labels.slice(0, NAMED).join(", ");
  return labels.length > NAMED ? `${shown} and ${labels.length - NAMED} more` : shown;
}

const NAMED = 6;

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
