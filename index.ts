/**
 * Concierge Graph: an agent graph for conversations that take many turns and end in something done.
 *
 * `openDatabase` opens Postgres, `createConciergeGraph` makes the graph (of a domain, or a concierge
 * for anything without one), and `createTurnDriver` runs conversations on it. A domain is written
 * with `concierge-graph/domain`, a service with `concierge-graph/server`; the pure pieces of the
 * concierge lane are in `concierge-graph/concierge`.
 */

// The graph and the driver around it.
export {
  createConciergeGraph,
  type ConciergeGraphOptions,
  type RoleModels,
} from "./graph/create-concierge-graph.ts";
export type { TurnGraph } from "./graph/turn-graph.ts";
export {
  createTurnDriver,
  type SendOutcome,
  type SentMessage,
  type TurnDriver,
} from "./driver/turn-driver.ts";
export type { DriverParts } from "./driver/driver-parts.ts";
export type { TurnEvent } from "./state/event.ts";
export {
  ForeignThreadError,
  MessageNotStoredError,
  MessageRefusedError,
  StateVersionError,
} from "./driver/turn-errors.ts";
export { DEFAULT_LIMITS, limitsWith, type Limits } from "./state/limits.ts";

// Models.
export {
  ModelError,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
  type ModelRole,
} from "./state/model.ts";
export type { Expert } from "./state/expert.ts";
export { createLangChainModel } from "./models/client/langchain-model.ts";
export { readModelConfig } from "./app/model-config.ts";
export { createOpenAIExperts, createOpenAIModels } from "./models/client/openai.ts";
export { countTokens } from "./models/tokens.ts";

// Storage.
export { openDatabase, type Database, type DatabaseOptions } from "./storage/postgres/database.ts";
export { DatabaseUnavailableError } from "./storage/postgres/database-error.ts";
export { createCheckpointer } from "./storage/checkpoints/checkpointer.ts";
export { createConversationStore } from "./storage/conversations/conversation-store.ts";
export { createTurnArchive } from "./storage/conversations/turn-archive.ts";
export { silentLog } from "./state/log.ts";
