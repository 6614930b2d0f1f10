import { decidesSomething } from "../registry/curation.ts";
import type { StepType } from "../state/plan.ts";
import type { ConversationPhase, Tone, TurnExecutionSummary } from "../state/turn-summary.ts";
import { hasNarrowed, hasQuestion, hasTrouble, type TurnFacts } from "./turn-facts.ts";

/**
 * Computes the phase of the conversation from the turn (seed 003, "Conversation Phases"): the first
 * line that fits. The phase before counts for nothing, so none sticks; only small talk after changes
 * looks back at them. Pure.
 */
export function computePhase(
  facts: TurnFacts,
  previous: TurnExecutionSummary | null,
): ConversationPhase {
  if (facts.effects.length > 0 || takesWishesBack(facts)) return "executing";
  if (asksForYes(facts)) return "confirming";
  if (hasStep(facts, "write")) return "executing";
  if (isAnswer(facts) || hasStep(facts, "generate") || facts.namesDraft) return "confirming";
  if (hasNarrowed(facts) || hasStep(facts, "analyze") || facts.namesChoice) return "narrowing";
  if (isLookingBack(facts, previous)) return "reflecting";
  return "exploring";
}

/**
 * Computes the tone of the reply (seed 003, "Tone Categories"): trouble and questions bring their own,
 * a look-up or an answer informs, all else is worked out together. Only small talk keeps the tone of
 * the turn before. Pure.
 */
export function computeTone(facts: TurnFacts, previous: TurnExecutionSummary | null): Tone {
  if (hasTrouble(facts)) return "problem_solving";
  if (hasQuestion(facts)) return "clarifying";
  if (isSmallTalk(facts)) {
    const kept = previous?.tone;
    return kept === "informative" ? kept : "collaborative";
  }
  return isLookUp(facts) ? "informative" : "collaborative";
}

/** Returns true for a remark that decides nothing, asks nothing and needs nothing done. Pure. */
export function isSmallTalk(facts: TurnFacts): boolean {
  const { understanding, userMessage } = facts;
  return (
    understanding?.route === "talk" &&
    understanding.references.length === 0 &&
    understanding.constraints.length === 0 &&
    !takesWishesBack(facts) &&
    !decidesSomething(understanding.curation) &&
    !facts.namesChoice &&
    !userMessage.trimEnd().endsWith("?")
  );
}

function takesWishesBack({ understanding }: TurnFacts): boolean {
  return understanding?.undoneWishes !== undefined;
}

function asksForYes({ stepResults, asksForYes: isPut }: TurnFacts): boolean {
  return isPut || stepResults.some(({ unconfirmed }) => unconfirmed.length > 0);
}

function isAnswer({ understanding }: TurnFacts): boolean {
  const answer = understanding?.answersPending ?? null;
  return answer !== null && answer !== "other";
}

function isLookingBack(facts: TurnFacts, previous: TurnExecutionSummary | null): boolean {
  const route = facts.understanding?.route;
  if (route === "meta" || route === "undo") return true;
  return isSmallTalk(facts) && previous !== null && previous.effects.length > 0;
}

function isLookUp(facts: TurnFacts): boolean {
  const { plan, understanding } = facts;
  if (understanding?.route === "talk") return !decidesSomething(understanding.curation);
  if (plan === null || plan.decision === "propose") return false;
  return plan.steps.every(({ stepType }) => stepType === "read");
}

function hasStep({ plan }: TurnFacts, wanted: StepType): boolean {
  return plan?.steps.some(({ stepType }) => stepType === wanted) ?? false;
}
