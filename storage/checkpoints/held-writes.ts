import type { LeaseClaim } from "../../state/store.ts";
import type { TaskWrites } from "./checkpoint-rows.ts";

/** The checkpoint that tasks belong to, and the lease under which they write. */
export interface WritePlace {
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
  readonly lease: LeaseClaim | null;
}

/** Holds writes back for a moment: a checkpoint that follows makes them unnecessary. */
export interface HeldWrites {
  /**
   * Holds the writes of a task until they are stored or superseded.
   *
   * Contract: resolves only when they, or a checkpoint that supersedes them, are durable; rejects
   * when neither is.
   */
  hold(place: WritePlace, written: TaskWrites): Promise<void>;
  /** Runs `put`, which stores the next checkpoint: the held writes are dropped if it succeeds, and stored if it fails. */
  supersede(place: WritePlace, put: () => Promise<void>): Promise<void>;
  /** Stores the held writes of a thread (of all threads without one) at once; resolves when that has succeeded or failed. */
  flush(threadId: string | undefined): Promise<void>;
}

interface Group {
  readonly place: WritePlace;
  readonly written: TaskWrites[];
  readonly done: PromiseWithResolvers<void>;
  readonly timer: NodeJS.Timeout;
}

/** Settings of a holder of writes. */
export interface HeldWritesOptions {
  /** Longest time that writes wait, in milliseconds. */
  readonly delayMs: number;
  readonly store: (place: WritePlace, written: readonly TaskWrites[]) => Promise<void>;
}

/**
 * Creates a holder whose writes wait `delayMs` at most, then go to `store`: those of one checkpoint
 * together, those of each task in order.
 */
export function createHeldWrites(options: HeldWritesOptions): HeldWrites {
  const waiting = new Map<string, Group>();
  const unsettled = new Set<Group>();

  function open(place: WritePlace): Group {
    const group: Group = {
      place,
      written: [],
      done: Promise.withResolvers(),
      timer: setTimeout(() => void store(group), options.delayMs),
    };
    waiting.set(writePlaceKey(place), group);
    unsettled.add(group);
    return group;
  }

  /** Closes the group: later writes go to a new one. */
  function close(group: Group): void {
    clearTimeout(group.timer);
    if (waiting.get(writePlaceKey(group.place)) === group)
      waiting.delete(writePlaceKey(group.place));
  }

  async function store(group: Group): Promise<void> {
    close(group);
    try {
      await options.store(group.place, group.written);
      group.done.resolve();
    } catch (error) {
      group.done.reject(error);
    }
    unsettled.delete(group);
  }

  return {
    hold(place, written) {
      const group = waiting.get(writePlaceKey(place)) ?? open(place);
      group.written.push(written);
      return group.done.promise;
    },
    async supersede(place, put) {
      const group = waiting.get(writePlaceKey(place));
      if (group !== undefined) close(group);
      try {
        await put();
      } catch (error) {
        // The step is repeated; its finished tasks must not be.
        if (group !== undefined) void store(group);
        throw error;
      }
      if (group === undefined) return;
      group.done.resolve();
      unsettled.delete(group);
    },
    async flush(threadId) {
      const groups = [...unsettled].filter(
        ({ place }) => threadId === undefined || place.threadId === threadId,
      );
      for (const group of groups) {
        if (waiting.get(writePlaceKey(group.place)) === group) void store(group);
      }
      await Promise.allSettled(groups.map(({ done }) => done.promise));
    },
  };
}

function writePlaceKey({ threadId, checkpointNs, checkpointId, lease }: WritePlace): string {
  return JSON.stringify([threadId, checkpointNs, checkpointId, lease?.owner, lease?.fence]);
}
