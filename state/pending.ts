import { z } from "zod";
import { JsonObjectSchema, JsonSchema } from "./json.ts";

const OptionSchema = z.object({ ref: z.string(), label: z.string() });

/** A question of the assistant that waits for an answer in words. */
export const QuestionSchema = z.object({
  kind: z.literal("question"),
  /** The question, verbatim. */
  text: z.string(),
  options: z.array(OptionSchema),
  /** Rules that "yes" sets aside for drafts, when the question was whether to go on in spite of them. */
  waives: z.array(z.string()),
  turn: z.number().int(),
});

/** One row of changes that wait for a "yes". */
export const ListedChangeSchema = z.object({
  action: z.enum(["create", "update", "delete"]),
  type: z.string(),
  ref: z.string().nullable(),
  label: z.string(),
  /** The version of the row that was looked at, or a number that its content gives; null for a creation. */
  version: z.number().int().nullable(),
  /** True where a foreign key or a trigger causes it. */
  follows: z.boolean(),
});

/** A call that was run, looked at and taken back; "yes" runs it again. */
export const UnconfirmedCallSchema = z.object({
  tool: z.string(),
  args: JsonSchema,
  /** The step that it belongs to. */
  step: z.object({ description: z.string(), subdomain: z.string() }),
  /** See `hashChanges`. A "yes" covers exactly these changes. */
  changesHash: z.string(),
  changes: z.array(ListedChangeSchema),
  /** The rules by which the person is asked. */
  rules: z.array(z.string()),
  /** The call's changes, as a question. */
  wording: z.string(),
});
export type UnconfirmedCall = z.infer<typeof UnconfirmedCallSchema>;

/** A plan that waits for the person's agreement. */
export const ProposalSchema = z.object({
  kind: z.literal("proposal"),
  /** The proposal, verbatim. */
  text: z.string(),
  /** The plan that an accepted proposal runs. */
  plan: JsonObjectSchema,
  /** The calls among it whose changes it lists; a "yes" covers exactly these. */
  calls: z.array(UnconfirmedCallSchema).default([]),
  turn: z.number().int(),
});

/** The steps of a plan that stood behind a question, and the proposal that they are once it is answered. */
const RestSchema = ProposalSchema.pick({ text: true, plan: true });

/** Changes that are stored once the person says yes, exactly as they were listed. */
export const ConfirmationSchema = z.object({
  kind: z.literal("confirmation"),
  /** `confirm_4_1`: turn 4, first. */
  id: z.string(),
  calls: z.array(UnconfirmedCallSchema),
  /** The question, worded by code. */
  text: z.string(),
  /** The steps behind it that the same message asked for, proposed once it is answered; null for none. */
  rest: RestSchema.nullable().default(null),
  /** ISO 8601 in UTC; an answer after it does not count. */
  expiresAt: z.string(),
  turn: z.number().int(),
});
export type Confirmation = z.infer<typeof ConfirmationSchema>;

/** A person's answer to one confirmation, without words. */
export const ConfirmationDecisionSchema = z.object({
  /** The confirmation's id; null where none was waiting. */
  confirmation: z.string().nullable(),
  type: z.enum(["approve", "reject"]),
});
export type ConfirmationDecision = z.infer<typeof ConfirmationDecisionSchema>;

/** The calls of a confirmation or of a proposal that the person has said yes to. */
export const ConfirmedSchema = z.object({ calls: z.array(UnconfirmedCallSchema) });

/** The question whether a thread that has used up its budget may go on. Code reads the answer. */
export const BudgetQuestionSchema = z.object({
  kind: z.literal("budget"),
  /** The question, worded by code. */
  text: z.string(),
  /** The message that is answered after a "yes". */
  message: z.string(),
  /** The question that was waiting before this one. */
  waiting: z
    .discriminatedUnion("kind", [QuestionSchema, ProposalSchema, ConfirmationSchema])
    .nullable(),
  turn: z.number().int(),
});
export type BudgetQuestion = z.infer<typeof BudgetQuestionSchema>;

/** Question, proposal, confirmation or question of a budget that waits for the person's answer. */
export const PendingSchema = z.discriminatedUnion("kind", [
  QuestionSchema,
  ProposalSchema,
  ConfirmationSchema,
  BudgetQuestionSchema,
]);
export type Pending = z.infer<typeof PendingSchema>;

const PublicConfirmationSchema = ConfirmationSchema.omit({ calls: true, rest: true }).extend({
  changes: z.array(ListedChangeSchema),
});

/** Part of it that a client may see. */
export const PublicPendingSchema = z.discriminatedUnion("kind", [
  QuestionSchema,
  ProposalSchema.omit({ plan: true, calls: true }),
  PublicConfirmationSchema,
  BudgetQuestionSchema.omit({ message: true, waiting: true }),
]);

/** The part of a pending question that a client may see: no plan and no call. */
export function toPublicPending(pending: Pending): z.infer<typeof PublicPendingSchema> {
  switch (pending.kind) {
    case "question":
      return pending;
    case "proposal": {
      const { plan: _plan, calls: _calls, ...rest } = pending;
      return rest;
    }
    case "confirmation": {
      const { calls, rest: _rest, ...shown } = pending;
      return { ...shown, changes: calls.flatMap(({ changes }) => changes) };
    }
    case "budget": {
      const { message: _message, waiting: _waiting, ...rest } = pending;
      return rest;
    }
    default:
      return pending satisfies never;
  }
}
