/**
 * Concierge Graph: an agent graph for conversations that take many turns and end in something done.
 *
 * `createConciergeGraph` makes the graph (of a domain, or a concierge for anything without one),
 * `createTurnDriver` runs conversations on it, `openDatabase` and what follows it keep them in
 * Postgres.
 */

// The graph and the driver around it.
export {
  createConciergeGraph,
  type ConciergeGraphOptions,
  type GraphStorage,
  type RoleModels,
} from "./graph/create-concierge-graph.ts";
export {
  createTurnDriver,
  type SendOutcome,
  type SentMessage,
  type TurnDriver,
  type DriverParts,
} from "./driver/turn-driver.ts";
export type { TurnGraph } from "./graph/turn-graph.ts";
export type { Expert } from "./state/expert.ts";
export type {
  ConversationStore,
  UserMessage,
  UserThread,
  WaitingMessage,
} from "./state/conversation-store.ts";
export { TurnEventSchema, type TurnEvent } from "./driver/events.ts";
export {
  ForeignThreadError,
  MessageNotTakenError,
  MessageRefusedError,
  StateVersionError,
} from "./driver/turn-errors.ts";

// What a domain brings.
export type {
  Breach,
  CheckedContent,
  CheckFacts,
  DemoData,
  Domain,
  DomainChecks,
  DomainTool,
  Profile,
  QuickResult,
  Subdomain,
  ToolContext,
} from "./state/domain.ts";
export { defineTool, toolOutcome, type ToolDefinition } from "./domain/define-tool.ts";
export { createMealsDomain, mealsDomain } from "./meals/index.ts";

// What the state holds.
export { snakeCaseCodec, type SnakeCaseCodec } from "./state/codec.ts";
export type { Constraint } from "./state/constraint.ts";
export type {
  ChildTable,
  Column,
  ColumnKind,
  Detail,
  EntityRow,
  EntityType,
} from "./state/entity.ts";
export type { Json, JsonObject } from "./state/json.ts";
export { DEFAULT_LIMITS, LIMITS, limitsWith, type LimitName, type Limits } from "./state/limits.ts";
export {
  ModelError,
  type CountTokens,
  type LanguageModel,
  type ModelAnswer,
  type ModelErrorCode,
  type ModelRequest,
  type ModelRole,
  type PromptMessage,
} from "./state/model.ts";
export type { Candidates, Registry, RegistryEntry, RegistryEvent } from "./state/registry.ts";
export type { EffectIdentity, Queryable, UserData } from "./state/store.ts";
export {
  ToolInputError,
  UnknownRefError,
  type RefBook,
  type ToolFailure,
  type ToolOutcome,
  type ToolRead,
  type ToolWrite,
} from "./state/tool.ts";
export { TurnStateSchema, type TurnContext, type TurnState } from "./state/turn.ts";
export {
  StepExecutionSummarySchema,
  TurnExecutionSummarySchema,
  type History,
  type LedgerLine,
  type StepExecutionSummary,
  type TurnExecutionSummary,
} from "./state/turn-summary.ts";

// The concierge lane: its documents, prompts, signals and the structure of a map.
export {
  ConciergePhaseStateSchema,
  INITIAL_PHASE_STATE,
  type ConciergePhaseState,
  type ConciergeThread,
  type Opening,
  type Phase,
} from "./state/phase.ts";
export {
  ExecutionHandoverSchema,
  IntentHandoverSchema,
  type ExecutionHandover,
  type IntentHandover,
} from "./state/handover.ts";
export { ActiveWorkflowSchema, type ActiveWorkflow, type WorkflowStep } from "./state/workflow.ts";
export type { Batch, BatchPurpose, ExpertAnswer, ExpertOutcome } from "./state/batch.ts";
export type { Claim, ClaimEdge, ClaimMap } from "./state/claims.ts";
export {
  StructuralAnalysisSchema,
  type ShapeName,
  type Stance,
  type StanceName,
  type StructuralAnalysis,
} from "./state/analysis.ts";
export type { BatchSignal, IntentSignal } from "./state/signal.ts";
export type { EnvelopePart } from "./state/envelope.ts";
export { renderParts } from "./prompts/part.ts";
export {
  buildStarterInitialPrompt,
  buildStarterReminderWrapper,
  buildStarterTurn2Wrapper,
} from "./prompts/starter.ts";
export { buildExplorerContinueWrapper, buildExplorerInitialPrompt } from "./prompts/explorer.ts";
export {
  buildExecutorContinuationPrompt,
  buildExecutorPresentationPrompt,
  buildExecutorSynthesisPrompt,
  buildStepHelpResultWrapper,
} from "./prompts/executor.ts";
export { DEFAULT_LENSES } from "./prompts/lenses.ts";
export { parseIntentHandover } from "./control-blocks/intent-handover.ts";
export { parseBatchSignal } from "./control-blocks/batch-signal.ts";
export { createSignalGate, type SignalGate } from "./control-blocks/gate.ts";
export { computeStructuralAnalysis } from "./claim-analysis/analysis.ts";
export { buildStructuralBrief } from "./claim-analysis/brief.ts";
export { getShapeGuidance, getStanceGuidance } from "./claim-analysis/guidance.ts";
export { selectStance } from "./claim-analysis/stance.ts";
export { detectMachineryLeakage, type Leak } from "./output-filter/detect-machinery-leakage.ts";
export { postProcess } from "./output-filter/post-process.ts";
export { isMetaQuery } from "./output-filter/meta-query.ts";
export { buildMetaResponse } from "./output-filter/meta-response.ts";

// Models and storage.
export { createLangChainModel } from "./models/langchain-model.ts";
export { readModelConfig, type ModelConfig, type OpenAIConfig } from "./models/config.ts";
export { createOpenAIExperts, createOpenAIModels } from "./models/openai.ts";
export { countTokens } from "./models/tokens.ts";
export {
  createCheckpointer,
  type PostgresCheckpointer,
} from "./storage/checkpoints/checkpointer.ts";
export { createConversationStore } from "./storage/conversations/conversation-store.ts";
export { openDatabase, type Database, type DatabaseOptions } from "./storage/postgres/database.ts";
export { DatabaseUnavailableError } from "./storage/postgres/database-error.ts";
export { silentLog, type Log } from "./state/log.ts";
export type { MigrationFolder } from "./storage/postgres/migrate.ts";
export { createTurnArchive } from "./storage/conversations/turn-archive.ts";
