import { z } from "zod";
import { CallRecordSchema } from "./call-record.ts";
import { ExpertQuestionSchema } from "./expert-question.ts";
import { UsageSchema } from "./model.ts";

/** The purpose of a batch: to open a journey, to make the plan, or to help with a step. */
export const BatchPurposeSchema = z.enum(["opening", "workflow", "step-help"]);
export type BatchPurpose = z.infer<typeof BatchPurposeSchema>;

/** One question on its way to all experts. */
export const BatchSchema = z.object({
  /** `t3-b1`: turn 3, first batch. */
  id: z.string(),
  purpose: BatchPurposeSchema,
  question: ExpertQuestionSchema,
  /** Title of the step it is about; null for other purposes. */
  step: z.string().nullable(),
  /** When every expert has to have answered: milliseconds since 1970. */
  deadlineAt: z.number(),
  /** Ids of the experts that are asked, in their configured order. */
  experts: z.array(z.string()),
  /** Seconds of one expert, from the beginning of its call; left out for the program's limit. */
  expertSeconds: z.number().positive().optional(),
  /** Seconds of the mapper, after the experts; left out for the program's limit. */
  mapperSeconds: z.number().positive().optional(),
  /** True where one call gives the views of all. */
  combined: z.boolean().optional(),
});
export type Batch = z.infer<typeof BatchSchema>;

/**
 * The end of an expert's work: a whole answer, one cut off by its length limit, none before the
 * deadline, none because the batch was cut, or a failure.
 */
export const ExpertOutcomeSchema = z.enum(["answered", "partial", "late", "cut", "failed"]);
export type ExpertOutcome = z.infer<typeof ExpertOutcomeSchema>;

/** The result of one expert. */
export const ExpertAnswerSchema = z.object({
  /** The batch it belongs to. */
  batch: z.string(),
  expert: z.string(),
  outcome: ExpertOutcomeSchema,
  /** Empty where there is none. */
  text: z.string(),
  /** Why there is none, one sentence; null where there is one. */
  reason: z.string().nullable(),
  ms: z.number().nonnegative(),
  usage: UsageSchema,
  /** Its calls with their figures; left out in answers that earlier versions have stored. */
  calls: z.array(CallRecordSchema).optional(),
});
export type ExpertAnswer = z.infer<typeof ExpertAnswerSchema>;

/** An expert as it is configured, without its model: what the state and events may hold. */
export interface ExpertProfile {
  /** Short and unique: `risk`. */
  readonly id: string;
  /** The view it is asked to take; null for none. */
  readonly lens: string | null;
}
