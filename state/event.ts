import { z } from "zod";
import { ShapeNameSchema } from "./analysis.ts";
import { BatchPurposeSchema, ExpertOutcomeSchema } from "./batch.ts";
import { ClaimMapSchema } from "./claims.ts";
import { JsonSchema } from "./json.ts";
import { ManifestSectionSchema } from "./envelope.ts";
import { MessageLaneSchema } from "./understanding.ts";
import { PhaseSchema } from "./phase.ts";
import { ListedChangeSchema } from "./pending.ts";
import { PlanStepSchema } from "./plan.ts";
import { ReceiptSchema } from "./receipt.ts";
import { CurationSchema } from "./registry.ts";
import { TurnExecutionSummarySchema, TurnOutcomeSchema } from "./turn-summary.ts";
import { StepStatusSchema } from "./step.ts";
import type { Reply } from "./turn.ts";
import { AffectedSchema, PlanChangeSchema } from "./journey-plan.ts";
import { PlanViewSchema } from "./view-plan.ts";
import { ActiveWorkflowSchema } from "./workflow.ts";

const count = z.number().int().nonnegative();
const milliseconds = z.number().nonnegative();

/** An event that a turn emits while it runs, before the driver stamps it. */
export const EventBodySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("turn-start"), messageId: z.string(), message: z.string() }),
  /** Known rows that something outside the conversation has changed since its last turn. */
  z.object({
    type: z.literal("outside"),
    changes: z.array(
      z.object({
        action: z.enum(["updated", "deleted"]),
        who: z.enum(["conversation", "unknown"]),
        text: z.string(),
      }),
    ),
  }),
  z.object({ type: z.literal("node-start"), node: z.string() }),
  z.object({ type: z.literal("node-end"), node: z.string(), ms: milliseconds }),
  z.object({
    type: z.literal("understood"),
    lane: MessageLaneSchema,
    route: z.string(),
    references: z.array(z.object({ text: z.string(), ref: z.string() })),
    curation: CurationSchema,
  }),
  z.object({
    type: z.literal("plan"),
    goal: z.string(),
    decision: z.string(),
    steps: z.array(PlanStepSchema),
  }),
  z.object({ type: z.literal("step-start"), index: count, description: z.string() }),
  z.object({
    type: z.literal("step-end"),
    index: count,
    status: StepStatusSchema,
    outcome: z.string(),
    refs: z.array(z.string()),
    /** Warnings of checks about what the step has stored or drafted. */
    warnings: z.array(z.string()),
  }),
  z.object({
    type: z.literal("tool-start"),
    step: count,
    call: count,
    tool: z.string(),
    table: z.string(),
  }),
  z.object({
    type: z.literal("tool-end"),
    step: count,
    call: count,
    tool: z.string(),
    table: z.string(),
    effect: z.enum(["read", "write"]),
    ok: z.boolean(),
    count,
    suppressed: z.boolean(),
    ms: milliseconds,
  }),
  z.object({
    type: z.literal("effect"),
    action: z.enum(["created", "updated", "deleted"]),
    ref: z.string(),
    table: z.string(),
    label: z.string(),
  }),
  /** Changes wait for the person's "yes"; nothing of them is stored. */
  z.object({
    type: z.literal("confirmation"),
    id: z.string(),
    wording: z.string(),
    changes: z.array(ListedChangeSchema),
    rules: z.array(z.string()),
    /** ISO 8601 in UTC. */
    expiresAt: z.string(),
  }),
  z.object({
    type: z.literal("confirmation-end"),
    id: z.string(),
    answer: z.enum(["accepted", "adjusted", "rejected", "expired"]),
  }),
  z.object({
    type: z.literal("expert-start"),
    batch: z.string(),
    purpose: BatchPurposeSchema,
    expert: z.string(),
  }),
  z.object({
    type: z.literal("expert-end"),
    batch: z.string(),
    purpose: BatchPurposeSchema,
    expert: z.string(),
    outcome: ExpertOutcomeSchema,
    /** Why there is no answer; null where there is one. */
    reason: z.string().nullable(),
    ms: milliseconds,
  }),
  z.object({
    type: z.literal("analysis"),
    batch: z.string(),
    purpose: BatchPurposeSchema,
    /** Null where fewer than two experts answered. */
    shape: ShapeNameSchema.nullable(),
    confidence: z.number().nullable(),
    map: ClaimMapSchema.nullable(),
  }),
  z.object({
    type: z.literal("phase-change"),
    from: PhaseSchema,
    to: PhaseSchema,
  }),
  /** The experts' help with the plan's first step is there, and waits for the next message. */
  z.object({
    type: z.literal("step-help-ready"),
    /** Null where the step could not be found in the plan. */
    step: z.string().nullable(),
    text: z.string(),
  }),
  /** One version of the journey's plan, and what it changed. */
  z.object({
    type: z.literal("plan-change"),
    /** Null for the plan's first version. */
    change: PlanChangeSchema.nullable(),
    affected: z.array(AffectedSchema),
    workflow: ActiveWorkflowSchema,
    plan: PlanViewSchema,
  }),
  z.object({ type: z.literal("text-delta"), reply: z.string(), text: z.string() }),
  /** Code's own lines of a reply, before its first words; sent again, they replace the ones before. */
  z.object({
    type: z.literal("receipts"),
    reply: z.string(),
    receipts: z.array(ReceiptSchema),
    text: z.string(),
  }),
  /** The whole reply: `text` is the receipts' lines and `body`. */
  z.object({
    type: z.literal("reply"),
    reply: z.string(),
    text: z.string(),
    body: z.string(),
    receipts: z.array(ReceiptSchema),
  }),
  z.object({ type: z.literal("reply-reset"), reply: z.string() }),
  z.object({ type: z.literal("notice"), node: z.string(), code: z.string(), text: z.string() }),
  z.object({
    type: z.literal("prompt"),
    node: z.string(),
    messages: z.array(JsonSchema),
    sections: z.array(ManifestSectionSchema),
    tokens: count,
  }),
  z.object({
    type: z.literal("usage"),
    node: z.string(),
    input: count,
    cached: count,
    output: count,
  }),
  /** Nothing was seen of a call for five seconds; again every five seconds. */
  z.object({
    type: z.literal("waiting"),
    node: z.string(),
    /** `batch`: the answers of several experts are compared. */
    reason: z.enum(["queue", "rate-limit", "model", "batch"]),
    /** A sentence for the person. */
    label: z.string(),
    /** Seconds since the call began. */
    seconds: z.number().nonnegative(),
    /** Seconds at most; null where no bound is known. */
    most: z.number().nonnegative().nullable(),
  }),
  z.object({
    type: z.literal("turn-end"),
    outcome: TurnOutcomeSchema,
    /** Why the message was not simply answered; null where it was. */
    code: z.string().nullable(),
    summary: TurnExecutionSummarySchema,
  }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string() }),
]);
export type EventBody = z.infer<typeof EventBodySchema>;

