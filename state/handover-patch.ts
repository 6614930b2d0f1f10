import { z } from "zod";
import { EffectiveStanceSchema } from "./handover.ts";

/**
 * Changes to the intent handover that emerged in an explorer's transcript, under the same names.
 * Lists hold only new items; null leaves a field unchanged. The fields that opened the journey (`shape`,
 * `userQuery`, `starterResponse`, `userReply`) cannot be changed. Strict for endpoints.
 */
export const HandoverPatchSchema = z.object({
  keyFindings: z
    .array(z.string())
    .describe('what became clear, decisions among it ("Decided: …"); [] for nothing new'),
  tensions: z.array(z.string()).describe("what pulls against what; [] for nothing new"),
  gaps: z.array(z.string()).describe("what nobody could answer; [] for nothing new"),
  impliedGoal: z.string().nullable().describe("what they are after, whole; null where unchanged"),
  revealedConstraints: z
    .array(z.string())
    .describe("limits, amounts, dates, red lines, in the person's words; [] for nothing new"),
  acceptedFraming: z
    .string()
    .nullable()
    .describe("the view of it that they took up, whole; null where unchanged"),
  resistedFraming: z
    .string()
    .nullable()
    .describe("the view of it that they pushed back, whole; null where unchanged"),
  unpromptedReveals: z.array(z.string()).describe("what they told unasked; [] for nothing new"),
  stillUnclear: z.array(z.string()).describe("what is worth probing next; [] for nothing new"),
  effectiveStance: EffectiveStanceSchema.nullable().describe(
    "explore: open it up; decide: settle it; challenge: test it; null where unchanged",
  ),
  /** Entries of any list that no longer hold, word for word: answered, changed or taken back. */
  noLongerHolds: z
    .array(z.string())
    .describe(
      "entries of the notes' lists, word for word, answered, changed or taken back; [] for none",
    ),
});
export type HandoverPatch = z.infer<typeof HandoverPatchSchema>;
