import type { TurnEvent } from "../../state/event.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../state/model.ts";
import type { CallResult } from "../../state/step.ts";
import type { TurnState } from "../../state/turn.ts";
import { longConversation } from "../../test/support/long-conversation.ts";
import { openBenchConversation } from "./conversation.ts";
import type { BenchContext, BenchDatabase } from "./measurement.ts";

/** Every so many turns of the long conversation hold the same messages in another order: their means can be compared. */
export const BLOCK_TURNS = 20;

/** A call of a model: the request, and what came back. */
export interface RecordedCall {
  readonly request: ModelRequest;
  readonly answer: ModelAnswer;
  /** The number of the turn's calls that had ended when it began: calls with the same number ran side by side. */
  readonly after: number;
}

/** A moment in a turn. */
export interface TurnMoment {
  /** The number of model calls that had begun. */
  readonly begun: number;
  readonly ended: number;
}

/** A turn with everything that was sent to models in it, in the order in which it was sent. */
export interface RecordedTurn {
  readonly message: string;
  /** All replies of the turn. */
  readonly reply: string;
  readonly calls: readonly RecordedCall[];
  /** The moment of the first word that the person reads: of code's lines, or of a reply. */
  readonly firstWord: TurnMoment;
  /** The size of each node's prompts, schemas and tools included. */
  readonly prompts: readonly { readonly node: string; readonly tokens: number }[];
  readonly toolCalls: readonly CallResult[];
}

/** A conversation that was held. */
export interface RecordedConversation {
  readonly userId: string;
  readonly turns: readonly RecordedTurn[];
  /** The thread's state after the last turn. */
  readonly state: TurnState;
}

export interface RecordingOptions extends Pick<BenchContext, "progress"> {
  /** Wraps every model that plays, beneath the recording. */
  readonly wrap?: (model: LanguageModel) => LanguageModel;
}

/** Holds a conversation with the simulated model in a demo kitchen of its own and records it. */
export async function recordConversation(
  database: BenchDatabase,
  messages: readonly string[],
  { progress, wrap = (model) => model }: RecordingOptions,
): Promise<RecordedConversation> {
  const calls: { request: ModelRequest; answer: Promise<ModelAnswer> }[] = [];
  const conversation = await openBenchConversation(database, {
    wrap: (given) => {
      const model = wrap(given);
      return {
        ...model,
        complete(request) {
          const answer = model.complete(request);
          calls.push({ request, answer });
          return answer;
        },
      };
    },
  });
  const turns: RecordedTurn[] = [];
  let state: TurnState | null = null;
  for (const [index, message] of messages.entries()) {
    if (index % 20 === 19) progress(`turn ${index + 1} of ${messages.length}`);
    const events = await conversation.send(message);
    state = await conversation.state();
    const made = await Promise.all(
      calls.splice(0).map(async ({ request, answer }) => ({ request, answer: await answer })),
    );
    const begins = listMoments(events, ({ type }) => type === "prompt");
    if (begins.length !== made.length)
      throw new Error(`Cannot time "${message}": ${made.length} calls, ${begins.length} prompts`);
    const [firstWord] = listMoments(events, isWord);
    if (firstWord === undefined) throw new Error(`Cannot time "${message}": it has no reply`);
    turns.push({
      message,
      reply: events.flatMap((event) => (event.type === "reply" ? [event.text] : [])).join("\n\n"),
      calls: made.map((call, at) => Object.assign(call, { after: begins[at]?.ended ?? 0 })),
      firstWord,
      prompts: events.flatMap((event) => (event.type === "prompt" ? [event] : [])),
      toolCalls: state.stepResults.flatMap((result) => result.calls),
    });
  }
  if (state === null) throw new Error("Cannot record a conversation without messages");
  return { userId: conversation.userId, turns, state };
}

function isWord({ type }: TurnEvent): boolean {
  return type === "receipts" || type === "text-delta";
}

/** Lists the moments at which events of a kind were emitted. */
function listMoments(
  events: readonly TurnEvent[],
  isWanted: (event: TurnEvent) => boolean,
): readonly TurnMoment[] {
  let [begun, ended] = [0, 0];
  return events.flatMap((event) => {
    const moment = { begun, ended };
    if (event.type === "prompt") begun += 1;
    if (event.type === "usage") ended += 1;
    return isWanted(event) ? [moment] : [];
  });
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
      return (await recordConversation(database, messages, { progress })).turns;
    } finally {
      await database.close();
    }
  };
  return (progress) => (recorded ??= record(progress));
}
