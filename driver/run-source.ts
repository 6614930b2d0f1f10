import type { SavedView } from "../state/archive.ts";
import type { WaitingMessage } from "../state/conversation-store.ts";
import type { Json } from "../state/json.ts";
import type { GraphMode, RunError } from "../state/run.ts";
import type { LeaseClaim } from "../state/store.ts";
import type { TurnEvent } from "../state/event.ts";

/** The run to make for a message, and its bounds. */
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
  /** Span in which the run was requested, as W3C's `traceparent`; left out if there was none. */
  readonly traceparent?: string;
}

/** One chunk that the graph streamed in a mode of its own; strict JSON without private data. */
export interface RunChunk {
  readonly mode: GraphMode;
  /** The subgraphs it comes from; empty for the graph itself. */
  readonly namespace: readonly string[];
  readonly data: Json;
}

/** Outcome of a run; `error` has the reason if it or its turn failed, or it was given up. */
export interface RunEnd {
  readonly outcome: "answered" | "given-up" | "stopped" | "failed";
  /** The turn that came of its message; null if none did. */
  readonly turn: number | null;
  readonly error?: RunError;
  /** The view of that turn, kept in the transaction that ends the run. */
  readonly view?: SavedView;
}

/** A turn that was begun for a message, under the run that first began it. */
export interface BegunTurn {
  readonly turn: number;
  /** Key of what the archive has of it: a run that tries again continues under the first one's id. */
  readonly runId: string;
}

/**
 * Receives a run's events and chunks, then its end. No `end` comes for a turn that is left to
 * another process: the run goes on where its source is opened again.
 */
export interface RunSink {
  onEvent(event: TurnEvent): void;
  onChunk(chunk: RunChunk): void;
  /** Resolves when there is room for more; asked between two steps of the graph. Default: there always is. */
  waitForRoom?(): Promise<void>;
  /**
   * Called when a run is stopped, before its effects are recorded: true when the run was rolled back,
   * thread and all, as if it had not been. `begun` is the turn that was begun for the message; null
   * if none was. Default: it is recorded.
   */
  rollBack?(begun: BegunTurn | null): Promise<boolean>;
  /**
   * Ends the run; its events are durable when this resolves. True if its message left the queue with
   * it; otherwise the driver removes it from the inbox afterwards.
   */
  end(end: RunEnd): Promise<boolean>;
}

/** A run as the driver takes it up. */
export interface OpenedRun {
  readonly plan: RunPlan;
  readonly sink: RunSink;
}

/** Port from which the driver gets the run of each message; `worker/` stores runs, a terminal has none. */
export interface RunSource {
  /** Opens the run of a message before its turn begins or goes on; null if its run has ended: the message is done with. */
  open(message: WaitingMessage, lease: LeaseClaim): Promise<OpenedRun | null>;
}
