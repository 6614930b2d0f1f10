import { isLeaseLost } from "../driver/turn-errors.ts";
import type { RunEvent } from "../state/run.ts";

/**
 * Brings a run's events to storage: the first after a silence with those that come right after it,
 * then those of every so many milliseconds.
 */
export interface EventWriter {
  push(event: RunEvent): void;
  /** Resolves when fewer events wait than are too many. */
  room(): Promise<void>;
  /** Ends it; resolves, once nothing is on its way, with the events that are not known to be stored. */
  close(): Promise<readonly RunEvent[]>;
}

export interface EventWriterOptions {
  /** Stores events; calling it again with the same ones does no harm. */
  readonly write: (events: readonly RunEvent[]) => Promise<void>;
  /** Gets why events could not be stored; they are tried again. */
  readonly onFailure: (error: unknown) => void;
  /** Longest time to gather events while storage is quick, in milliseconds. Default 50. */
  readonly gatherMs?: number;
  /** Number of waiting events from which on `room` waits. Default 1,000. */
  readonly most?: number;
}

/** Events that go in one statement. */
const BATCH = 200;
/** A turn begins with several events in a row: they are seen early, and together. */
const FIRST_GATHER_MS = 10;
/** Writes are to be a small part of the time, however slow they are: many runs at once come in larger pieces. */
const TIMES_A_WRITE = 10;
const LONGEST_GATHER_MS = 250;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** Makes a writer that has one call of `write` on its way at a time, in order. */
export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { write, onFailure, gatherMs = 50, most = 1_000 } = options;
  const waiting: RunEvent[] = [];
  let underWay: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  /** Nothing has been written since the last silence. */
  let isFirst = true;
  /** Time to gather events in the middle of a turn. */
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
      // The thread is another's: nothing of this run will ever be stored from here.
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
