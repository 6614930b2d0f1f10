import type { MessageOutcome } from "../state/conversation-store.ts";
import type { RunStatus } from "../state/run.ts";

/** Consequences of a result. Null where there is no such thing: no message, or no run yet. */
export interface Consequences {
  /** `leaves`: the message is done with. `waits`: it stays at the head of its inbox. */
  readonly message: "leaves" | "waits" | null;
  /** True counts as an attempt; after `attemptsPerMessage` of them a message is given up. */
  readonly counts: boolean;
  /** Status of the stored run; `running`: the next process continues it. */
  readonly run: RunStatus | null;
  /**
   * Outcome for a worker's job: `continue` with the next message of the thread, `complete`, `retry`
   * after a pause, `hand-over` to another worker at once.
   */
  readonly job: "continue" | "complete" | "retry" | "hand-over";
  /** The thread's lease afterwards. */
  readonly lease: "kept" | "released" | "lost" | "not taken";
}

/**
 * Every result of processing a thread. Driver, workers and `docs/driver.md` take it from here.
 *
 * `answered`, `stopped` and `given-up` end a message, the others the processing. `unreadable`: this
 * version cannot read the thread's state. `unavailable`: the database is away. `handed-off`: this
 * process is shutting down. `lease-lost`: another process took the thread over. `held-elsewhere`:
 * another process had it all along. `processed`: no message waits any more.
 */
export const RESULTS = {
  answered: row("leaves", true, "success", "continue", "kept"),
  stopped: row("leaves", true, "interrupted", "continue", "kept"),
  "given-up": row("leaves", true, "error", "continue", "kept"),
  failed: row("waits", true, "error", "complete", "released"),
  unreadable: row("waits", false, "error", "complete", "released"),
  unavailable: row("waits", false, "running", "retry", "released"),
  "handed-off": row("waits", false, "running", "hand-over", "released"),
  "lease-lost": row("waits", false, "running", "retry", "lost"),
  "held-elsewhere": row("waits", false, null, "retry", "not taken"),
  processed: row(null, false, null, "complete", "released"),
} as const satisfies Readonly<Record<string, Consequences>>;

function row(
  message: Consequences["message"],
  counts: boolean,
  run: Consequences["run"],
  job: Consequences["job"],
  lease: Consequences["lease"],
): Consequences {
  return { message, counts, run, job, lease };
}

/** Result of one message's turn, or of all the work on a thread. */
export type Result = keyof typeof RESULTS;

/** Result of one message's turn. */
export type TurnResult = Exclude<Result, "processed" | "held-elsewhere">;

/** Result of the work on a thread. */
export type ThreadResult = Exclude<Result, MessageOutcome>;
