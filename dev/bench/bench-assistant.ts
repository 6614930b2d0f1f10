import { randomUUID } from "node:crypto";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { openModels } from "../../app/open-models.ts";
import { DEMO_DAY } from "../../test/support/conversation.ts";
import { mealsDomain } from "../../meals/index.ts";
import { createConciergeGraph } from "../../graph/create-concierge-graph.ts";
import type { TurnEvent } from "../../driver/events.ts";
import { createTurnDriver } from "../../driver/run-turn.ts";
import { countTokens } from "../../models/tokens.ts";
import type { Expert } from "../../state/expert.ts";
import { limitsWith, type Limits } from "../../state/limits.ts";
import { PostgresCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import type { Database } from "../../storage/postgres/database.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { seedKitchen } from "./seed-kitchen.ts";

export interface BenchAssistantOptions {
  readonly database: Pick<Database, "pool" | "userData">;
  readonly checkpointer: BaseCheckpointSaver;
  /** Default: the simulated model under the four lenses. */
  readonly experts?: readonly Expert[];
  readonly limits?: Partial<Limits>;
  /** False keeps every checkpoint. Default: as in the program; another checkpointer than the program's never prunes. */
  readonly prunes?: boolean;
}

/** An event and when it came, in milliseconds of a monotonic clock. */
export interface TimedEvent {
  readonly at: number;
  readonly event: TurnEvent;
}

/** A user with a fresh demo kitchen, in a thread of their own, on the whole graph and driver. */
export interface BenchAssistant {
  readonly threadId: string;
  /** Sends a message and waits for the end of its turn. @throws Error where the turn fails. */
  readonly send: (text: string) => Promise<readonly TimedEvent[]>;
}

/** Opens a conversation with the simulated model on a checkpointer. */
export async function openBenchAssistant(options: BenchAssistantOptions): Promise<BenchAssistant> {
  const { database, checkpointer, experts, limits = {} } = options;
  const userId = `bench-${randomUUID()}`;
  const threadId = randomUUID();
  await seedKitchen(database, userId);
  const opened = await openModels({ kind: "simulated" });
  const graph = createConciergeGraph({
    domain: mealsDomain,
    ...opened,
    ...(experts === undefined ? {} : { experts }),
    limits,
    countTokens,
    storage: {
      checkpointer,
      userData: database.userData,
      archive: createTurnArchive(database.pool),
    },
  });
  let failure: unknown = null;
  const driver = createTurnDriver({
    graph,
    store: storeOf(options),
    limits: limitsWith(limits),
    now: () => new Date(),
    newId: randomUUID,
    onFailure: (error) => void (failure = error),
  });
  return {
    threadId,
    async send(text) {
      const events: TimedEvent[] = [];
      const onEvent = (event: TurnEvent): void =>
        void events.push({ at: performance.now(), event });
      await driver.send({ threadId, userId, text, ...DEMO_DAY }, { onEvent, trace: false });
      if (failure === null) return events;
      throw new Error(`Cannot measure "${text}": its turn failed`, { cause: failure });
    },
  };
}

function storeOf({ database, checkpointer, prunes = true }: BenchAssistantOptions) {
  const own = checkpointer instanceof PostgresCheckpointer;
  const store = createConversationStore(
    database.pool,
    own ? checkpointer : new PostgresCheckpointer(database.pool),
  );
  return own && prunes ? store : { ...store, prune: async () => {} };
}

/** How many nodes a turn ran. */
export function stepsOf(events: readonly TimedEvent[]): number {
  return events.filter(({ event }) => event.type === "node-start").length;
}
