import type { UserThread } from "../state/conversation-store.ts";
import type { TurnEvent } from "../driver/events.ts";
import type { RunEnd, RunObserver } from "../driver/run-observer.ts";
import type { TurnDriver, WorkOutcome } from "../driver/run-turn.ts";

/** A run as its worker takes it up. */
export interface StartedRun extends UserThread {
  readonly runId: string;
  readonly messageId: string;
  /** The message's text, only for logs that may contain it. */
  readonly text: string;
  /** When it was asked for, ISO 8601; null where nobody knows. */
  readonly createdAt: string | null;
  /** The span of the request it was asked for with, as W3C's header has it; null where there was none. */
  readonly traceparent: string | null;
  /** It was begun before, by this process or another. */
  readonly isResumed: boolean;
}

/** The end of a run in this process: `left` goes on elsewhere, `rolled-back` leaves no trace. */
export interface WatchedEnd extends Pick<RunEnd, "error"> {
  readonly outcome: RunEnd["outcome"] | "left" | "rolled-back";
}

/** Receives one run's events, then once its end. It must not throw. */
export interface RunWatch {
  onEvent(event: TurnEvent): void;
  onEnd(end: WatchedEnd): void;
}

/** Called for each run that begins or goes on. */
export type WatchRun = (run: StartedRun) => RunWatch;

export interface RunWatchers {
  readonly runs: readonly WatchRun[];
  /** Receives the outcome of the work on a thread; `thrown` for an error. */
  readonly onWork?: (outcome: WorkOutcome | "thrown") => void;
}

/** The driver's work, watched; graph and driver know nothing of it. */
export function watchWork(
  driver: Pick<TurnDriver, "work">,
  { runs, onWork = () => undefined }: RunWatchers,
): Pick<TurnDriver, "work"> {
  return {
    async work(thread, options) {
      const watch = watched(options.observer, runs);
      try {
        const outcome = await driver.work(thread, { ...options, observer: watch.observer });
        onWork(outcome);
        return outcome;
      } catch (error) {
        onWork("thrown");
        throw error;
      } finally {
        watch.leave();
      }
    },
  };
}

interface Watched {
  readonly observer: RunObserver;
  /** No more comes: a run that has not ended was left. */
  leave(): void;
}

function watched(observer: RunObserver, watchers: readonly WatchRun[]): Watched {
  let watches: readonly RunWatch[] = [];
  const end = (how: WatchedEnd): void => {
    const ended = watches;
    watches = [];
    for (const watch of ended) watch.onEnd(how);
  };
  const own: RunObserver = {
    async begin(message, lease) {
      end({ outcome: "left" });
      const plan = await observer.begin(message, lease);
      if (plan === null) return null;
      const { threadId, userId, messageId, text } = message;
      const { runId, createdAt = null, traceparent = null, sentEvents } = plan;
      const isResumed = sentEvents !== null && sentEvents.length > 0;
      const run = {
        threadId,
        userId,
        messageId,
        text,
        runId,
        createdAt,
        traceparent,
        isResumed,
      };
      watches = watchers.map((watch) => watch(run));
      return plan;
    },
    onEvent(event) {
      observer.onEvent(event);
      for (const watch of watches) watch.onEvent(event);
    },
    onChunk: (chunk) => observer.onChunk(chunk),
    async end(run) {
      const isMessageDone = await observer.end(run);
      end(run);
      return isMessageDone;
    },
  };
  return {
    observer: { ...own, ...watchOptionalMethods(observer, end) },
    leave: () => end({ outcome: "left" }),
  };
}

/** Left out where the observer leaves them out: the driver does something else then. */
function watchOptionalMethods(
  observer: RunObserver,
  end: (how: WatchedEnd) => void,
): Pick<RunObserver, "waitForRoom" | "undo"> {
  return {
    ...(observer.waitForRoom === undefined
      ? {}
      : { waitForRoom: async () => observer.waitForRoom?.() }),
    ...(observer.undo === undefined
      ? {}
      : {
          async undo(run) {
            const isUndone = (await observer.undo?.(run)) ?? false;
            if (isUndone) end({ outcome: "rolled-back" });
            return isUndone;
          },
        }),
  };
}
