import { z } from "zod";
import { EffectiveStanceSchema } from "./handover.ts";

/**
 * Changes to the intent handover that emerged in an explorer's transcript, under the same names.
 * Lists hold only new items; null leaves a field unchanged. The fields that opened the journey (`shape`,
 * `userQuery`, `starterResponse`, `userReply`) cannot be changed. Strict for endpoints.
 */
export const HandoverPatchSchema = z.object({
  keyFindings: z.array(z.string()),
  tensions: z.array(z.string()),
  gaps: z.array(z.string()),
  impliedGoal: z.string().nullable(),
  revealedConstraints: z.array(z.string()),
  acceptedFraming: z.string().nullable(),
  resistedFraming: z.string().nullable(),
  unpromptedReveals: z.array(z.string()),
  stillUnclear: z.array(z.string()),
  effectiveStance: EffectiveStanceSchema.nullable(),
  /** Entries of any list that no longer hold, word for word: answered, changed or taken back. */
  noLongerHolds: z.array(z.string()),
});
export type HandoverPatch = z.infer<typeof HandoverPatchSchema>;
