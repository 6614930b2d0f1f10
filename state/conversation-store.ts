import type { SavedView } from "./archive.ts";
import type { JsonObject } from "./json.ts";
import type { ConfirmationDecision } from "./pending.ts";
import type { LeaseClaim } from "./store.ts";
import type { Reply } from "./turn.ts";
import type { TurnExecutionSummary } from "./turn-summary.ts";

/** A thread, and the user for whom it is asked: to anyone but its owner it is not there. */
export interface UserThread {
  readonly threadId: string;
  readonly userId: string;
}

/** Which message, in whose thread. */
export interface UserMessage extends UserThread {
  readonly messageId: string;
}

/** Writes that are allowed only while the thread's lease is held. */
export interface UnderLease {
  readonly lease: LeaseClaim;
}

/** A message that waits for its turn. */
export interface WaitingMessage extends UserMessage {
  readonly text: string;
  /** When it was put into the inbox, ISO 8601 in UTC; left out where it was in none. */
  readonly receivedAt?: string;
  /** See `InputSchema`. */
  readonly decision?: ConfirmationDecision | undefined;
  readonly run: JsonObject;
}

/** The result of a processed message. */
export interface MessageAnswer {
  readonly text: string;
  readonly run: JsonObject;
  readonly outcome: MessageOutcome;
  /** The turn it had; null where it had none, or where nothing was kept of it. */
  readonly turn: {
    readonly number: number;
    readonly replies: readonly Reply[];
    readonly summary: TurnExecutionSummary;
  } | null;
}

/** The reason a message leaves the inbox. */
export type MessageOutcome = "answered" | "given-up" | "stopped";

/** The end of a message, with what is kept of its turn. */
export interface EndedMessage {
  readonly outcome: MessageOutcome;
  /** The turn that came of it; null where none did. */
  readonly turn: number | null;
  /** The view of that turn; left out where no events of it are known. */
  readonly view?: SavedView;
}

/** Days after which rows are removed. */
export interface CleanUpAges {
  /** Keys of writes, finished messages and leases. */
  readonly repetitionDays: number;
  /** The journal of changes: older ones can no longer be undone. */
  readonly journalDays: number;
}

/**
 * The driver's interface to storage: thread owners, leases and inboxes. `storage/` implements it.
 * Writing under a lease that has passed to another holder throws a `LeaseLostError`.
 */
export interface ConversationStore {
  /**
   * Makes the thread the user's where it is nobody's yet, and puts the message at the end of its
   * queue; idempotent by id. `foreign`: the thread is another's, and nothing was changed.
   */
  enqueue(
    message: WaitingMessage & { readonly title: string },
  ): Promise<"queued" | "repeated" | "foreign">;
  /** The oldest message that is not finished. To be called under the lease. */
  nextMessage(thread: UserThread): Promise<WaitingMessage | null>;
  /** Counts the messages that are not finished. */
  countWaiting(thread: UserThread): Promise<number>;
  /**
   * Notes another attempt, begun at the checkpoint `from` (empty: at none), and returns how many that
   * makes: without the `excused` ones before it, and without one that nobody ended and after which
   * there is another checkpoint. Null where the message has left the queue: it is not to be tried.
   */
  countAttempt(
    attempt: UserMessage & UnderLease & { readonly from: string; readonly uncounted: number },
  ): Promise<number | null>;
  /** Notes that the last attempt ended with its turn failing. */
  recordFailedAttempt(message: UserMessage & UnderLease): Promise<void>;
  /** Takes the last attempt back: it was not the turn that failed. */
  uncountAttempt(message: UserMessage & UnderLease): Promise<void>;
  /** Takes a message out of the queue, and keeps the view of its turn. */
  finishMessage(message: UserMessage & UnderLease & EndedMessage): Promise<void>;
  /** Finds the answer to a message; null while it waits, or when the user has no message of that id. */
  findAnswer(message: UserMessage): Promise<MessageAnswer | null>;
  /** Runs `work` as the only one on the thread; `held: false` when another kept it for all of `waitMs`. */
  holdLease<T>(
    request: {
      readonly threadId: string;
      readonly owner: string;
      readonly waitMs: number;
      readonly signal: AbortSignal | null;
    },
    work: (held: UnderLease & { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<{ readonly held: true; readonly result: T } | { readonly held: false }>;
  /** Removes what only repetitions need, and the journal of changes, once they are too old, some of it at a time. Of the user alone. */
  cleanUp(userId: string, ages: CleanUpAges): Promise<void>;
  /** Lets go of the checkpoints of all but the last `turns` turns. */
  prune(thread: UserThread & UnderLease & { readonly turns: number }): Promise<void>;
}
