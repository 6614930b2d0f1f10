import { createSentenceStore } from "../../storage/sentences/sentence-store.ts";
import { randomUUID } from "node:crypto";
import { mealsDomain } from "../../meals/index.ts";
import type { ConversationStore } from "../../state/conversation-store.ts";
import { createConciergeGraph } from "../../graph/create-concierge-graph.ts";
import type { DomainTool } from "../../state/domain.ts";
import type { TurnEvent } from "../../state/event.ts";
import { createTurnDriver, type SendOutcome, type TurnDriver } from "../../driver/turn-driver.ts";
import type { TurnGraph } from "../../graph/turn-graph.ts";
import type { Archive } from "../../state/archive.ts";
import type { Expert } from "../../state/expert.ts";
import type { Lanes } from "../../nodes/node.ts";
import type { Budget } from "../../state/budget.ts";
import { limitsWith, type Limits } from "../../state/limits.ts";
import type { LanguageModel, ModelRequest, ModelRole } from "../../state/model.ts";
import type { ConfirmationDecision } from "../../state/pending.ts";
import type { UserData } from "../../state/store.ts";
import type { TurnContext, TurnState } from "../../state/turn.ts";
import {
  createCheckpointer,
  type PostgresCheckpointer,
} from "../../storage/checkpoints/checkpointer.ts";
import { createConversationStore } from "../../storage/conversations/conversation-store.ts";
import type { Database } from "../../storage/postgres/database.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { watchClaims } from "./claims-once.ts";
import { countRoughly } from "./arbitraries.ts";
import type { TestDatabase } from "./database.ts";
import { everyRole } from "./every-role.ts";
import { freshKitchen } from "./fresh-kitchen.ts";
import { scriptedModel, type ScriptEntry } from "./scripted-model.ts";
import { NARRATIVE_ANSWER, thinkAnswer, understandAnswer } from "./turn-state.ts";

/** Answers of each role to a request; null is the polite default. */
export type Behaviour = Partial<
  Record<ModelRole, (request: ModelRequest) => Answered | null | Promise<Answered>>
>;
type Answered = Exclude<ScriptEntry, () => unknown>;

/** Parts of a thread that a test puts its own in place of. */
export interface ThreadParts {
  readonly behaviour?: Behaviour;
  readonly limits?: Partial<Limits>;
  /** Default: none. */
  readonly budget?: Budget;
  /** Default: both. */
  readonly lanes?: Lanes;
  /** Beside those of the kitchen. */
  readonly tools?: readonly DomainTool[];
  /** Default: the expert's role under each of the default lenses. */
  readonly experts?: readonly Expert[];
  /** Name of every role's model. Default: "behaving". */
  readonly modelName?: string;
  /** Milliseconds since 1970, for deadlines. Default: the process's clock. */
  readonly now?: () => number;
  readonly userData?: UserData;
  /** Life of its lease without renewal, in milliseconds. Default: the store's. */
  readonly leaseMs?: number;
  readonly checkpointer?: PostgresCheckpointer;
  readonly archive?: (archive: Archive) => Archive;
  readonly store?: (store: ConversationStore) => ConversationStore;
  /** Starts the database again. Default: that is somebody else's task. */
  readonly ensureDatabase?: () => Promise<void>;
  /** Gets what a turn failed of. */
  readonly onFailure?: (error: unknown) => void;
}

/** Options of a message, beside its text. */
export interface SendOptions {
  readonly messageId?: string;
  /** A decision that the text stands for. */
  readonly decision?: ConfirmationDecision;
  readonly stop?: AbortSignal;
  /** Sees every event as it comes. */
  readonly onEvent?: (event: TurnEvent) => void;
}

/** A thread of a user with a fresh kitchen, on the whole graph and on Postgres. */
export interface TestThread {
  readonly run: TurnContext;
  readonly graph: TurnGraph;
  readonly driver: TurnDriver;
  /** Every request of every role, in order. */
  readonly requests: readonly ModelRequest[];
  send(text: string, options?: SendOptions): Promise<readonly TurnEvent[]>;
  sendFor(text: string, options: SendOptions): Promise<SendOutcome>;
  /** Replays the events of a message; null where nothing is kept of it. */
  replayTurn(messageId: string): Promise<readonly TurnEvent[] | null>;
  state(): Promise<TurnState>;
}

/** Returns true when the newest message asks for something to be added. */
function asksToAdd({ messages }: ModelRequest): boolean {
  return /<message>\s*add /u.test(JSON.stringify(messages.at(-1)?.text).replaceAll("\\n", " "));
}

const POLITE: Readonly<Record<ModelRole, ScriptEntry>> = {
  understand: (request) => ({
    json: understandAnswer({ needs: asksToAdd(request) ? "change" : "work" }),
  }),
  think: { json: thinkAnswer({ decision: "answer", steps: [] }) },
  act: { toolCalls: [{ name: "fail_step", args: { reason: "Nothing to do." } }] },
  reply: "Gladly.",
  summarize: { json: NARRATIVE_ANSWER },
  concierge: "Gladly.",
  expert: "It depends.",
  mapper: { json: { claims: [], edges: [], gaps: [] } },
};

