import { z } from "zod";

/**
 * The question to the experts of a batch, and what they need to know for it. It goes to models of other
 * companies: nothing of the person's data stands in it but what the domain says.
 *
 * Source: living-plan.md §4.
 */
export const ExpertQuestionSchema = z.object({
  /** The person's message, or a concierge's prompt: not rewritten. */
  text: z.string(),
  /** Messages before it that nobody has answered, oldest first. */
  unanswered: z.array(z.string()),
  /** Rules and wishes that hold now, one line each, with their end: `no nuts (must hold)`. */
  constraints: z.array(z.string()),
  /** The person, as far as the domain lets experts know (`Profile.forExperts`); empty for nothing. */
  person: z.string(),
  /** Earlier words of this journey, one line each, oldest first. */
  earlier: z.array(z.string()),
  /** `Monday, 2026-11-23, Europe/Berlin`. */
  date: z.string(),
});
export type ExpertQuestion = Readonly<z.infer<typeof ExpertQuestionSchema>>;
