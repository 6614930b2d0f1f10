import { MessagesValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { ConstraintSchema } from "./constraint.ts";
import { SCHEMA_VERSION } from "./migrate-state.ts";
import { UsageSchema, ModelRoleSchema } from "./model.ts";
import { PlanSchema } from "./plan.ts";
import { CandidatesSchema, RegistryEventSchema, RegistrySchema } from "./registry.ts";
import {
  EffectSchema,
  PendingCallSchema,
  PendingQuestionSchema,
  StepResultSchema,
} from "./step.ts";
import {
  HistorySchema,
  LedgerLineSchema,
  NoticeSchema,
  TurnExecutionSummarySchema,
} from "./turn-summary.ts";
import { UnderstandingSchema } from "./understanding.ts";

/** What the person sent. */
export const InputSchema = z.object({
  messageId: z.string(),
  /** The person's words, NUL characters taken out, otherwise untouched. */
  text: z.string(),
});

/** For whom and when the turn runs. In the state because nothing else survives a crash. */
export const RunSchema = z.object({
  runId: z.string(),
  threadId: z.string(),
  userId: z.string(),
  /** `YYYY-MM-DD` in the person's time zone. */
  today: z.string(),
  /** IANA name. */
  timeZone: z.string(),
  /** BCP 47. */
  locale: z.string(),
});
export type Run = z.infer<typeof RunSchema>;

/** Where the plan stands: the group whose steps are open. */
export const CursorSchema = z.object({ group: z.number().int() });

/** One thing the assistant said in this turn. */
export const ReplySchema = z.object({
  /** `t3-a1`: turn 3, first reply. */
  id: z.string(),
  text: z.string(),
});

/** What one model call of the turn was shown and cost. */
export const CallRecordSchema = z.object({ node: ModelRoleSchema, usage: UsageSchema });
export type CallRecord = z.infer<typeof CallRecordSchema>;

/** Channels that last from turn to turn. */
const threadChannels = {
  schemaVersion: z.number().int().default(SCHEMA_VERSION),
  input: InputSchema.nullable().default(null),
  run: RunSchema.nullable().default(null),
  messages: MessagesValue,
  turn: z.number().int().nonnegative().default(0),
  registry: RegistrySchema.default(() => ({ entries: [], counters: [], listed: [] })),
  candidates: z.array(CandidatesSchema).default(() => []),
  turnExecutionSummaries: z.array(TurnExecutionSummarySchema).default(() => []),
  ledger: z.array(LedgerLineSchema).default(() => []),
  history: HistorySchema.default(() => ({ text: "", throughTurn: 0 })),
  constraints: z.array(ConstraintSchema).default(() => []),
  pending: PendingQuestionSchema.nullable().default(null),
};

/** Channels of one turn, cleared at intake. All tracked: a resumed run needs them. */
const turnChannels = {
  understanding: UnderstandingSchema.nullable().default(null),
  plan: PlanSchema.nullable().default(null),
  cursor: CursorSchema.nullable().default(null),
  pendingCalls: z.array(PendingCallSchema).default(() => []),
  registryEvents: z.array(RegistryEventSchema).default(() => []),
  stepResults: z.array(StepResultSchema).default(() => []),
  effects: z.array(EffectSchema).default(() => []),
  replies: z.array(ReplySchema).default(() => []),
  notices: z.array(NoticeSchema).default(() => []),
  calls: z.array(CallRecordSchema).default(() => []),
};

/** The graph's state. Strict JSON values only; treated as frozen. */
export const TurnStateSchema = new StateSchema({ ...threadChannels, ...turnChannels });
export type TurnState = typeof TurnStateSchema.State;
export type TurnUpdate = typeof TurnStateSchema.Update;

/** What intake clears. */
export const CLEARED_TURN = {
  understanding: null,
  plan: null,
  cursor: null,
  pendingCalls: [],
  registryEvents: [],
  stepResults: [],
  effects: [],
  replies: [],
  notices: [],
  calls: [],
} satisfies TurnUpdate;
