import type { TurnGraph } from "../graph/turn-graph.ts";
import type { ConversationStore } from "../state/conversation-store.ts";
import type { Limits } from "../state/limits.ts";

/** Collaborators of the driver. */
export interface DriverParts {
  readonly graph: TurnGraph;
  readonly store: ConversationStore;
  readonly limits: Limits;
  /** Wall clock, for the events' stamps. */
  readonly now: () => Date;
  /** Mints ids of runs, messages and lease owners. */
  readonly newId: () => string;
  /**
   * Restarts the program's own database when a message cannot be stored because it was ended from
   * outside; throws the reason if it cannot. Default: the database is not the program's to start.
   */
  readonly ensureDatabase?: () => Promise<void>;
  /** Receives the error behind a turn's `error` event, with stack and causes. */
  readonly onFailure?: (error: unknown) => void;
}
