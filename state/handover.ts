import { z } from "zod";

/** A concierge's approach to a question: open it up, settle it, or test it. */
export const EffectiveStanceSchema = z.enum(["explore", "decide", "challenge"]);
export type EffectiveStance = z.infer<typeof EffectiveStanceSchema>;

/**
 * The starter's handover to the explorer: findings, quotations, and their interpretation.
 * Names as in seeds 000 and 002; unknown values are `[]`, `""` or `null`.
 */
export const IntentHandoverSchema = z.object({
  shape: z.string(),
  keyFindings: z.array(z.string()),
  tensions: z.array(z.string()),
  gaps: z.array(z.string()),
  userQuery: z.string(),
  starterResponse: z.string(),
  userReply: z.string(),
  impliedGoal: z.string(),
  revealedConstraints: z.array(z.string()),
  acceptedFraming: z.string(),
  resistedFraming: z.string().nullable(),
  unpromptedReveals: z.array(z.string()),
  stillUnclear: z.array(z.string()),
  effectiveStance: EffectiveStanceSchema,
});
export type IntentHandover = z.infer<typeof IntentHandoverSchema>;

/** The explorer's handover to the executor, also used in the experts' prompt. */
export const ExecutionHandoverSchema = z.object({
  goal: z.string(),
  problemSummary: z.string(),
  situation: z.string(),
  constraints: z.array(z.string()),
  priorities: z.array(z.string()),
  decisionsMade: z.array(z.string()),
  openQuestions: z.array(z.string()),
  explorationHighlights: z.array(z.string()),
});
export type ExecutionHandover = z.infer<typeof ExecutionHandoverSchema>;
