import { DatabaseUnavailableError } from "../postgres/database-error.ts";

/** Collects concurrent items into batches. */
export interface Batches<Item, Outcome> {
  /** Resolves with the outcome of this item; rejects with its own error. */
  readonly add: (item: Item) => Promise<Outcome>;
}

interface BatchOptions<Item, Outcome> {
  readonly mostUnderWay: number;
  readonly mostItems: number;
  readonly store: (items: readonly Item[]) => Promise<readonly Outcome[]>;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<Outcome>;
}

/**
 * Batches items that are added in one turn of the event loop, or while `mostUnderWay` batches are being
 * stored. Nothing waits for a timer: an item that comes alone is stored alone.
 *
 * `store` must store a batch completely or not at all, and return the outcome of each item in order.
 *
 * Contract: an item's error does not affect others. A failed batch is repeated item by item, unless
 * the database is unavailable.
 */
export function createBatches<Item, Outcome>(
  options: BatchOptions<Item, Outcome>,
): Batches<Item, Outcome> {
  const waiting: Waiting<Item, Outcome>[] = [];
  let underWay = 0;
  let scheduled = false;

  /** Schedules a batch after the promises settled by now: their awaiters may add more items. */
  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay >= options.mostUnderWay) return;
    scheduled = true;
    process.nextTick(() => {
      scheduled = false;
      void storeBatch(waiting.splice(0, options.mostItems));
      schedule();
    });
  }

  async function storeBatch(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    underWay += 1;
    try {
      await storeTogether(batch);
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailableError) {
        for (const { done } of batch) done.reject(error);
      } else {
        for (const each of batch) {
          await storeTogether([each]).catch((reason: unknown) => each.done.reject(reason));
        }
      }
    }
    underWay -= 1;
    schedule();
  }

  async function storeTogether(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const outcomes = await options.store(batch.map(({ item }) => item));
    for (const [index, outcome] of outcomes.entries()) batch[index]?.done.resolve(outcome);
  }

  return {
    add(item) {
      const done = Promise.withResolvers<Outcome>();
      waiting.push({ item, done });
      schedule();
      return done.promise;
    },
  };
}
