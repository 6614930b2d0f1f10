import type { ModelAnswer, ModelRequest } from "../../state/model.ts";
import type { CallResult } from "../../state/step.ts";
import { longConversation } from "../../test/support/long-conversation.ts";
import { openBenchConversation } from "./conversation.ts";
import type { BenchContext, BenchDatabase } from "./measurement.ts";

/** Every so many turns of the long conversation hold the same messages in another order: their means can be compared. */
export const BLOCK_TURNS = 20;

/** A call of a model: the request, and what came back. */
export interface RecordedCall {
  readonly request: ModelRequest;
  readonly answer: ModelAnswer;
}

/** A turn with everything that was sent to models in it, in order. */
export interface RecordedTurn {
  readonly message: string;
  /** All replies of the turn. */
  readonly reply: string;
  readonly calls: readonly RecordedCall[];
  /** The size of each node's prompts, schemas and tools included. */
  readonly prompts: readonly { readonly node: string; readonly tokens: number }[];
  readonly toolCalls: readonly CallResult[];
}

/** Holds a conversation with the simulated model in a demo kitchen of its own and records it. */
export async function recordConversation(
  database: BenchDatabase,
  messages: readonly string[],
  progress: BenchContext["progress"],
): Promise<readonly RecordedTurn[]> {
  const calls: RecordedCall[] = [];
  const conversation = await openBenchConversation(database, {
    wrap: (model) => ({
      ...model,
      async complete(request) {
        const answer = await model.complete(request);
        calls.push({ request, answer });
        return answer;
      },
    }),
  });
  const turns: RecordedTurn[] = [];
  for (const [index, message] of messages.entries()) {
    if (index % 20 === 19) progress(`turn ${index + 1} of ${messages.length}`);
    const events = await conversation.send(message);
    const { stepResults } = await conversation.state();
    turns.push({
      message,
      reply: events.flatMap((event) => (event.type === "reply" ? [event.text] : [])).join("\n\n"),
      calls: calls.splice(0),
      prompts: events.flatMap((event) => (event.type === "prompt" ? [event] : [])),
      toolCalls: stepResults.flatMap((result) => result.calls),
    });
  }
  return turns;
}

/** Makes the long conversation of a run: recorded when first needed, then kept in memory. Where it failed, all who need it fail. */
export function recordOnce({
  quick,
  seed,
  openDatabase,
}: Pick<BenchContext, "quick" | "seed" | "openDatabase">): BenchContext["longConversation"] {
  let recorded: Promise<readonly RecordedTurn[]> | null = null;
  const record = async (progress: BenchContext["progress"]): Promise<readonly RecordedTurn[]> => {
    const database = await openDatabase();
    try {
      const messages = longConversation(quick ? 2 * BLOCK_TURNS : 200, seed);
      return await recordConversation(database, messages, progress);
    } finally {
      await database.close();
    }
  };
  return (progress) => (recorded ??= record(progress));
}
