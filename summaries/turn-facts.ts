import type { Plan } from "../state/plan.ts";
import type { Effect, StepResult } from "../state/step.ts";
import type { Notice, StepExecutionSummary, TurnFailure } from "../state/turn-summary.ts";
import type { Understanding } from "../state/understanding.ts";

/** Everything that is known of a turn when it is over. */
export interface TurnFacts {
  readonly turn: number;
  readonly userMessage: string;
  readonly goal: string;
  /** Null where the turn was answered without one. */
  readonly plan: Plan | null;
  readonly understanding: Understanding | null;
  /** One entry a step, in plan order. */
  readonly stepResults: readonly StepResult[];
  /** The results of the turn's batches. */
  readonly batchSteps: readonly StepExecutionSummary[];
  readonly effects: readonly Effect[];
  readonly notices: readonly Notice[];
  /** Null where the message is answered. */
  readonly failure: TurnFailure | null;
  /** The words of the assistant's replies, in order, without the receipts above them. */
  readonly replies: readonly string[];
  /** The lines of its receipts; empty where there were none. */
  readonly receipts: string;
  /** Labels of the things that its replies listed, in order. */
  readonly listed: readonly string[];
  /** The question that waits for an answer; empty where none does. */
  readonly question: string;
  /** True where that is one for a yes, which the turn has put, or put again. */
  readonly asksForYes: boolean;
  /** True where the message names an open choice, or something of it. */
  readonly namesChoice: boolean;
  /** True where it names a draft. */
  readonly namesDraft: boolean;
  /** The label of every ref that the turn may name. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns true where something did not happen as planned: no plan, a failed or blocked step, a row that was not written. */
export function hasTrouble(facts: TurnFacts): boolean {
  const failed = facts.plan !== null && facts.plan.failure !== null;
  const stuck = facts.stepResults.some(
    (result) =>
      result.status === "failed" ||
      result.status === "blocked" ||
      result.calls.some((call) => call.failures.length > 0),
  );
  return failed || stuck;
}

/** Returns true where the turn ended with a question that waits for an answer. */
export function hasQuestion(facts: TurnFacts): boolean {
  return (
    facts.understanding?.route === "clarify" ||
    facts.plan?.decision === "clarify" ||
    facts.stepResults.some((result) => result.status === "asked")
  );
}

/** Returns true where anything was excluded or restored. */
export function hasNarrowed(facts: TurnFacts): boolean {
  const curation = facts.understanding?.curation;
  return curation !== undefined && curation.demote.length + curation.restore.length > 0;
}
