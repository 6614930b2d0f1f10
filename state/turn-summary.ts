import { z } from "zod";
import { WishDifferenceSchema } from "./constraint.ts";
import { StepTypeSchema, DecisionSchema } from "./plan.ts";
import { EffectSchema } from "./step.ts";

/** The phase of a conversation (seed 003, "Conversation Phases"). */
export const ConversationPhaseSchema = z.enum([
  "exploring",
  "narrowing",
  "confirming",
  "executing",
  "reflecting",
]);
export type ConversationPhase = z.infer<typeof ConversationPhaseSchema>;

/** The tone of a reply (seed 003, "Tone Categories"). */
export const ToneSchema = z.enum(["collaborative", "informative", "clarifying", "problem_solving"]);
export type Tone = z.infer<typeof ToneSchema>;

/** Summary of a single step's execution (seed 003). */
export const StepExecutionSummarySchema = z.object({
  description: z.string(),
  stepType: StepTypeSchema,
  subdomain: z.string(),
  /** "Found 9 recipes" / "Analysis complete". */
  outcome: z.string(),
  /** Act's note for the next step. */
  note: z.string().nullable(),
  /** Refs touched, in order. */
  entitiesAffected: z.array(z.string()),
  /** Warnings of checks about what it has stored or drafted. */
  warnings: z.array(z.string()),
});
export type StepExecutionSummary = z.infer<typeof StepExecutionSummarySchema>;

/** Something that went otherwise than planned: a repair, a fallback, a cut, a leak. */
export const NoticeSchema = z.object({ node: z.string(), code: z.string(), text: z.string() });
export type Notice = z.infer<typeof NoticeSchema>;

/**
 * The outcome of a turn for its message. `failed`: no node that had to produce the reply's content got an
 * answer of its model, and code says so. `degraded`: something of the turn is missing.
 */
export const TurnOutcomeSchema = z.enum(["answered", "degraded", "failed"]);
export type TurnOutcome = z.infer<typeof TurnOutcomeSchema>;

/** The end of a turn that was not simply answered, and the stable code of its reason. */
export const TurnFailureSchema = z.object({
  outcome: TurnOutcomeSchema.exclude(["answered"]),
  code: z.string(),
});
export type TurnFailure = z.infer<typeof TurnFailureSchema>;

/** The end of a turn; the code is null where the message was answered. */
export interface TurnConclusion {
  readonly outcome: TurnOutcome;
  readonly code: string | null;
}

/** Returns the end of a turn that its summary tells. */
export function readTurnEnd({ failure }: Pick<TurnExecutionSummary, "failure">): TurnConclusion {
  return failure ?? { outcome: "answered", code: null };
}

/** The fields that one model call writes; everything else in a record is copied by code. */
export const NarrativeSchema = z.object({
  /** The conclusions of the analysis; null when there was none. */
  analysisConclusions: z.string().nullable(),
  /** A summary of the reply that the person saw. */
  responseSummary: z.string(),
  conversationPhase: ConversationPhaseSchema,
  tone: ToneSchema,
  whatUserExpressed: z.string(),
  whatWeAcknowledged: z.string(),
  naturalNext: z.string(),
});
export type Narrative = z.infer<typeof NarrativeSchema>;

/**
 * The summary of a turn (seed 003): built by Summarize, read by Understand, Think, Act and Reply
 * of later turns. Refs, steps, outcomes, curation, effects and the why are copied by code.
 */
export const TurnExecutionSummarySchema = z.object({
  turnNumber: z.number().int().positive(),
  userMessage: z.string(),
  goal: z.string(),
  steps: z.array(StepExecutionSummarySchema),
  curationSummary: z.string().nullable(),
  retainedRefs: z.array(z.string()),
  demotedRefs: z.array(z.string()),
  ...NarrativeSchema.shape,
  /** The decision of the plan, whoever made it; null where there was none, or a "yes" or an undo made it. */
  decision: DecisionSchema.nullable(),
  /** The why of the plan. */
  reasoning: z.string().nullable(),
  blockedReason: z.string().nullable(),
  effects: z.array(EffectSchema),
  /** The wishes that the turn has changed; null where it has changed none. */
  wishes: WishDifferenceSchema.nullable().default(null),
  notices: z.array(NoticeSchema),
  /** Null where the message was answered, and in summaries of older versions. */
  failure: TurnFailureSchema.nullable().default(null),
});
export type TurnExecutionSummary = z.infer<typeof TurnExecutionSummarySchema>;

/** The rest of a turn whose summary has left the last N: one line, in its parts. */
export const LedgerLineSchema = z.object({
  turn: z.number().int().positive(),
  goal: z.string(),
  /** The rows that were changed, by action: `shop_1 through shop_9`. */
  stored: z.array(z.object({ action: EffectSchema.shape.action, refs: z.string() })),
  /** True where it is certain that the turn has changed no data at all, described or not. */
  storedNothing: z.boolean().default(false),
  /** The drafts, in the same form; empty where there were none. */
  drafted: z.string(),
  /** The decisions of Understand about refs; empty where there were none. */
  decided: z.string(),
  /** Why a step could not be done; empty where all could. */
  blocked: z.string(),
  /** A fact that the person stated in a turn in which nothing was done, in their words; absent where there is none. */
  stated: z.string().optional(),
  /** The words with which the person asked for something to be done; absent for a question and a remark. */
  asked: z.string().optional(),
});
export type LedgerLine = z.infer<typeof LedgerLineSchema>;

/** Everything older than ledger and turn summaries. */
export const HistorySchema = z.object({
  /** The lines that are kept, oldest first. */
  lines: z.array(LedgerLineSchema),
  /** The words of the person in turns whose lines are no longer kept, oldest first. */
  messages: z
    .array(LedgerLineSchema.pick({ turn: true }).extend({ words: z.string() }))
    .default([]),
  /** The last turn it covers; 0 while empty. */
  throughTurn: z.number().int().nonnegative(),
});
export type History = z.infer<typeof HistorySchema>;

export const EMPTY_HISTORY: History = { lines: [], messages: [], throughTurn: 0 };
