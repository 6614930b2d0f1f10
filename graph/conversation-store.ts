import type { JsonObject } from "../state/json.ts";

/** A message that waits for its turn. */
export interface WaitingMessage {
  readonly threadId: string;
  readonly messageId: string;
  readonly userId: string;
  readonly text: string;
  readonly run: JsonObject;
}

/** What the driver needs of storage: who owns a thread, whose turn it is, what waits. `storage/` fulfils it. */
export interface ConversationStore {
  /** Makes the thread the user's where it is nobody's yet. `foreign`: it is another's, and stays as it is. */
  claimThread(claim: {
    readonly threadId: string;
    readonly userId: string;
    readonly title: string;
  }): Promise<"created" | "owned" | "foreign">;
  /** Puts a message at the end of its thread's queue; idempotent by id. */
  enqueue(message: WaitingMessage): Promise<{ readonly repeated: boolean }>;
  /** The oldest message that is not finished. To be called under the lease. */
  nextMessage(threadId: string): Promise<WaitingMessage | null>;
  /** Notes another attempt and returns how many that makes. */
  countAttempt(message: { readonly threadId: string; readonly messageId: string }): Promise<number>;
  finishMessage(message: {
    readonly threadId: string;
    readonly messageId: string;
    readonly outcome: "answered" | "given-up" | "stopped";
  }): Promise<void>;
  /** Runs `work` as the only one on the thread; `held: false` when another kept it for all of `waitMs`. */
  holdLease<T>(
    request: {
      readonly threadId: string;
      readonly owner: string;
      readonly waitMs: number;
      readonly signal: AbortSignal | null;
    },
    work: (held: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<{ readonly held: true; readonly result: T } | { readonly held: false }>;
  /** Lets go of the checkpoints of all but the last `turns` turns. */
  prune(threadId: string, turns: number): Promise<void>;
}
