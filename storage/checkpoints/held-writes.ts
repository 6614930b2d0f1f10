import type { LeaseClaim } from "../../state/store.ts";
import type { TaskWrites } from "./checkpoint-rows.ts";

/** The checkpoint that tasks belong to, and what is written under. */
export interface WritePlace {
  readonly threadId: string;
  readonly checkpointNs: string;
  readonly checkpointId: string;
  readonly lease: LeaseClaim | null;
}

/** Keeps writes back for a moment. */
export interface HeldWrites {
  /**
   * Holds what a task wrote until it is stored or superseded.
   *
   * Contract: resolves only when it, or a checkpoint that supersedes it, is durable; rejects when neither is.
   */
  hold(place: WritePlace, written: TaskWrites): Promise<void>;
  /** Runs `put`, which stores a checkpoint after this one. Done, the writes held here are dropped; failed, they are stored. */
  supersede(place: WritePlace, put: () => Promise<void>): Promise<void>;
  /** Stores what is held of a thread, of all without one, at once; resolves when it is, or has failed. */
  flush(threadId: string | undefined): Promise<void>;
}

interface Group {
  readonly place: WritePlace;
  readonly written: TaskWrites[];
  readonly done: PromiseWithResolvers<void>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Makes a holder whose writes wait `delayMs` at most, then go to `store`: those of one checkpoint
 * together, each task's in the order they came.
 */
export function createHeldWrites(options: {
  readonly delayMs: number;
  readonly store: (place: WritePlace, written: readonly TaskWrites[]) => Promise<void>;
}): HeldWrites {
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

  /** From here on nothing joins the group. */
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
        // The step has to be taken again; what is finished of it shall not.
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
