/**
 * Concierge Graph: an agent graph for conversations that take many turns and end in something done.
 *
 * `createConciergeGraph` makes the graph of a domain, `createTurnDriver` runs conversations on it,
 * `openDatabase` and what follows it keep them in Postgres.
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
  type TurnDriverParts,
} from "./graph/run-turn.ts";
export type { TurnGraph } from "./graph/turn-graph.ts";
export type { Expert } from "./nodes/node.ts";
export type {
  ConversationStore,
  UserMessage,
  UserThread,
  WaitingMessage,
} from "./graph/conversation-store.ts";
export { TurnEventSchema, type TurnEvent } from "./graph/events.ts";
export { ForeignThreadError, MessageRefusedError, StateVersionError } from "./graph/turn-errors.ts";

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
} from "./domains/domain.ts";
export { defineTool, toolOutcome, type ToolDefinition } from "./domains/define-tool.ts";
export { createMealsDomain, mealsDomain } from "./domains/meals/index.ts";

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
export { TurnStateSchema, type Run, type TurnState } from "./state/turn.ts";
export {
  StepExecutionSummarySchema,
  TurnExecutionSummarySchema,
  type History,
  type LedgerLine,
  type StepExecutionSummary,
  type TurnExecutionSummary,
} from "./state/turn-summary.ts";

// Models and storage.
export { createLangChainModel } from "./models/langchain-model.ts";
export { createOpenAIExperts, createOpenAIModels } from "./models/openai.ts";
export { countTokens } from "./models/tokens.ts";
export { createCheckpointer, type PostgresCheckpointer } from "./storage/checkpointer.ts";
export { createConversationStore } from "./storage/conversation-store.ts";
export { openDatabase, type Database, type DatabaseOptions } from "./storage/database.ts";
export { DatabaseUnavailableError } from "./storage/database-error.ts";
export { createTurnArchive } from "./storage/turn-archive.ts";
