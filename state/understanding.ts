import { z } from "zod";
import { WishDifferenceSchema, WishScopeSchema } from "./constraint.ts";
import { idSchema } from "./ids.ts";
import { JourneyActionSchema } from "./journey.ts";
import { CurationSchema, NO_CURATION } from "./registry.ts";
import { ShortPlanActionSchema } from "./plan-action.ts";
import { createRowReadSchema, RowReadSchema } from "./row-call.ts";

/** Which way a turn takes. */
export const LaneSchema = z.enum(["task", "concierge"]);
export type Lane = z.infer<typeof LaneSchema>;

/** Which way a message takes: `both` has a part for each lane, the task's first. */
export const MessageLaneSchema = z.enum([...LaneSchema.options, "both"]);

/** The need of a message in the task lane: words alone, one read, a change now, or a plan of another kind. */
const TaskNeedSchema = z.enum(["talk", "look", "change", "work"]);

/** The relation of a message to what the concierge and the person do together. */
const AdviceSchema = z.object({
  /** The concierge's part of a message for both lanes, verbatim. */
  conciergePart: z
    .string()
    .nullable()
    .describe("the concierge's part of a message that asks for data too, verbatim"),
  /** The message's relation to the concierge's journey: it continues it, reopens it or begins a new one. */
  journey: JourneyActionSchema.describe(
    "new: another open question, or the first; resume: back to a journey; reopen: drops the plan",
  ).meta({ absent: "continue" }),
  /** An id that is shown, a title as the person says it, the new title of `rename`, or null. */
  journeyTo: z.string().nullable().describe("its id or title"),
  /** Changes to the plan that the message asks for outright. */
  planActions: z.array(ShortPlanActionSchema).describe("what it asks of steps and decisions"),
  /** A change to the plan whose content is left to the concierge, verbatim. */
  rework: z
    .string()
    .nullable()
    .describe("their words for a change of the plan whose how is open, or a yes to one"),
  /** The words that ask for the plan now, verbatim. */
  asksForPlan: z.string().nullable().describe("their words that ask for a plan now"),
  /** The words of a commitment, verbatim. */
  commits: z.string().nullable().describe("their words that promise to act"),
  stance: z
    .enum(["none", "explore", "decide", "challenge"])
    .describe("decide: wants a recommendation; challenge: wants a view tested")
    .meta({ absent: "none" }),
  isNews: z
    .boolean()
    .describe("says something new of situation, wishes or limits")
    .meta({ absent: false }),
});
export type Advice = z.infer<typeof AdviceSchema>;

/** The advice part of a message that is none of the concierge's business. */
export const EMPTY_ADVICE: Advice = {
  conciergePart: null,
  journey: "continue",
  journeyTo: null,
  planActions: [],
  rework: null,
  asksForPlan: null,
  commits: null,
  stance: "none",
  isNews: false,
};

/** The subject of a question about the assistant. */
export const MetaKindSchema = z.enum([
  "sources",
  "agreement",
  "dissent",
  "identity",
  "instructions",
  "memory",
]);
export type MetaKind = z.infer<typeof MetaKindSchema>;

/** Parts of the answer that few messages need. */
const RareSchema = z.object({
  clarification: z
    .object({
      question: z.string().describe("one short question"),
      options: z
        .array(
          z.object({
            ref: idSchema("ref").describe("a listed ref that may be meant"),
            label: z.string().describe("its label, as it stands"),
          }),
        )
        .describe("what may be meant; [] where no listed thing is"),
    })
    .nullable()
    .describe("what to ask before anything is done, by the rule on clarification; null for none"),
  /** Changes that the person wants taken back; empty for those of the last turn that wrote. */
  undo: z
    .object({
      effects: z.array(z.string()).describe("those meant, as listed (e17, w3); [] for the last"),
    })
    .nullable()
    .describe("stored changes, or an undo, to take back; null for none"),
  /** The open choice that it is about (`choice_3`), "new" for another one; null where it is about none. */
  topic: z
    .string()
    .nullable()
    .describe("id of the open choice (choice_3); new: another one; null: no choice"),
  /** The subject of a question about the assistant itself. */
  meta: z
    .enum(["none", ...MetaKindSchema.options])
    .describe("a question about the assistant itself")
    .meta({ absent: "none" }),
  /** The batch of experts that such a question is about; null for the newest. */
  metaBatch: z.string().nullable().describe("id of the batch it is about"),
  /** The language that the conversation has from this message on, BCP 47; null where it goes on as it was. */
  language: z.string().nullable().describe("BCP 47, if it changes; English at first"),
});

export const NOTHING_RARE: z.infer<typeof RareSchema> = {
  clarification: null,
  undo: null,
  topic: null,
  meta: "none",
  metaBatch: null,
  language: null,
};

