import { randomUUID } from "node:crypto";
import { createConciergeGraph, type RoleModels } from "../../graph/create-concierge-graph.ts";
import type { TurnEvent } from "../../driver/events.ts";
import { createTurnDriver } from "../../driver/turn-driver.ts";
import type { Domain } from "../../state/domain.ts";
import { countTokens } from "../../models/tokens.ts";
import { limitsWith, type Limits } from "../../state/limits.ts";
import type { Expert } from "../../state/expert.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnState } from "../../state/turn.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import type { Database } from "../../storage/postgres/database.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";

/** The day on which scenarios play, a Monday, and where. */
export const DEMO_DAY = {
  today: "2026-01-12",
  timeZone: "Europe/Berlin",
  locale: "en",
} as const;

/** What a scenario is played on. */
export interface Stage {
  readonly database: Pick<Database, "pool" | "userData">;
  readonly domain: Domain;
  readonly models: RoleModels;
  /** Default: the graph's. */
  readonly experts?: readonly Expert[];
  readonly limits?: Partial<Limits>;
  /** Leaves a section out of a node's prompts, to see what it is good for. */
  readonly omitSection?: (node: string, kind: string) => boolean;
}

/** What came of a message. */
export interface SentMessage {
  readonly events: readonly TurnEvent[];
  /** What the turn failed with, as the log would have it; null where it did not. */
  readonly failure: unknown;
}

/** One user's thread. */
export interface Conversation {
  readonly userId: string;
  readonly threadId: string;
  /** Sends a message and waits for the end of its turn. */
  send(text: string): Promise<SentMessage>;
  /** The thread's state as it is stored. */
  state(): Promise<TurnState>;
}

/** One user's thread, before it is opened. */
export interface OpenedThread {
  readonly userId: string;
  readonly threadId: string;
  /** Stands in for the stage's. */
  readonly userData?: UserData;
  /** Default: the demo day. */
  readonly today?: string;
}

/** Opens a thread for a user on a graph of its own. */
export function openConversation(stage: Stage, who: OpenedThread): Conversation {
  const { database, domain, models, experts, limits = {}, omitSection } = stage;
  const { userId, threadId, today = DEMO_DAY.today } = who;
  const checkpointer = createCheckpointer(database.pool);
  const graph = createConciergeGraph({
    domain,
    models,
    ...(experts === undefined ? {} : { experts }),
    limits,
    countTokens,
    storage: {
      checkpointer,
      userData: who.userData ?? database.userData,
      archive: createTurnArchive(database.pool),
    },
    ...(omitSection === undefined ? {} : { omitSection }),
  });
  let failure: unknown = null;
  const driver = createTurnDriver({
    graph,
    store: createConversationStore(database.pool, checkpointer),
    limits: limitsWith(limits),
    now: () => new Date(),
    newId: randomUUID,
    onFailure: (error) => void (failure = error),
  });
  return {
    userId,
    threadId,
    async send(text) {
      const events: TurnEvent[] = [];
      failure = null;
      await driver.send(
        { threadId, userId, text, ...DEMO_DAY, today },
        { onEvent: (event) => void events.push(event) },
      );
      return { events, failure };
    },
    async state() {
      const { values }: { values: TurnState } = await graph.getState({
        configurable: { thread_id: threadId },
      });
      return values;
    },
  };
}
