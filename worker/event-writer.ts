import { isLeaseLost } from "../driver/turn-errors.ts";
import type { RunEvent } from "../state/run.ts";

/**
 * Writes a run's events to storage: the first after a pause with those that follow at once, then at
 * intervals.
 */
export interface EventWriter {
  push(event: RunEvent): void;
  /** Resolves while fewer than `most` events wait. */
  room(): Promise<void>;
  /** Closes the writer; resolves, once no write is running, with the events that may not be stored. */
  close(): Promise<readonly RunEvent[]>;
}

export interface EventWriterOptions {
  /** Stores events; must be idempotent. */
  readonly write: (events: readonly RunEvent[]) => Promise<void>;
  /** Receives the error of a failed write, which is retried. */
  readonly onFailure: (error: unknown) => void;
  /** Interval between writes while storage is quick, in milliseconds. Default 50. */
  readonly gatherMs?: number;
  /** Number of waiting events from which on `room` waits. Default 1,000. */
  readonly most?: number;
}

// Not settings: they adapt the interval to the speed of storage.
/** Events per statement. */
const BATCH = 200;
/** A turn begins with several events in a row, which are stored early and together. */
const FIRST_GATHER_MS = 10;
/** Interval as a multiple of a write's duration: slow storage gets fewer, larger writes. */
const TIMES_A_WRITE = 10;
const LONGEST_GATHER_MS = 250;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** Creates a writer with at most one running call of `write`, in order. */
export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { write, onFailure, gatherMs = 50, most = 1_000 } = options;
  const waiting: RunEvent[] = [];
  let underWay: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  /** True until the first write after a pause. */
  let isFirst = true;
  /** Current interval between writes. */
  let pace = gatherMs;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  let roomIsMade = Promise.withResolvers<void>();

  const hasRoom = (): boolean => closed || waiting.length < most;
  const sinceWrite = (): number => performance.now() - writtenAt;
  const gather = (): number =>
    isFirst ? Math.min(FIRST_GATHER_MS, gatherMs) : pace - sinceWrite();
  const schedule = (): void => {
    if (closed || timer !== null || underWay !== null || waiting.length === 0) return;
    const delay = failures === 0 ? gather() : waitAfter(failures);
    if (delay <= 0) begin();
    else timer = setTimeout(begin, delay);
  };
  const begin = (): void => {
    timer = null;
    isFirst = false;
    underWay = send().finally(() => {
      underWay = null;
      schedule();
    });
  };
  const send = async (): Promise<void> => {
    const batch = waiting.slice(0, BATCH);
    writtenAt = performance.now();
    try {
      await write(batch);
      waiting.splice(0, batch.length);
      failures = 0;
      pace = Math.max(gatherMs, Math.min(sinceWrite() * TIMES_A_WRITE, LONGEST_GATHER_MS));
    } catch (error) {
      failures += 1;
      onFailure(error);
      // Another process has the thread: this one can no longer store events of the run.
      if (isLeaseLost(error)) closed = true;
    }
    if (hasRoom()) makeRoom();
  };
  const makeRoom = (): void => {
    roomIsMade.resolve();
    roomIsMade = Promise.withResolvers();
  };

  return {
    push(event) {
      if (closed) return;
      if (waiting.length === 0 && sinceWrite() >= pace) isFirst = true;
      waiting.push(event);
      schedule();
    },
    async room() {
      while (!hasRoom()) await roomIsMade.promise;
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      makeRoom();
      await underWay;
      return waiting;
    },
  };
}

function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}
