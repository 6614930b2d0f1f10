import type { UserThread, WaitingMessage } from "../state/conversation-store.ts";
import type { TurnEvent } from "../state/event.ts";
import type { ThreadResult } from "../driver/results.ts";
import type { BegunTurn, OpenedRun, RunChunk, RunEnd, RunSink } from "../driver/run-source.ts";
import type { TurnDriver } from "../driver/turn-driver.ts";

/** A run as its worker starts or resumes it. */
export interface StartedRun extends UserThread {
  readonly runId: string;
  readonly messageId: string;
  /** The message's text, only for logs that may contain it. */
  readonly text: string;
  /** Time of its request, ISO 8601; null if unknown. */
  readonly createdAt: string | null;
  /** Span of its request, as W3C's `traceparent`; null if there was none. */
  readonly traceparent: string | null;
  /** True if it was started before, by this process or another. */
  readonly isResumed: boolean;
}

/** End of a run in this process: `left` continues elsewhere, `rolled-back` leaves no trace. */
export interface WatchedEnd extends Pick<RunEnd, "error"> {
  readonly outcome: RunEnd["outcome"] | "left" | "rolled-back";
}

/** Receives one run's events, then once its end. It must not throw. */
export interface RunWatch {
  onEvent(event: TurnEvent): void;
  onEnd(end: WatchedEnd): void;
}

/** Called for each run that starts or resumes. */
export type WatchRun = (run: StartedRun) => RunWatch;

export interface RunWatchers {
  readonly runs: readonly WatchRun[];
  /** Receives the result of the work on a thread; `thrown` for an error. */
  readonly onResult?: (result: ThreadResult | "thrown") => void;
}

/** Wraps a driver so that its runs are watched; graph and driver are not aware of it. */
export function watchThreads(
  driver: Pick<TurnDriver, "processThread">,
  { runs: watchers, onResult = () => undefined }: RunWatchers,
): Pick<TurnDriver, "processThread"> {
  return {
    async processThread(thread, options) {
      let current: WatchedRun | null = null;
      try {
        const result = await driver.processThread(thread, {
          ...options,
          runs: {
            async open(message, lease) {
              current?.close({ outcome: "left" });
              current = null;
              const opened = await options.runs.open(message, lease);
              if (opened === null) return null;
              current = new WatchedRun(opened.sink, watchRun(watchers, message, opened));
              return { plan: opened.plan, sink: current };
            },
          },
        });
        onResult(result);
        return result;
      } catch (error) {
        onResult("thrown");
        throw error;
      } finally {
        (current as WatchedRun | null)?.close({ outcome: "left" });
      }
    },
  };
}

function watchRun(
  watchers: readonly WatchRun[],
  { threadId, userId, messageId, text }: WaitingMessage,
  { plan }: OpenedRun,
): readonly RunWatch[] {
  const { runId, createdAt = null, traceparent = null, sentEvents } = plan;
  const isResumed = sentEvents !== null && sentEvents.length > 0;
  const message = { threadId, userId, messageId, text };
  return watchers.map((watch) => watch({ ...message, runId, createdAt, traceparent, isResumed }));
}

/** A sink that passes everything on to the watches, after the run's own sink has it. */
class WatchedRun implements RunSink {
  readonly waitForRoom?: () => Promise<void>;
  readonly rollBack?: (begun: BegunTurn | null) => Promise<boolean>;
  readonly #sink: RunSink;
  #watches: readonly RunWatch[];

  constructor(sink: RunSink, watches: readonly RunWatch[]) {
    this.#sink = sink;
    this.#watches = watches;
    // Defined only if the sink defines them: the driver checks for their presence.
    if (sink.waitForRoom !== undefined) this.waitForRoom = async () => sink.waitForRoom?.();
    if (sink.rollBack !== undefined) this.rollBack = (begun) => this.#rollBack(begun);
  }

  onEvent(event: TurnEvent): void {
    this.#sink.onEvent(event);
    for (const watch of this.#watches) watch.onEvent(event);
  }

  onChunk(chunk: RunChunk): void {
    this.#sink.onChunk(chunk);
  }

  async end(end: RunEnd): Promise<boolean> {
    const isRemoved = await this.#sink.end(end);
    this.close(end);
    return isRemoved;
  }

  /** Ends the watches, unless they have ended. */
  close(end: WatchedEnd): void {
    const watches = this.#watches;
    this.#watches = [];
    for (const watch of watches) watch.onEnd(end);
  }

  async #rollBack(begun: BegunTurn | null): Promise<boolean> {
    const isRolledBack = (await this.#sink.rollBack?.(begun)) ?? false;
    if (isRolledBack) this.close({ outcome: "rolled-back" });
    return isRolledBack;
  }
}
