import { z } from "zod";
import { WishScopeSchema } from "./constraint.ts";
import { idSchema } from "./ids.ts";
import { CurationSchema, NO_CURATION } from "./registry.ts";
import { RowReadSchema } from "./row-call.ts";

/** Which way a turn takes. */
export const LaneSchema = z.enum(["task", "concierge"]);
export type Lane = z.infer<typeof LaneSchema>;

/** Parts of the answer that most messages leave empty. */
const RareSchema = z.object({
  /** The message's relation to the concierge's journey: it continues it, reopens it or begins a new one. */
  journey: z.enum(["continue", "reopen", "new"]).meta({ absent: "continue" }),
  clarification: z
    .object({
      question: z.string(),
      options: z.array(z.object({ ref: idSchema("ref"), label: z.string() })),
    })
    .nullable(),
  /** The answer to the pending question; null when none was pending. */
  answersPending: z.enum(["accept", "adjust", "reject", "other"]).nullable(),
  /** Changes that the person wants taken back; empty for those of the last turn that wrote. */
  undo: z.object({ effects: z.array(z.string()) }).nullable(),
  /** The open choice that it is about (`choice_3`), "new" for another one; null where it is about none. */
  topic: z.string().nullable(),
  /** It asks about the assistant itself: how it knows, what it did. */
  meta: z.boolean().meta({ absent: false }),
});

const NOTHING_RARE: z.infer<typeof RareSchema> = {
  journey: "continue",
  clarification: null,
  answersPending: null,
  undo: null,
  topic: null,
  meta: false,
};

/**
 * Understand's whole answer as a model gives it. Strict, nullable instead of optional; strict
 * endpoints write every key out, so what is rare stands together behind one.
 */
export const GivenUnderstandAnswerSchema = z.object({
  /** Why it is read this way, in one sentence; recorded, never shown. */
  reasoning: z.string().meta({ absent: "" }),
  lane: LaneSchema,
  /** The phrases of the message that refer to known refs. */
  references: z.array(z.object({ text: z.string(), ref: idSchema("ref") })),
  /** Null says in a word that nothing is decided, as most messages want it. */
  curation: CurationSchema.nullable(),
  /** Wishes and rules that hold beyond this turn. `replaces`: the text of an older one it takes the place of. */
  constraints: z.array(
    z.object({
      text: z.string(),
      kind: z.enum(["hard", "soft"]),
      count: z.number().int().nullable(),
      until: z.string().nullable(),
      replaces: z.string().nullable(),
      scope: WishScopeSchema,
    }),
  ),
  /** The wish or feeling that the person expressed, in one sentence; null for a plain request. */
  expressed: z.string().nullable(),
  /** Words alone, one read, or a plan; null in the concierge lane. */
  needs: z.enum(["talk", "look", "work"]).nullable(),
  /** The one read that answers the message, where it needs one. */
  look: RowReadSchema.nullable(),
  /** True where the person wants something stored, changed or removed. */
  asksForChange: z.boolean(),
  rare: RareSchema.nullable(),
});
export type GivenUnderstandAnswer = z.infer<typeof GivenUnderstandAnswerSchema>;

/** Understand's answer as code reads it: flat, with an empty curation and an empty sentence for none. */
export const UnderstandAnswerSchema = GivenUnderstandAnswerSchema.omit({ rare: true }).extend({
  ...RareSchema.shape,
  curation: CurationSchema,
  expressed: z.string(),
});
export type UnderstandAnswer = z.infer<typeof UnderstandAnswerSchema>;

/** Returns the answer that a model gave, flat. Pure. */
export function readGivenAnswer({ rare, ...answer }: GivenUnderstandAnswer): UnderstandAnswer {
  const { curation, expressed } = answer;
  return {
    ...answer,
    ...(rare ?? NOTHING_RARE),
    curation: curation ?? NO_CURATION,
    expressed: expressed ?? "",
  };
}

/** The route of the turn after Understand, decided by code from the answer. */
export const RouteSchema = z.enum([
  "clarify",
  "meta",
  "talk",
  "look",
  "accept",
  "confirm",
  "undo",
  "task",
  "concierge",
]);
export type Route = z.infer<typeof RouteSchema>;

/** Understand's answer after code has checked it, with the way the turn takes. */
export const UnderstandingSchema = UnderstandAnswerSchema.extend({
  route: RouteSchema,
  /** Constraints that the person has been asked about and sets aside for this turn. */
  waived: z.array(z.string()),
  /** True where no model has read the message: wishes and exclusions in it may be lost. */
  degraded: z.boolean(),
});
export type Understanding = z.infer<typeof UnderstandingSchema>;
