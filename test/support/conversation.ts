import { randomUUID } from "node:crypto";
import { openModels } from "../../app/open-models.ts";
import type { TurnEvent } from "../../state/event.ts";
import { createTurnDriver, type TurnDriver } from "../../driver/turn-driver.ts";
import {
  createConciergeGraph,
  type ConciergeGraphOptions,
} from "../../graph/create-concierge-graph.ts";
import type { TurnGraph } from "../../graph/turn-graph.ts";
import { mealsDomain } from "../../meals/index.ts";
import { countTokens } from "../../models/tokens.ts";
import { limitsWith } from "../../state/limits.ts";
import type { ConversationStore } from "../../state/conversation-store.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import type { TurnState } from "../../state/turn.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import type { Database } from "../../storage/postgres/database.ts";
import { seedDemo } from "./fresh-kitchen.ts";

/** The day on which conversations play, a Monday, and where. */
export const DEMO_DAY = {
  today: "2026-01-12",
  timeZone: "Europe/Berlin",
  locale: "en",
} as const;

/** A database and everything else that a graph is made of. */
export interface Stage
  extends
    Omit<ConciergeGraphOptions, "storage" | "countTokens">,
    Partial<Pick<ConciergeGraphOptions, "countTokens">> {
  readonly database: Pick<Database, "pool" | "userData">;
}

/** A turn as the person sees it. */
export interface SentMessage {
  readonly events: readonly TurnEvent[];
  /** The error that the log would have; null for a turn that did not fail. */
  readonly failure: unknown;
  /** All replies of the turn. */
  readonly reply: string;
  /** The turn's summary; null for a turn that failed. */
  readonly record: TurnExecutionSummary | null;
}

/** The same, with the thread's state after it. */
export interface SentTurn extends SentMessage {
  readonly state: TurnState;
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

/** One user's thread that is looked into after each turn. */
export interface TestAssistant extends Conversation {
  send(text: string): Promise<SentTurn>;
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

/** A graph, and the driver around it. */
export interface OpenedDriver {
  readonly graph: TurnGraph;
  readonly store: ConversationStore;
  readonly driver: TurnDriver;
}

/** Opens a graph with its driver on a database. */
export function openDriver(
  { database, ...options }: Stage,
  onFailure: (error: unknown) => void = () => undefined,
): OpenedDriver {
  const checkpointer = createCheckpointer(database.pool);
  const archive = createTurnArchive(database.pool);
  const { userData } = database;
  const storage = { checkpointer, userData, archive };
  const graph = createConciergeGraph({ countTokens, ...options, storage });
  const store = createConversationStore(database.pool, checkpointer);
  const driver = createTurnDriver({
    graph,
    store,
    limits: limitsWith(options.limits ?? {}),
    now: () => new Date(),
    newId: randomUUID,
    onFailure,
  });
  return { graph, store, driver };
}

/** Opens a thread for a user on a graph of its own. */
export function openConversation(stage: Stage, who: OpenedThread): Conversation {
  const { userId, threadId, userData = stage.database.userData, today = DEMO_DAY.today } = who;
  let failure: unknown = null;
  const database = { pool: stage.database.pool, userData };
  const { graph, driver } = openDriver({ ...stage, database }, (error) => void (failure = error));
  return {
    userId,
    threadId,
    state: async () => (await graph.getState({ configurable: { thread_id: threadId } })).values,
    async send(text) {
      const events: TurnEvent[] = [];
      failure = null;
      await driver.send(
        { threadId, userId, text, ...DEMO_DAY, today },
        { onEvent: (event) => void events.push(event) },
      );
      const last = events.at(-1);
      return {
        events,
        failure,
        reply: events.flatMap((event) => (event.type === "reply" ? [event.text] : [])).join("\n\n"),
        record: last?.type === "turn-end" ? last.summary : null,
      };
    },
  };
}

/**
 * Opens a conversation of a user with fresh demo data. By default the simulated model plans meals
 * in every role.
 */
export async function testAssistant({
  domain = mealsDomain,
  ...stage
}: Partial<Stage> & Pick<Stage, "database">): Promise<TestAssistant> {
  const userId = `user-${randomUUID()}`;
  await seedDemo(stage.database, { userId, today: DEMO_DAY.today, domain });
  const models = stage.models ?? (await openModels({ kind: "simulated" }, { domain })).models;
  const conversation = openConversation(
    { ...stage, domain, models },
    { userId, threadId: randomUUID() },
  );
  return {
    ...conversation,
    async send(text) {
      const sent = await conversation.send(text);
      return { ...sent, state: await conversation.state() };
    },
  };
}
