import type { Json } from "../state/json.ts";
import type { GraphMode, RunError } from "../state/run.ts";
import type { LeaseClaim } from "../state/store.ts";
import type { WaitingMessage } from "../state/conversation-store.ts";
import type { TurnEvent } from "./events.ts";

/** Settings for running a message's turn. */
export interface RunPlan {
  /** Names the run in every event. */
  readonly runId: string;
  /** Stored events of the run, which its next events continue; null if unknown. */
  readonly sentEvents: readonly TurnEvent[] | null;
  /** Ids of replies that the listener has already received in full. Default: none. */
  readonly sentReplies?: readonly string[];
  /** Stops the turn cleanly: what it has done is kept and recorded. */
  readonly stop: AbortSignal | undefined;
  /** Modes the graph streams besides the turn's own events. */
  readonly modes: readonly GraphMode[];
  /** True sends `prompt` events too. */
  readonly trace: boolean;
  /** Time the run was requested, ISO 8601, for metrics; left out if unknown. */
  readonly createdAt?: string;
  /** The span it was asked for in, as W3C's `traceparent`; left out where there was none. */
  readonly traceparent?: string;
}

/** One thing that the graph streamed in a mode of its own; strict JSON in which nothing is private. */
export interface RunChunk {
  readonly runId: string;
  readonly mode: GraphMode;
  /** The subgraphs it comes from; empty for the graph itself. */
  readonly namespace: readonly string[];
  readonly data: Json;
}

/** Outcome of a run; `error` has the reason if it failed or was given up. */
export interface RunEnd {
  readonly runId: string;
  readonly outcome: "answered" | "given-up" | "stopped" | "failed";
  /** The turn that came of its message; null where none did. */
  readonly turn: number | null;
  readonly error?: RunError;
}

/**
 * Follower of the runs of a thread while the driver works on it.
 *
 * Contract: for one message after the other `begin`, then events and chunks, then `end`. No `end`
 * comes where the turn was only left (the lease lost, the database away, this process about to
 * go): the run goes on where another `begin` finds it.
 */
export interface RunObserver {
  /** Asked before a message's turn begins or goes on; null: its run has ended, the message is done with. */
  begin(message: WaitingMessage, lease: LeaseClaim): Promise<RunPlan | null>;
  onEvent(event: TurnEvent): void;
  onChunk(chunk: RunChunk): void;
  /** Resolves when there is room for more; asked between two steps of the graph. Default: there always is. */
  waitForRoom?(): Promise<void>;
  /**
   * Called when a run is stopped, before its effects are recorded: true when the observer has
   * taken it back, thread and all, as if it had not been. `turn` is the turn that was begun for the
   * message; null where none was. Default: it is recorded.
   */
  undo?(run: { readonly runId: string; readonly turn: number | null }): Promise<boolean>;
  /**
   * Ends the run; its events are durable when this resolves. True if its message left the queue with
   * it; otherwise the driver removes it from the inbox afterwards.
   */
  end(run: RunEnd): Promise<boolean>;
}
