import type { Pool } from "pg";
import { isEnded, type RunEvent, type RunRecord } from "../../state/run.ts";
import type { Notifications } from "../../storage/postgres/notifications.ts";
import { readRunWithEvents } from "../../storage/runs/run-events.ts";
import { readingAs } from "../../storage/users/user-data.ts";

/** A place in the events of a user's run. */
export interface RunPlace {
  readonly userId: string;
  readonly runId: string;
  /** The last event that is known; 0 for none. */
  readonly after: number;
}

/** Events in order, and the state of their run. */
export interface RunStep {
  readonly events: readonly RunEvent[];
  /** The run, once it has ended and all its events were sent; null while there may be more. */
  readonly ended: RunRecord | null;
  /** True if the run was rolled back or deleted: no more events will come. */
  readonly isGone: boolean;
}

/** Follows the runs that any process works on, by their stored events. */
export interface RunFeed {
  /**
   * Yields the run's events after a place as they are stored; the last step has the run's end. Returns
   * early when `signal` aborts. Followers at the same place of a run share one read of its rows.
   *
   * @throws DatabaseUnavailableError.
   */
  follow(place: RunPlace, signal: AbortSignal): AsyncIterable<RunStep>;
  /** Returns the number of followers. */
  count(): number;
}

export interface RunFeedParts {
  readonly pool: Pool;
  readonly notifications: Pick<Notifications, "listen">;
}

/** Events read per query. Not a setting: a follower continues with the next query. */
const BATCH = 64;

/** Interval of polling without a notification, in milliseconds. Not a setting: notifications are only lost with their connection. */
const POLL_MS = 20_000;

/** Creates the feed of a process. It listens, and polls, only while a run is followed. */
export function createRunFeed({ pool, notifications }: RunFeedParts): RunFeed {
  const readers = new Map<string, Reader>();
  let rest: (() => void) | null = null;
  const wake = (runId: string | null): void => {
    const woken = runId === null ? [...readers.values()] : [readers.get(runId)];
    for (const reader of woken) reader?.wake();
  };
  const listen = (): (() => void) => {
    const stop = notifications.listen("run", wake);
    const timer = setInterval(() => wake(null), POLL_MS).unref();
    return () => {
      stop();
      clearInterval(timer);
    };
  };
  const enter = (runId: string, call: () => void): Reader => {
    rest ??= listen();
    const reader = readers.get(runId) ?? createReader(pool, runId);
    readers.set(runId, reader);
    reader.calls.add(call);
    return reader;
  };
  const leave = (runId: string, call: () => void): void => {
    const reader = readers.get(runId);
    reader?.calls.delete(call);
    if (reader?.calls.size === 0) readers.delete(runId);
    if (readers.size > 0) return;
    rest?.();
    rest = null;
  };
  return {
    async *follow({ userId, runId, after: known }, signal) {
      const doze = createDoze();
      const reader = enter(runId, doze.wake);
      signal.addEventListener("abort", doze.wake, { once: true });
      try {
        for (let after = known; !signal.aborted;) {
          doze.reset();
          const step = await reader.read({ userId, after });
          if (signal.aborted) return;
          after = step.events.at(-1)?.seq ?? after;
          const isLast = step.ended !== null || step.isGone;
          if (isLast || step.events.length > 0) yield step;
          if (isLast) return;
          if (step.events.length < BATCH) await doze.rest();
        }
      } finally {
        signal.removeEventListener("abort", doze.wake);
        leave(runId, doze.wake);
      }
    },
    count: () => [...readers.values()].reduce((sum, { calls }) => sum + calls.size, 0),
  };
}

/** Reads one run for all its followers. */
interface Reader {
  readonly calls: Set<() => void>;
  read(place: Omit<RunPlace, "runId">): Promise<RunStep>;
  wake(): void;
}

function createReader(pool: Pool, runId: string): Reader {
  const calls = new Set<() => void>();
  const reads = new Map<string, Promise<RunStep>>();
  return {
    calls,
    read({ userId, after }) {
      const key = `${after}/${userId}`;
      const running = reads.get(key);
      if (running !== undefined) return running;
      const read = readStep(pool, { userId, runId, after }).finally(() => {
        if (reads.get(key) === read) reads.delete(key);
      });
      reads.set(key, read);
      return read;
    },
    wake() {
      // A read that began before the notification may miss its rows: it is no longer shared.
      reads.clear();
      for (const call of calls) call();
    },
  };
}

async function readStep(pool: Pool, { userId, runId, after }: RunPlace): Promise<RunStep> {
  const story = await readRunWithEvents(readingAs(pool, userId), { runId, after, limit: BATCH });
  if (story === null) return { events: [], ended: null, isGone: true };
  const { run, events } = story;
  const isComplete = isEnded(run.status) && events.length < BATCH;
  return { events, ended: isComplete ? run : null, isGone: false };
}

/** A wait that a call ends, also a call that came before the wait. */
interface Doze {
  readonly wake: () => void;
  /** Forgets the calls so far. */
  reset(): void;
  rest(): Promise<void>;
}

function createDoze(): Doze {
  let isCalled = false;
  let rise: (() => void) | null = null;
  return {
    wake() {
      isCalled = true;
      rise?.();
    },
    reset() {
      isCalled = false;
    },
    async rest() {
      if (isCalled) return;
      await new Promise<void>((resolve) => {
        rise = resolve;
      });
    },
  };
}