/** Fields that every event carries besides its body. */
const EventStampSchema = z.object({
  thread: z.string(),
  turn: z.number().int().nonnegative(),
  run: z.string(),
  /** Counts the events of a run from 1, without gaps. */
  seq: z.number().int().positive(),
  /** ISO 8601 with milliseconds, UTC. */
  time: z.string(),
});

/**
 * One event of a turn, as the terminal prints it with `--json` and the endpoint streams it.
 *
 * Contract: one `turn-start` first, one `turn-end` or `error` last; every started node, step and
 * tool ends; the `text-delta`s of a reply since its last `reply-reset` add up to its one `reply`.
 */
export const TurnEventSchema = z.intersection(EventStampSchema, EventBodySchema);
export type TurnEvent = z.infer<typeof TurnEventSchema>;
/** The events of one type. */
export type EventNamed<T extends TurnEvent["type"]> = TurnEvent & { readonly type: T };

/** Takes one event of a running turn. */
export type Emit = (event: EventBody) => void;

/** Returns the events that show a stored reply whole: its receipts, where there are any, and its text. */
export function createReplyParts({ id, text, body, receipts }: Reply): EventBody[] {
  const lines = text.slice(0, text.length - body.length).trimEnd();
  return [
    ...(receipts.length === 0
      ? []
      : [{ type: "receipts" as const, reply: id, receipts: [...receipts], text: lines }]),
    { type: "text-delta", reply: id, text },
  ];
}

/** Returns the event of a stored reply. */
export function createReplyEvent({ id, text, body, receipts }: Reply): EventBody {
  return { type: "reply", reply: id, text, body, receipts: [...receipts] };
}
