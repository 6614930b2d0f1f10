import { DatabaseUnavailableError } from "../postgres/database-error.ts";

/** Does together what is asked for at once. */
export interface Batches<Item, Outcome> {
  /** Resolves with what came of this item; rejects with its own error. */
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
 * Makes batches of what is added in one turn of the event loop and of what comes while
 * `mostUnderWay` batches are. Nothing waits for a clock: an item that comes alone goes alone.
 *
 * `store` does a batch wholly or not at all, and returns what came of each item in their order.
 *
 * Contract: one item's error is no other's. A batch that failed is stored again item by item, but
 * where the database is not there.
 */
export function createBatches<Item, Outcome>(
  options: BatchOptions<Item, Outcome>,
): Batches<Item, Outcome> {
  const waiting: Waiting<Item, Outcome>[] = [];
  let underWay = 0;
  let scheduled = false;

  /** After the promises that are settled by now: who awaited them may add more. */
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
