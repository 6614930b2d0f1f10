import { randomUUID } from "node:crypto";
import { openModels } from "../../../app/open-models.ts";
import { openConversation } from "../../../test/support/conversation.ts";
import { mealsDomain } from "../../../meals/index.ts";
import type { TurnEvent } from "../../../driver/events.ts";
import type { RoleModels } from "../../../graph/create-concierge-graph.ts";
import type { Manifest } from "../../../state/envelope.ts";
import type { JsonObject } from "../../../state/json.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../../state/model.ts";
import type { CallResult } from "../../../state/step.ts";
import type { TurnState } from "../../../state/turn.ts";
import type { Database } from "../../../storage/postgres/database.ts";
import { replyOf } from "../reply-of.ts";
import { seedKitchen } from "../seed-kitchen.ts";

/** One call of a model: what a node sent, and what came back. */
export interface RecordedCall {
  /** Which node asked; Summarize asks as `summarize` and as `fold`. */
  readonly node: string;
  /** Which run of the node in the turn, from 1: calls of one round were made at once. */
  readonly round: number;
  readonly request: Pick<ModelRequest, "messages" | "schema" | "tools">;
  readonly answer: ModelAnswer;
  /** The prompt's parts in order; what they do not hold is schema, tools and earlier tool calls. */
  readonly sections: Manifest["sections"];
}

/** A turn with every call that was made in it, in order. */
export interface RecordedTurn {
  /** From 1. */
  readonly turn: number;
  readonly message: string;
  readonly calls: readonly RecordedCall[];
  /** What was said, all replies of the turn. */
  readonly reply: string;
  /** What the turn's tool calls came to. */
  readonly results: readonly CallResult[];
  /** The drafts there are after the turn, by ref: their content, children under their names. */
  readonly drafts: ReadonlyMap<string, JsonObject>;
}

/** A conversation that was held, and how its thread stands at its end. */
export interface RecordedConversation {
  readonly userId: string;
  readonly threadId: string;
  readonly turns: readonly RecordedTurn[];
  readonly state: TurnState;
}

/**
 * Holds a conversation with the whole graph in a demo kitchen of its own, with the simulated model
 * in every role, and records each call of a model.
 *
 * @throws Error where a turn fails: figures of half a conversation would say nothing.
 */
export async function recordConversation(
  database: Pick<Database, "pool" | "userData">,
  options: {
    readonly messages: readonly string[];
    readonly progress?: (text: string) => void;
  },
): Promise<RecordedConversation> {
  const userId = `bench-${randomUUID()}`;
  const threadId = randomUUID();
  await seedKitchen(database, userId);
  const { models } = await openModels({ kind: "simulated" });
  const asked: AskedModel[] = [];
  const conversation = openConversation(
    { database, domain: mealsDomain, models: recordingModels(models, asked) },
    { userId, threadId },
  );
  const turns: RecordedTurn[] = [];
  for (const [index, message] of options.messages.entries()) {
    const turn = index + 1;
    if (turn % 20 === 0) options.progress?.(`turn ${turn} of ${options.messages.length}`);
    asked.length = 0;
    const { events, failure } = await conversation.send(message);
    if (failure !== null) {
      throw new Error(`Cannot measure turn ${turn} "${message}": it failed`, { cause: failure });
    }
    const { stepResults, registry } = await conversation.state();
    turns.push({
      turn,
      message,
      calls: withNodes(asked, events),
      reply: replyOf(events),
      results: stepResults.flatMap(({ calls }) => calls),
      drafts: draftsOf(registry),
    });
  }
  return { userId, threadId, turns, state: await conversation.state() };
}

/** What went through a model, before it is known which node asked. */
type AskedModel = Pick<RecordedCall, "request" | "answer">;

function recordingModels(models: RoleModels, asked: AskedModel[]): RoleModels {
  const recording = (model: LanguageModel): LanguageModel => ({
    ...model,
    async complete(request) {
      const answer = await model.complete(request);
      const { messages, schema, tools } = request;
      asked.push({ request: { messages, schema, tools }, answer });
      return answer;
    },
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.fromEntries` forgets the keys.
  return Object.fromEntries(
    Object.entries(models).map(([role, model]) => [role, recording(model)]),
  ) as unknown as RoleModels;
}

/** A prompt's event names its node and sections; the call is the one with the same messages. */
function withNodes(
  asked: readonly AskedModel[],
  events: readonly TurnEvent[],
): readonly RecordedCall[] {
  const prompts = promptsOf(events);
  return asked.map((call) => {
    const key = JSON.stringify(call.request.messages);
    const prompt = prompts.get(key)?.shift();
    if (prompt === undefined) {
      throw new Error("Cannot name the node of a model's call: no event shows its prompt");
    }
    return { ...call, ...prompt };
  });
}

/** What the events tell of each prompt, by its messages; two prompts may be the same. */
function promptsOf(
  events: readonly TurnEvent[],
): ReadonlyMap<string, Pick<RecordedCall, "node" | "round" | "sections">[]> {
  const runs = new Map<string, number>();
  const prompts = new Map<string, Pick<RecordedCall, "node" | "round" | "sections">[]>();
  for (const event of events) {
    if (event.type === "node-start") runs.set(event.node, (runs.get(event.node) ?? 0) + 1);
    if (event.type !== "prompt") continue;
    const { node, sections } = event;
    const key = JSON.stringify(event.messages);
    prompts.set(key, [...(prompts.get(key) ?? []), { node, round: runs.get(node) ?? 1, sections }]);
  }
  return prompts;
}

function draftsOf({ entries }: TurnState["registry"]): ReadonlyMap<string, JsonObject> {
  return new Map(
    entries.flatMap(({ ref, id, row }) => (id === null && row !== null ? [[ref, row]] : [])),
  );
}
