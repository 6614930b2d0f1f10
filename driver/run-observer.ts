import type { Json } from "../state/json.ts";
import type { GraphMode, RunError } from "../state/run.ts";
import type { LeaseClaim } from "../state/store.ts";
import type { WaitingMessage } from "../state/conversation-store.ts";
import type { TurnEvent } from "./events.ts";

/** How a message's turn is to be run. */
export interface RunPlan {
  /** Names the run in every event. */
  readonly runId: string;
  /** What is kept of what the run has told: its events go on after it. Null where nobody knows. */
  readonly told: readonly TurnEvent[] | null;
  /** Replies that whoever listens has been told whole already. Default: none. */
  readonly said?: readonly string[];
  /** Stops the turn cleanly: what it has done is kept and recorded. */
  readonly stop: AbortSignal | undefined;
  /** What the graph is to stream besides the turn's own events. */
  readonly modes: readonly GraphMode[];
  /** Whether `prompt` events are told. */
  readonly trace: boolean;
  /** When the run was asked for, ISO 8601; left out where nobody knows. For those who measure. */
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

/** How a run ended; `error` says why where it failed or was given up. */
export interface RunEnd {
  readonly runId: string;
  readonly outcome: "answered" | "given-up" | "stopped" | "failed";
  /** The turn that came of its message; null where none did. */
  readonly turn: number | null;
  readonly error?: RunError;
}

/**
 * Who follows the runs of a thread while the driver works on it.
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
  room?(): Promise<void>;
  /**
   * Asked when a run was told to stop, before what it did is recorded: true when the observer has
   * taken it back, thread and all, as if it had not been. `turn` is the turn that was begun for the
   * message; null where none was. Default: it is recorded.
   */
  undo?(run: { readonly runId: string; readonly turn: number | null }): Promise<boolean>;
  /**
   * The run has ended; what it told is durable when this resolves. True when its message has left
   * the queue with it; else the inbox hears of it after this.
   */
  end(run: RunEnd): Promise<boolean>;
}
