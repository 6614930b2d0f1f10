import { randomUUID } from "node:crypto";
import { openModels, wrapModels } from "../../app/open-models.ts";
import type { TurnEvent } from "../../state/event.ts";
import { mealsDomain } from "../../meals/index.ts";
import type { LanguageModel } from "../../state/model.ts";
import {
  DEMO_DAY,
  openConversation,
  type Conversation,
  type Stage,
} from "../../test/support/conversation.ts";
import { seedDemo } from "../../test/support/fresh-kitchen.ts";
import type { BenchDatabase } from "./measurement.ts";

/** An open question, led to a plan whose first step is looked at. */
export const JOURNEY = [
  "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
  "we both get home after seven and nobody wants to cook. budget is $1,500 a month",
  "I think sunday prep could work, but my partner hates leftovers",
  "hm, maybe. what would that look like?",
  "ok let's do it. give me a plan",
] as const;

export interface BenchConversationOptions extends Pick<Stage, "experts" | "limits"> {
  /** Wraps every model that plays. */
  readonly wrap?: (model: LanguageModel) => LanguageModel;
}

/** A user with a fresh demo kitchen, in a thread of their own, with the simulated model. */
export interface BenchConversation extends Pick<Conversation, "userId" | "threadId" | "state"> {
  /**
   * Sends a message and waits for the end of its turn.
   *
   * @throws Error where the turn fails: figures of half a conversation would say nothing.
   */
  send(text: string): Promise<readonly TurnEvent[]>;
}

/** Opens a conversation on the whole graph and driver. */
export async function openBenchConversation(
  database: BenchDatabase,
  { wrap, ...stage }: BenchConversationOptions = {},
): Promise<BenchConversation> {
  const userId = `bench-${randomUUID()}`;
  const threadId = randomUUID();
  await seedDemo(database, { userId, today: DEMO_DAY.today });
  const { models } = wrapModels(await openModels({ kind: "simulated" }), wrap);
  const conversation = openConversation(
    { database, domain: mealsDomain, models, ...stage },
    { userId, threadId },
  );
  return {
    userId,
    threadId,
    state: () => conversation.state(),
    async send(text) {
      const { events, failure } = await conversation.send(text);
      if (failure === null) return events;
      throw new Error(`Cannot measure "${text}": its turn failed`, { cause: failure });
    },
  };
}
