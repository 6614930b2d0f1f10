import type { ConversationStore, UserMessage, UserThread } from "../state/conversation-store.ts";
import type { ConfirmationDecision } from "../state/pending.ts";
import { TurnContextSchema, type Audience } from "../state/turn.ts";
import { createAttempts } from "./attempts.ts";
import { cleanMessage } from "./clean-message.ts";
import { createCleaning } from "./cleaning.ts";
import type { DriverParts } from "./driver-parts.ts";
import type { TurnEvent } from "../state/event.ts";
import { replayTurn } from "./replay-turn.ts";
import type { ThreadResult } from "./results.ts";
import type { RunSource } from "./run-source.ts";
import { ThreadProcessor, type ThreadWork } from "./thread-processor.ts";
import { createTitle } from "./thread-title.ts";
import { findDatabaseFault, ForeignThreadError, MessageNotStoredError } from "./turn-errors.ts";

/** A message on its way into a thread. */
export interface SentMessage {
  readonly threadId: string;
  readonly userId: string;
  readonly text: string;
  /** Answers a confirmation without a model; `text` is what the conversation shows of it. */
  readonly decision?: ConfirmationDecision;
  /** Makes sending idempotent; minted where it is left out. */
  readonly messageId?: string;
  /** Names its run in every event of its turn; minted where it is left out. */
  readonly runId?: string;
  /** `YYYY-MM-DD` in the person's time zone. */
  readonly today: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
  /** The reader of the turn. Default: a user, to whom models, hosts and settings are not named. */
  readonly audience?: Audience;
}

/**
 * Outcome of sending: processed here, answered earlier or by another process, or left to the
 * process that holds the thread.
 */
export type SendOutcome = "processed" | "answered-elsewhere" | "held-elsewhere";

/** Settings for sending a message. */
export interface SendOptions {
  readonly onEvent: (event: TurnEvent) => void;
  /** Stops the running turn cleanly: what it has done is kept and recorded. */
  readonly stop?: AbortSignal;
  /** False leaves `prompt` events out. Default true. */
  readonly trace?: boolean;
}

/** Settings for processing a thread. */
export interface ProcessOptions {
  /** Opens the run of each message. */
  readonly runs: RunSource;
  /** Leaves the running turn as it is, between two of its steps and without an end. */
  readonly handOff?: AbortSignal;
  /** Longest wait for a thread that another process holds, in milliseconds. */
  readonly waitMs: number;
}

export interface TurnDriver {
  /**
   * Puts a message into its thread and drains the inbox, oldest first, until nothing waits:
   * first what an earlier run left unfinished, then this message. Every event of every turn goes
   * to `onEvent`; a turn that fails ends with an `error` event and stays resumable: the next message,
   * or the next start of the program, continues it.
   *
   * @throws MessageRefusedError, ForeignThreadError, MessageNotStoredError: nothing was stored of
   * the message; errors of the database before a turn began: it is kept.
   */
  send(message: SentMessage, options: SendOptions): Promise<SendOutcome>;
  /**
   * Drains the inbox as `send` does, without a new message: continues what an earlier process left
   * unfinished. Where nothing waits, the thread is not touched.
   *
   * @throws errors of the database before a turn begins: what waits is kept.
   */
  resume(thread: UserThread, options: SendOptions): Promise<void>;
  /**
   * Drains a thread's inbox, oldest message first. A turn that fails is retried at once where others
   * wait behind it, until it is answered or given up.
   *
   * @throws what `runs` throws, and errors before a turn begins, unless the database is unavailable.
   */
  processThread(thread: UserThread, options: ProcessOptions): Promise<ThreadResult>;
  /**
   * Replays the replies and record of a message that was processed elsewhere or before, as a turn's
   * events. Returns false if nothing is stored for it.
   */
  replayTurn(message: UserMessage, onEvent: (event: TurnEvent) => void): Promise<boolean>;
}

/**
 * Makes the driver that surrounds the graph: inbox, lease, resumption, stopping, pruning.
 *
 * @example
 * const checkpointer = createCheckpointer(database.pool);
 * const archive = createTurnArchive(database.pool);
 * const storage = { checkpointer, archive, userData: database.userData };
 * const driver = createTurnDriver({
 *   graph: createConciergeGraph({ models, countTokens, storage }),
 *   store: createConversationStore(database.pool, checkpointer),
 *   limits: DEFAULT_LIMITS,
 *   now: () => new Date(),
 *   newId: () => crypto.randomUUID(),
 * });
 * const replies: string[] = [];
 * const message = { threadId: crypto.randomUUID(), userId: "ann", text: "hello" };
 * const when = { today: "2026-01-12", timeZone: "UTC", locale: "en" };
 * await driver.send({ ...message, ...when }, {
 *   onEvent: (event) => void (event.type === "reply" && replies.push(event.text)),
 * });
 * replies; // ["Gladly."]
 */
