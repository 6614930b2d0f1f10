import type {
  Narrative,
  StepExecutionSummary,
  TurnExecutionSummary,
} from "../state/turn-summary.ts";
import type { Plan } from "../state/plan.ts";
import type { EntityType } from "../state/entity.ts";
import type { Limits } from "../state/limits.ts";
import type { CountTokens } from "../state/model.ts";
import { clip } from "../registry/shorten.ts";
import { summarizeCuration } from "./curation-summary.ts";
import { renderLastTurnSummary } from "./last-turn-summary.ts";
import { describeOutcome } from "./step-outcome.ts";
import type { TurnFacts } from "./turn-facts.ts";

/** The record quotes a message up to this many characters; the archive keeps it whole. */
const MESSAGE_CHARACTERS = 1_000;

/** Plans that the person's own answer or command has made. */
const ANSWERED: ReadonlySet<Plan["origin"]> = new Set(["confirmation", "undo"]);

/**
 * The record of a turn. Refs, steps, outcomes, curation, effects and the why are copied from the
 * facts; only the narrative fields are taken as they are.
 */
export function buildRecord(facts: TurnFacts, narrative: Narrative): TurnExecutionSummary {
  const curation = facts.understanding?.curation ?? null;
  const planned = facts.plan === null || ANSWERED.has(facts.plan.origin) ? null : facts.plan;
  const blocked = facts.stepResults.find((result) => result.blocked !== null)?.blocked;
  return {
    turnNumber: facts.turn,
    userMessage: clip(facts.userMessage, MESSAGE_CHARACTERS),
    goal: facts.goal,
    steps: [...summarizeSteps(facts), ...facts.batchSteps],
    curationSummary: summarizeCuration(curation, facts.labels),
    retainedRefs: curation?.retain.map(({ ref }) => ref) ?? [],
    demotedRefs: curation?.demote.map(({ ref }) => ref) ?? [],
    analysisConclusions: narrative.analysisConclusions,
    responseSummary: narrative.responseSummary,
    conversationPhase: narrative.conversationPhase,
    tone: narrative.tone,
    whatUserExpressed: narrative.whatUserExpressed,
    whatWeAcknowledged: narrative.whatWeAcknowledged,
    naturalNext: narrative.naturalNext,
    decision: planned?.decision ?? null,
    reasoning: planned?.reasoning ?? null,
    blockedReason: blocked?.reason ?? null,
    effects: [...facts.effects],
    wishes: facts.understanding?.wishes ?? null,
    notices: [...facts.notices],
    failure: facts.failure,
  };
}

function summarizeSteps(facts: TurnFacts): StepExecutionSummary[] {
  return facts.stepResults.flatMap((result) => {
    const step = facts.plan?.steps[result.step];
    if (step === undefined) return [];
    return [
      {
        description: step.description,
        stepType: step.stepType,
        subdomain: step.subdomain,
        outcome: describeOutcome(result),
        note: result.note,
        entitiesAffected: [...new Set([...result.refs, ...result.artifacts])],
        warnings: [...new Set(result.warnings)],
      },
    ];
  });
}

/** The longest text of a turn summary in a prompt. */
const LONGEST_CHARACTERS = 320;
/** Nothing is cut below this many characters. */
const SHORTEST_CHARACTERS = 24;
/** The share of the longest text that is left after each cut. */
const CUT_SHARE = 0.8;

interface FitRecordOptions {
  readonly limits: Pick<Limits, "recordTokens">;
  readonly countTokens: CountTokens;
  readonly types: readonly EntityType[];
}

/**
 * The record within `recordTokens`, as the sections made of it count: its longest texts are cut
 * first. Refs, effects and what Understand decided are never touched, so a turn that touched
 * very much may stay over.
 */
export function fitRecord(
  record: TurnExecutionSummary,
  options: FitRecordOptions,
): TurnExecutionSummary {
  let longest = LONGEST_CHARACTERS;
  let fitted = withTextsWithin(record, longest);
  while (
    countRecordTokens(fitted, options) > options.limits.recordTokens &&
    longest > SHORTEST_CHARACTERS
  ) {
    longest = Math.max(SHORTEST_CHARACTERS, Math.floor(longest * CUT_SHARE));
    fitted = withTextsWithin(record, longest);
  }
  return fitted;
}

interface CountRecordOptions {
  readonly countTokens: CountTokens;
  readonly types: readonly EntityType[];
}

function countRecordTokens(record: TurnExecutionSummary, options: CountRecordOptions): number {
  const shown = renderLastTurnSummary({ records: [record], current: null, types: options.types });
  const narrative = [record.whatUserExpressed, record.whatWeAcknowledged, record.naturalNext];
  return options.countTokens([shown, ...narrative].join("\n"));
}

function withTextsWithin(record: TurnExecutionSummary, characters: number): TurnExecutionSummary {
  const cut = (text: string): string => clip(text, characters);
  const cutOrNull = (text: string | null): string | null => (text === null ? null : cut(text));
  return {
    ...record,
    userMessage: cut(record.userMessage),
    goal: cut(record.goal),
    analysisConclusions: cutOrNull(record.analysisConclusions),
    responseSummary: cut(record.responseSummary),
    whatUserExpressed: cut(record.whatUserExpressed),
    whatWeAcknowledged: cut(record.whatWeAcknowledged),
    naturalNext: cut(record.naturalNext),
    reasoning: cutOrNull(record.reasoning),
    blockedReason: cutOrNull(record.blockedReason),
    steps: record.steps.map((step) => ({
      ...step,
      description: cut(step.description),
      outcome: cut(step.outcome),
      note: cutOrNull(step.note),
    })),
  };
}