/** Opens a thread; models answer politely except where `behaviour` says otherwise. */
export async function testThread(
  database: TestDatabase,
  parts: ThreadParts = {},
): Promise<TestThread> {
  return openThread(database, { run: await freshKitchen(database), ...parts });
}

/** The same thread as another process would open it. */
export function openThread(
  database: Pick<Database, "pool" | "heartbeats" | "userData">,
  parts: ThreadParts & { readonly run: TurnContext },
): TestThread {
  const { run, limits = {} } = parts;
  const requests: ModelRequest[] = [];
  const checkpointer = parts.checkpointer ?? createCheckpointer(database.pool);
  const archive = createTurnArchive(database.pool);
  const graph = createConciergeGraph({
    domain: { ...mealsDomain, tools: [...mealsDomain.tools, ...(parts.tools ?? [])] },
    models: behavingModels(parts.behaviour ?? {}, { requests, name: parts.modelName }),
    limits,
    ...(parts.budget === undefined ? {} : { budget: parts.budget }),
    ...(parts.lanes === undefined ? {} : { lanes: parts.lanes }),
    ...(parts.experts === undefined ? {} : { experts: parts.experts }),
    ...(parts.now === undefined ? {} : { now: parts.now }),
    countTokens: countRoughly,
    clock: () => 0,
    storage: {
      checkpointer,
      userData: parts.userData ?? database.userData,
      archive: parts.archive?.(archive) ?? archive,
      sentences: createSentenceStore(database.pool),
    },
  });
  const store = createConversationStore(database.pool, checkpointer, {
    heartbeats: database.heartbeats,
    ...(parts.leaseMs === undefined ? {} : { leaseMs: parts.leaseMs }),
  });
  const driver = createTurnDriver({
    graph,
    store: parts.store?.(store) ?? store,
    limits: limitsWith(limits),
    now: () => new Date("2026-01-12T12:00:00Z"),
    newId: randomUUID,
    ...(parts.ensureDatabase && { ensureDatabase: parts.ensureDatabase }),
    ...(parts.onFailure === undefined ? {} : { onFailure: parts.onFailure }),
  });
  const { threadId, userId, today, timeZone, locale } = run;
  const sendFor = (text: string, options: SendOptions): Promise<SendOutcome> =>
    driver.send(
      {
        threadId,
        userId,
        text,
        today,
        timeZone,
        locale,
        ...(options.messageId === undefined ? {} : { messageId: options.messageId }),
        ...(options.decision === undefined ? {} : { decision: options.decision }),
      },
      {
        onEvent: options.onEvent ?? (() => undefined),
        ...(options.stop === undefined ? {} : { stop: options.stop }),
      },
    );
  return {
    run,
    graph,
    driver,
    requests,
    sendFor,
    async replayTurn(messageId) {
      const events: TurnEvent[] = [];
      const message = { threadId, userId, messageId };
      return (await driver.replayTurn(message, (event) => void events.push(event))) ? events : null;
    },
    async send(text, options = {}) {
      const events: TurnEvent[] = [];
      await sendFor(text, {
        ...options,
        onEvent: (event) => {
          events.push(event);
          options.onEvent?.(event);
        },
      });
      return events;
    },
    async state() {
      const { values } = await graph.getState({ configurable: { thread_id: threadId } });
      return values;
    },
  };
}

/** The models of a thread on which nothing is scripted: each role answers politely. */
export function politeModels(): Readonly<Record<ModelRole, LanguageModel>> {
  return behavingModels({}, { requests: [], name: undefined });
}

/** The models of a thread: each role answers by its behaviour, else politely; what they are asked is added to `requests`. */
export function behavingModels(
  behaviour: Behaviour,
  { requests, name = "behaving" }: { requests: ModelRequest[]; name: string | undefined },
): Readonly<Record<ModelRole, LanguageModel>> {
  const claims = watchClaims();
  const model: LanguageModel = {
    name,
    async complete(request) {
      requests.push(request);
      if (request.role === "concierge") claims.checkPrompt(request);
      const entry = (await behaviour[request.role]?.(request)) ?? POLITE[request.role];
      if (request.role === "mapper") claims.noteMap(entry);
      return scriptedModel(entry).complete(request);
    },
  };
  return everyRole(model);
}

/** Returns the durable replies of a turn. */
export function repliesIn(events: readonly TurnEvent[]): string[] {
  return events.flatMap((event) => (event.type === "reply" ? [event.text] : []));
}

/** The types of a turn's events, without those of nodes, prompts and tokens. */
export function outlineTurn(events: readonly TurnEvent[]): string[] {
  const left = new Set(["node-start", "node-end", "prompt", "usage", "text-delta"]);
  return events.filter(({ type }) => !left.has(type)).map(({ type }) => type);
}
