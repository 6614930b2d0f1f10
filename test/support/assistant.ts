import { randomUUID } from "node:crypto";
import { openConversation, DEMO_DAY } from "./conversation.ts";
import { openModels, type Models } from "../../app/open-models.ts";
import type { Domain } from "../../state/domain.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { TurnEvent } from "../../driver/events.ts";
import type { Limits } from "../../state/limits.ts";
import type { TurnExecutionSummary } from "../../state/turn-summary.ts";
import type { TurnState } from "../../state/turn.ts";
import type { TestDatabase } from "./database.ts";

export interface TestAssistantOptions {
  readonly database: TestDatabase;
  /** Default: the simulated model in every role. */
  readonly models?: Models;
  /** Default: planning meals. Its first demo data set is what the user has. */
  readonly domain?: Domain;
  readonly limits?: Partial<Limits>;
  readonly omitSection?: (node: string, kind: string) => boolean;
  /** Default: a user made for this conversation. A user that is named is not seeded. */
  readonly userId?: string;
  /** Default: a new thread. */
  readonly threadId?: string;
}

/** A turn as the person and the database see it. */
export interface SentTurn {
  readonly events: readonly TurnEvent[];
  /** What the turn failed with; null where it did not. */
  readonly failure: unknown;
  /** What was said, all replies of the turn. */
  readonly reply: string;
  /** The turn's record; null for a turn that failed. */
  readonly record: TurnExecutionSummary | null;
  /** The thread's state after the turn. */
  readonly state: TurnState;
}

/** A conversation on the whole graph, on real Postgres. */
export interface TestAssistant {
  readonly userId: string;
  readonly threadId: string;
  send(text: string): Promise<SentTurn>;
  state(): Promise<TurnState>;
}

/** Opens a conversation of a user with fresh demo data. */
export async function testAssistant(options: TestAssistantOptions): Promise<TestAssistant> {
  const { database, domain = mealsDomain, limits, omitSection } = options;
  const userId = options.userId ?? `user-${randomUUID()}`;
  if (options.userId === undefined) await seedFirst(database, { domain, userId });
  const conversation = openConversation(
    {
      database,
      domain,
      ...(options.models === undefined
        ? await openModels({ kind: "simulated" }, domain)
        : { models: options.models }),
      ...(limits === undefined ? {} : { limits }),
      ...(omitSection === undefined ? {} : { omitSection }),
    },
    { userId, threadId: options.threadId ?? randomUUID() },
  );
  return {
    userId,
    threadId: conversation.threadId,
    state: () => conversation.state(),
    async send(text) {
      const { events, failure } = await conversation.send(text);
      const last = events.at(-1);
      return {
        events,
        failure,
        reply: events.flatMap((event) => (event.type === "reply" ? [event.text] : [])).join("\n\n"),
        record: last?.type === "turn-end" ? last.summary : null,
        state: await conversation.state(),
      };
    },
  };
}

async function seedFirst(
  database: TestDatabase,
  { domain, userId }: { readonly domain: Domain; readonly userId: string },
): Promise<void> {
  const effect = { key: `seed/${userId}`, threadId: userId, lease: null };
  await database.userData.write(userId, effect, async (tx) => {
    await domain.demo[0]?.seed(tx, { userId, today: DEMO_DAY.today });
    return null;
  });
}
