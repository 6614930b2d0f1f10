import { z } from "zod";
import { StructuralAnalysisSchema } from "./analysis.ts";
import { ExecutionHandoverSchema, IntentHandoverSchema } from "./handover.ts";
import { PlanActionSchema } from "./plan-action.ts";
import { ActiveWorkflowSchema } from "./workflow.ts";

/** Which concierge speaks. Moves right; goes back to `explorer` when the plan is reopened, to `starter` with a new journey. */
export const PhaseSchema = z.enum(["starter", "explorer", "executor"]);
export type Phase = z.infer<typeof PhaseSchema>;

/**
 * The concierge's phase (seed 000). Changes only when an answer has been stored: a failed call
 * leaves it as it was.
 */
export const ConciergePhaseStateSchema = z.object({
  currentPhase: PhaseSchema,
  /** Answers of the phase's instances so far. */
  turnInPhase: z.number().int().nonnegative(),
  /** Names the phase's instance; null before its first answer. */
  conciergeContextId: z.string().nullable(),
  intentHandover: IntentHandoverSchema.nullable(),
  executionHandover: ExecutionHandoverSchema.nullable(),
  activeWorkflow: ActiveWorkflowSchema.nullable(),
  pendingWorkflowAnalysis: StructuralAnalysisSchema.nullable(),
  pendingStepBatchAnalysis: StructuralAnalysisSchema.nullable(),
});
export type ConciergePhaseState = z.infer<typeof ConciergePhaseStateSchema>;

/** A new session's phase state. */
export const INITIAL_PHASE_STATE: ConciergePhaseState = {
  currentPhase: "starter",
  turnInPhase: 0,
  conciergeContextId: null,
  intentHandover: null,
  executionHandover: null,
  activeWorkflow: null,
  pendingWorkflowAnalysis: null,
  pendingStepBatchAnalysis: null,
};

/** The question that opened the journey, what the experts' answers look like, and what the starter said. */
export const OpeningSchema = z.object({
  question: z.string(),
  /** Empty until the starter has answered. */
  answer: z.string(),
  /** Null where fewer than two experts answered. */
  analysis: StructuralAnalysisSchema.nullable(),
  /** The stance that the question asks for; left out where no model has read it. */
  stance: z.enum(["none", "explore", "decide", "challenge"]).optional(),
});
export type Opening = z.infer<typeof OpeningSchema>;

/** The step of the plan that the experts were asked about last. */
export const HelpStepSchema = z.object({
  /** Null where it could not be found in the plan. */
  id: z.string().nullable(),
  title: z.string(),
});

/** One message of a concierge's or expert's own thread, as it was sent or came. */
export const ThreadMessageSchema = z.object({
  role: z.enum(["system", "user", "assistant"]),
  text: z.string(),
});
export type ThreadMessage = z.infer<typeof ThreadMessageSchema>;

/** Code's question whether changes of the plan are meant, and what a plain yes to it carries out. */
export const PlanQuestionSchema = z.object({
  /** The turn whose reply asks it. */
  turn: z.number().int(),
  question: z.string(),
  actions: z.array(PlanActionSchema),
  /** The wish that is left to the concierge; null for none. */
  rework: z.string().nullable(),
});
export type PlanQuestion = z.infer<typeof PlanQuestionSchema>;

/** The messages of the current phase's instance. */
export const ConciergeThreadSchema = z.object({
  /** `conciergeContextId`; null while there is no instance. */
  contextId: z.string().nullable(),
  /** The model that has answered in it: another one begins anew. */
  model: z.string(),
  messages: z.array(ThreadMessageSchema),
  /** The last turn it answered; later ones of the task lane are told with its next message. */
  throughTurn: z.number().int().nonnegative(),
  /** The version of the plan that it was last shown; 0: none. */
  planVersion: z.number().int().nonnegative(),
  /** Code's last question below an answer of it, or below another reply since; left out where there is none. */
  asked: PlanQuestionSchema.optional(),
});
export type ConciergeThread = z.infer<typeof ConciergeThreadSchema>;

/** A thread without an instance. */
export const NO_CONCIERGE_THREAD: ConciergeThread = {
  contextId: null,
  model: "",
  messages: [],
  throughTurn: 0,
  planVersion: 0,
};

/** One expert's own thread, across batches. */
export const ExpertThreadSchema = z.object({
  expert: z.string(),
  messages: z.array(ThreadMessageSchema),
});
export type ExpertThread = z.infer<typeof ExpertThreadSchema>;