/** Parts of the answer that a plain request leaves empty. */
const ExtrasSchema = z.object({
  /** The wish or feeling that the person expressed, in one sentence; null for a plain request. */
  expressed: z
    .string()
    .nullable()
    .describe(
      'their wish or feeling as a sentence, verb first ("Wants to …"); null for a plain request',
    ),
  /** The answer to the pending question; null when none was pending. */
  answersPending: z
    .enum(["accept", "adjust", "reject", "other"])
    .nullable()
    .describe(
      "accept: yes; adjust: yes, changed; reject: no; other: another answer; null: none pending, or off the subject",
    ),
  curation: CurationSchema.nullable().describe(
    "what leaves the view or comes back; null where nothing is decided",
  ),
  /** Null where the concierge has no part in the message. */
  advice: AdviceSchema.nullable().describe("null where the concierge has no part in it"),
  rare: RareSchema.nullable().describe("null for most messages"),
});

const LOOK_DESCRIPTION = "with look, the one read that answers the message; else null";

/**
 * Understand's whole answer as a model gives it. Strict, nullable instead of optional; strict
 * endpoints write every key out, so what is rare stands together behind one.
 */
export const GivenUnderstandAnswerSchema = z.object({
  /** Why it is read this way, in one sentence; recorded, never shown. */
  reasoning: z.string().describe("why it is read this way, one sentence").meta({ absent: "" }),
  /** The known refs that the message refers to, with its phrases; empty where it has none ("finished", of a task). */
  references: z
    .array(
      z.object({
        text: z.string().describe("the phrase, as the message has it; empty for what is left out"),
        ref: idSchema("ref").describe("the listed ref that it means"),
      }),
    )
    .describe("each thing that the message names, points at or leaves out; [] for none"),
  /** Wishes and rules that hold beyond this turn. `replaces`: the text of an older one it takes the place of. */
  constraints: z
    .array(
      z.object({
        text: z
          .string()
          .describe("the wish or rule, in few words; empty where one is to be forgotten"),
        kind: z
          .enum(["hard", "soft"])
          .describe(
            "hard: an allergy, a diet, health, religion, never, must, cannot; soft: everything else",
          ),
        count: z
          .number()
          .int()
          .nullable()
          .describe("number of things that it names; null for none"),
        until: z
          .string()
          .nullable()
          .describe("its last day, YYYY-MM-DD; null where nothing ends it"),
        replaces: z
          .string()
          .nullable()
          .describe(
            "words of the older one whose place it takes, or that is forgotten; null for none",
          ),
        scope: WishScopeSchema.describe(
          "person: said for good (“I never eat coriander”), holds in every conversation; conversation: everything else",
        ),
      }),
    )
    .describe("wishes and rules that hold beyond this message; [] for none"),
  /** The need in the task lane, or `advise` for a message that is the concierge's alone. */
  needs: z
    .enum([...TaskNeedSchema.options, "advise"])
    .describe(
      "talk: words below suffice; look: one read of one type; change: store, change, remove now; work: other work on data; advise: the concierge's alone: advice, decisions, answers to its last question, progress on its plan",
    ),
  /** The one read that answers the message, where it needs one. */
  look: RowReadSchema.nullable().describe(LOOK_DESCRIPTION),
  extras: ExtrasSchema.nullable().describe("null for a plain request"),
});
export type GivenUnderstandAnswer = z.infer<typeof GivenUnderstandAnswerSchema>;

/** Returns the schema of Understand's answer that models answer in: its look-up names the entity types. */
export function createUnderstandAnswerSchema(types: readonly string[]) {
  const look = createRowReadSchema(types).nullable().describe(LOOK_DESCRIPTION);
  return GivenUnderstandAnswerSchema.extend({ look });
}

/** Understand's answer as code reads it: flat, with its lane, an empty curation and an empty sentence for none. */
export const UnderstandAnswerSchema = GivenUnderstandAnswerSchema.omit({
  extras: true,
}).extend({
  lane: MessageLaneSchema,
  /** Null in the concierge lane. */
  needs: TaskNeedSchema.nullable(),
  ...AdviceSchema.shape,
  ...RareSchema.shape,
  answersPending: ExtrasSchema.shape.answersPending,
  curation: CurationSchema,
  expressed: z.string(),
});
export type UnderstandAnswer = z.infer<typeof UnderstandAnswerSchema>;

/** Returns the answer that a model gave, flat. Pure. */
export function readGivenAnswer({
  extras,
  needs,
  ...answer
}: GivenUnderstandAnswer): UnderstandAnswer {
  const advice = extras?.advice ?? EMPTY_ADVICE;
  return {
    ...answer,
    lane: needs === "advise" ? "concierge" : advice.conciergePart === null ? "task" : "both",
    needs: needs === "advise" ? null : needs,
    ...advice,
    ...(extras?.rare ?? NOTHING_RARE),
    answersPending: extras?.answersPending ?? null,
    curation: extras?.curation ?? NO_CURATION,
    expressed: extras?.expressed ?? "",
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
  /** The wishes that the message has changed; absent where it has changed none. */
  wishes: WishDifferenceSchema.optional(),
  /** The wishes that it takes back, as the turns that changed them did; absent where it takes none back. */
  undoneWishes: WishDifferenceSchema.optional(),
});
export type Understanding = z.infer<typeof UnderstandingSchema>;
