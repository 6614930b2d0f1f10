import type { JsonObject } from "../state/json.ts";
import type { LeaseClaim } from "../state/store.ts";

/** A thread, and the user for whom it is asked: to anyone but its owner it is not there. */
export interface UserThread {
  readonly threadId: string;
  readonly userId: string;
}

/** Which message, in whose thread. */
export interface UserMessage extends UserThread {
  readonly messageId: string;
}

/** What is written under a thread's lease, and only while it is held. */
export interface UnderLease {
  readonly lease: LeaseClaim;
}

/** A message that waits for its turn. */
export interface WaitingMessage extends UserMessage {
  readonly text: string;
  readonly run: JsonObject;
}

/**
 * What the driver needs of storage: who owns a thread, whose turn it is, what waits. `storage/`
 * fulfils it. What is written under a lease that is another's by now throws a `LeaseLostError`.
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
  /** How many messages are not finished. */
  countWaiting(thread: UserThread): Promise<number>;
  /** Notes another attempt and returns how many that makes. */
  countAttempt(message: UserMessage & UnderLease): Promise<number>;
  finishMessage(
    message: UserMessage & UnderLease & { readonly outcome: "answered" | "given-up" | "stopped" },
  ): Promise<void>;
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
  /** Removes what only repetitions need and what is older than `days`, some of it at a time. Of the user alone. */
  cleanUp(user: { readonly userId: string; readonly days: number }): Promise<void>;
  /** Lets go of the checkpoints of all but the last `turns` turns. */
  prune(thread: UserThread & UnderLease & { readonly turns: number }): Promise<void>;
}