export function createTurnDriver(parts: DriverParts): TurnDriver {
  const { store, limits, now, newId, onFailure } = parts;
  const shared = {
    ...parts,
    attempts: createAttempts(store),
    cleaning: createCleaning({ store, limits, now, ...(onFailure && { onFailure }) }),
  };
  const drain = async (
    thread: UserThread,
    { onEvent, stop, trace = true }: SendOptions,
  ): ReturnType<ThreadProcessor["process"]> => {
    const processor = new ThreadProcessor(shared, {
      thread,
      runs: createForwardingSource(onEvent, stop, trace),
      waitMs: limits.leaseWaitSeconds * 1_000,
      cancelWait: stop,
      handOff: undefined,
      retryWhenOthersWait: false,
    });
    return processor.process();
  };
  return {
    replayTurn: (message, onEvent) => replayTurn(message, { store, now, onEvent }),
    async send(message, options) {
      const text = cleanMessage(message.text, parts.limits.messageCharacters);
      const { threadId, userId, today, timeZone, locale, audience, decision } = message;
      const { messageId = newId(), runId = newId() } = message;
      const run = {
        runId,
        threadId,
        userId,
        today,
        timeZone,
        locale,
        ...(audience === undefined ? {} : { audience }),
      };
      const title = createTitle(text, parts.limits.titleCharacters);
      const queued = { threadId, userId, messageId, title, text, decision, run };
      await enqueue(parts, queued, audience ?? "user");
      const { result, messageIds } = await drain({ threadId, userId }, options);
      if (result === "held-elsewhere" || result === "lease-lost") return "held-elsewhere";
      const isMissing = result === "processed" && !messageIds.includes(messageId);
      return isMissing ? "answered-elsewhere" : "processed";
    },
    async resume(thread, options) {
      if ((await store.countWaiting(thread)) > 0) await drain(thread, options);
    },
    async processThread(thread, { runs, handOff, waitMs }) {
      const work: ThreadWork = {
        thread,
        runs,
        waitMs,
        cancelWait: handOff,
        handOff,
        retryWhenOthersWait: true,
      };
      try {
        return await processUntilEmpty(new ThreadProcessor(shared, work), store, work);
      } catch (error) {
        if (handOff?.aborted === true) return "handed-off";
        if (findDatabaseFault(error) === null) throw error;
        onFailure?.(error);
        return "unavailable";
      }
    },
  };
}

/**
 * Puts a message into the inbox, at a second attempt if the database was unavailable: its id prevents
 * a duplicate.
 *
 * @throws ForeignThreadError, MessageNotStoredError: nothing was stored.
 */
async function enqueue(
  { store, ensureDatabase }: DriverParts,
  message: Queued,
  audience: Audience,
): Promise<void> {
  const retry = async (error: unknown): ReturnType<ConversationStore["enqueue"]> => {
    if (findDatabaseFault(error) === null) throw error;
    await ensureDatabase?.();
    return store.enqueue(message);
  };
  const queued = await store
    .enqueue(message)
    .catch(retry)
    .catch((error: unknown) => {
      throw new MessageNotStoredError(error, audience);
    });
  if (queued === "foreign") throw new ForeignThreadError(message.threadId);
}

type Queued = Parameters<ConversationStore["enqueue"]>[0];

/** Processes the thread again while messages wait that arrived at the very end and found it held. */
async function processUntilEmpty(
  processor: ThreadProcessor,
  store: ConversationStore,
  work: ThreadWork,
): Promise<ThreadResult> {
  for (;;) {
    const { result } = await processor.process();
    if (result !== "processed" && result !== "failed") return result;
    const waiting = await store.countWaiting(work.thread);
    const isEmpty = waiting <= (result === "failed" ? 1 : 0);
    if (isEmpty || work.handOff?.aborted === true) return result;
  }
}

/** Creates a source of runs that are not stored: every event goes to one listener. */
function createForwardingSource(
  onEvent: (event: TurnEvent) => void,
  stop: AbortSignal | undefined,
  trace: boolean,
): RunSource {
  // A turn that is retried in this process has the same listener, which must not get a reply twice.
  const sentReplies = new Set<string>();
  const sink = {
    onEvent(event: TurnEvent) {
      if (event.type === "reply") sentReplies.add(event.reply);
      onEvent(event);
    },
    onChunk: () => undefined,
    end: async () => false,
  };
  return {
    open: async ({ run }) => {
      const { runId } = TurnContextSchema.parse(run);
      const replies = [...sentReplies];
      const plan = { runId, sentEvents: null, sentReplies: replies, stop, modes: [], trace };
      return { plan, sink };
    },
  };
}
