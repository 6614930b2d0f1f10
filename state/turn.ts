import { MessagesValue, ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { StructuralAnalysisSchema } from "./analysis.ts";
import { BatchSchema, ExpertAnswerSchema, type ExpertAnswer } from "./batch.ts";
import { CallRecordSchema } from "./call-record.ts";
import { ClaimMapSchema } from "./claims.ts";
import { ConstraintSchema, WishChangeSchema } from "./constraint.ts";
import { JourneyLineSchema } from "./journey.ts";
import { JourneyPlanSchema } from "./journey-plan.ts";
import { SCHEMA_VERSION } from "./migrate-state.ts";
import {
  ConciergePhaseStateSchema,
  ConciergeThreadSchema,
  ExpertThreadSchema,
  HelpStepSchema,
  INITIAL_PHASE_STATE,
  NO_CONCIERGE_THREAD,
  OpeningSchema,
  PlanQuestionSchema,
} from "./phase.ts";
import { ConfirmationDecisionSchema, ConfirmedSchema, PendingSchema } from "./pending.ts";
import { PlanSchema } from "./plan.ts";
import { ReceiptSchema } from "./receipt.ts";
import { RegistryEventSchema, RegistrySchema, TableLineSchema } from "./registry.ts";
import { EffectSchema, PendingCallSchema, StepResultSchema } from "./step.ts";
import {
  EMPTY_HISTORY,
  HistorySchema,
  LedgerLineSchema,
  NoticeSchema,
  StepExecutionSummarySchema,
  TurnExecutionSummarySchema,
} from "./turn-summary.ts";
import { RequestedBatchSchema } from "./signal.ts";
import { TurnBoundsSchema } from "./turn-context.ts";
import { LaneSchema, UnderstandingSchema } from "./understanding.ts";

/** The person's message. */
export const InputSchema = z.object({
  messageId: z.string(),
  /** The person's words, NUL characters taken out, otherwise untouched. */
  text: z.string(),
  /** When it was received, ISO 8601 in UTC; left out where nobody knows. */
  receivedAt: z.string().optional(),
  /** The decision that was sent in place of words; `text` then puts it into words. */
  decision: ConfirmationDecisionSchema.optional(),
});

/**
 * The reader of a turn: whoever runs the program, who may know models, hosts and settings, or a user
 * of it, who may not.
 */
export const AudienceSchema = z.enum(["operator", "user"]);
export type Audience = z.infer<typeof AudienceSchema>;

/** For whom and when the turn runs. In the state because nothing else survives a crash. */
export const TurnContextSchema = z.object({
  runId: z.string(),
  threadId: z.string(),
  userId: z.string(),
  /** `YYYY-MM-DD` in the person's time zone. */
  today: z.string(),
  /** IANA name. */
  timeZone: z.string(),
  /** BCP 47. */
  locale: z.string(),
  /** Left out where the turn may do what the program may. */
  bounds: TurnBoundsSchema.optional(),
  /** Left out for a user. */
  audience: AudienceSchema.optional(),
});
export type TurnContext = z.infer<typeof TurnContextSchema>;

/** The position in the plan: the group whose steps are open. */
export const CursorSchema = z.object({ group: z.number().int() });

/** One thing the assistant said in this turn. */
export const ReplySchema = z.object({
  /** `reply_<run>_<n>`, see `createReplyId`. */
  id: z.string(),
  /** Everything that the person reads: the receipts' lines, then the body. */
  text: z.string(),
  /** The words without the receipts' lines; empty where these say it all. */
  body: z.string(),
  receipts: z.array(ReceiptSchema),
  /** Time it was stored, ISO 8601 in UTC. */
  at: z.string(),
});

export type Reply = Readonly<z.infer<typeof ReplySchema>>;

/** A concierge's reply on its way to the person. */
export const PassedOnReplySchema = z.object({ text: z.string() });

/**
 * The answers of the newest batch. Experts write side by side: an answer takes the place of an
 * earlier one of the same expert; an empty list clears.
 */
const AnswersValue = new ReducedValue(
  z.array(ExpertAnswerSchema).default(() => []),
  { inputSchema: z.array(ExpertAnswerSchema), reducer: addAnswers },
);

function addAnswers(answers: ExpertAnswer[], added: ExpertAnswer[]): ExpertAnswer[] {
  if (added.length === 0) return [];
  const isReplaced = (old: ExpertAnswer): boolean =>
    added.some(({ batch, expert }) => batch !== old.batch || expert === old.expert);
  return [...answers.filter((answer) => !isReplaced(answer)), ...added];
}

/** The times that the person has raised the thread's budget; true once they know that most of it is used. */
const ThreadBudgetSchema = z.object({
  raises: z.number().int().nonnegative(),
  warned: z.boolean(),
});

/** The changes to the journey's plan that the turn's message has brought, in words. */
const PlanNewsSchema = z.object({
  /** Words for the person: what was changed, what was not and why, and which steps rest on it. */
  report: z.string(),
  /** The question for a yes with which the reply ends; left out where code asks none. */
  asked: PlanQuestionSchema.optional(),
  /** True where the plan is another than before. */
  isChanged: z.boolean(),
});

/** The effect of the turn on journeys, in code's words. */
const JourneyNewsSchema = z.object({
  text: z.string(),
  /** True where it is the whole reply; else it is the first paragraph of the concierge's. */
  isReply: z.boolean(),
});

/** Channels that last from turn to turn. */
const threadChannels = {
  schemaVersion: z.number().int().default(SCHEMA_VERSION),
  input: InputSchema.nullable().default(null),
  run: TurnContextSchema.nullable().default(null),
  messages: MessagesValue,
  turn: z.number().int().nonnegative().default(0),
  /** The run of the last turn that finished: the parent of this turn's. */
  lastRunId: z.string().nullable().default(null),
  registry: RegistrySchema.default(() => ({
    entries: [],
    counters: [],
    listed: [],
    choices: [],
    journalSeen: null,
  })),
  /** The registry's table as the last turn left it: prompts only add to it until it is cut. */
  registryTable: z.array(TableLineSchema).default(() => []),
  turnExecutionSummaries: z.array(TurnExecutionSummarySchema).default(() => []),
  ledger: z.array(LedgerLineSchema).default(() => []),
  history: HistorySchema.default(() => EMPTY_HISTORY),
  constraints: z.array(ConstraintSchema).default(() => []),
  pending: PendingSchema.nullable().default(null),
  threadBudget: ThreadBudgetSchema.default(() => ({ raises: 0, warned: false })),
  concierge: ConciergePhaseStateSchema.default(() => INITIAL_PHASE_STATE),
  /** The plan of the journey; its owner is `withPlan`. */
  journeyPlan: JourneyPlanSchema.nullable().default(null),
  opening: OpeningSchema.nullable().default(null),
  /** The journeys that are named without the archive, the active one among them. */
  journeys: z.array(JourneyLineSchema).default(() => []),
  helpStep: HelpStepSchema.nullable().default(null),
  /** The language in which code speaks to the person, as `readLanguage` gives it. */
  language: z.string().default("en"),
  /** Messages to the explorer in a row that brought nothing new. */
  quietTurns: z.number().int().nonnegative().default(0),
  conciergeThread: ConciergeThreadSchema.default(() => NO_CONCIERGE_THREAD),
  expertThreads: z.array(ExpertThreadSchema).default(() => []),
  /** Messages that a concierge has not answered yet: its next prompt begins with them. */
  unansweredMessages: z.array(z.string()).default(() => []),
};

/** Channels of one turn, cleared at intake. All tracked: a resumed run needs them. */
const turnChannels = {
  understanding: UnderstandingSchema.nullable().default(null),
  planNews: PlanNewsSchema.nullable().default(null),
  journeyNews: JourneyNewsSchema.nullable().default(null),
  plan: PlanSchema.nullable().default(null),
  /** The calls whose changes the person has said yes to in this turn: to a question, or to a proposal. */
  confirmed: ConfirmedSchema.nullable().default(null),
  cursor: CursorSchema.nullable().default(null),
  pendingCalls: z.array(PendingCallSchema).default(() => []),
  registryEvents: z.array(RegistryEventSchema).default(() => []),
  stepResults: z.array(StepResultSchema).default(() => []),
  effects: z.array(EffectSchema).default(() => []),
  replies: z.array(ReplySchema).default(() => []),
  /** The lanes whose replies are out. */
  lanesServed: z.array(LaneSchema).default(() => []),
  notices: z.array(NoticeSchema).default(() => []),
  calls: z.array(CallRecordSchema).default(() => []),
  batchInfo: BatchSchema.nullable().default(null),
  answers: AnswersValue,
  claimMap: ClaimMapSchema.nullable().default(null),
  analysis: StructuralAnalysisSchema.nullable().default(null),
  signal: RequestedBatchSchema.nullable().default(null),
  passedOnReply: PassedOnReplySchema.nullable().default(null),
  /** The results of the turn's finished batches, for its summary. */
  batchSteps: z.array(StepExecutionSummarySchema).default(() => []),
  /** Lasting wishes that the turn has noted or withdrawn; kept when it ends. */
  wishChanges: z.array(WishChangeSchema).default(() => []),
};

/** The graph's state. Strict JSON values only; treated as frozen. */
export const TurnStateSchema = new StateSchema({ ...threadChannels, ...turnChannels });
export type TurnState = typeof TurnStateSchema.State;
export type TurnUpdate = typeof TurnStateSchema.Update;

const { messages: _messages, ...threadFields } = threadChannels;
const { answers: _answers, ...turnFields } = turnChannels;

/** The channels that last from turn to turn, without the messages; each has its default. */
export const ThreadFieldsSchema = z.object(threadFields);

/** The values to which intake resets a turn. */
export const CLEARED_TURN = { ...z.object(turnFields).parse({}), answers: [] } satisfies TurnUpdate;

/** Returns the state of a thread before its first message. */
export function createEmptyState(): TurnState {
  return { ...ThreadFieldsSchema.parse({}), messages: [], ...CLEARED_TURN };
}
