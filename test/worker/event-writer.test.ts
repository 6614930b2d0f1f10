import { describe, expect, test, vi } from "vitest";
import type { RunEvent } from "../../state/run.ts";
import { LeaseLostError } from "../../storage/conversations/leases.ts";
import { createEventWriter } from "../../worker/event-writer.ts";
import { runEvent } from "../support/stored-run.ts";

const event = (seq: number): RunEvent => runEvent({ seq }, seq);

/** A storage whose answers a test gives. */
function slowStorage() {
  const calls: { readonly seqs: number[]; readonly answer: PromiseWithResolvers<void> }[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  return {
    calls,
    write(events: readonly RunEvent[]): Promise<void> {
      const answer = Promise.withResolvers<void>();
      calls.push({ seqs: events.map(({ seq }) => seq), answer });
      waiting.splice(0).forEach(({ resolve }) => resolve());
      return answer.promise;
    },
    /** Waits until so many calls have come. */
    async called(count: number): Promise<void> {
      while (calls.length < count) {
        const called = Promise.withResolvers<void>();
        waiting.push(called);
        await called.promise;
      }
    },
    seqs: () => calls.map(({ seqs }) => seqs),
  };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

const failures: unknown[] = [];

function writer(storage: ReturnType<typeof slowStorage>, most = 1_000) {
  failures.length = 0;
  const onFailure = (error: unknown): void => void failures.push(error);
  return createEventWriter({
    write: (events) => storage.write(events),
    onFailure,
    gatherMs: 0,
    most,
  });
}

describe("createEventWriter()", () => {
  test("gathering nothing, stores the first event at once and what comes meanwhile together, in order", async () => {
    const storage = slowStorage();
    const events = writer(storage);
    events.push(event(1));
    expect(storage.seqs()).toEqual([[1]]);

    [2, 3, 4].forEach((seq) => events.push(event(seq)));
    expect(storage.seqs()).toEqual([[1]]);
    storage.calls[0]?.answer.resolve();
    await storage.called(2);

    expect(storage.seqs()).toEqual([[1], [2, 3, 4]]);
    storage.calls[1]?.answer.resolve();
    expect(await events.close()).toEqual([]);
  });

  test("gathers the longer the longer it goes on, and starts anew after a silence", async () => {
    vi.useFakeTimers();
    try {
      const written: [number, number[]][] = [];
      const events = createEventWriter({
        write: async (batch) =>
          void written.push([Date.now() - began, batch.map(({ seq }) => seq)]),
        onFailure: (error) => void failures.push(error),
      });
      const began = Date.now();
      for (let seq = 1; seq <= 150; seq += 1) {
        if (seq < 31 || seq > 130) events.push(event(seq));
        await vi.advanceTimersByTimeAsync(5);
      }

      const times = written.map(([at]) => at);
      expect(times).toEqual([10, 60, 110, 160, 660, 710]);
      expect(written.flatMap(([, seqs]) => seqs)).toEqual(
        [...range(1, 30), ...range(131, 150)].filter((seq) => seq <= 142),
      );
      expect((await events.close()).map(({ seq }) => seq)).toEqual(range(143, 150));
    } finally {
      vi.useRealTimers();
    }
  });

  test("tries events that were not stored again, with those that came since", async () => {
    const storage = slowStorage();
    const events = writer(storage);
    [1, 2].forEach((seq) => events.push(event(seq)));
    storage.calls[0]?.answer.reject(new Error("away"));
    await storage.called(2);

    expect(storage.seqs()).toEqual([[1], [1, 2]]);
    expect(failures).toEqual([new Error("away")]);
    storage.calls[1]?.answer.resolve();
    expect(await events.close()).toEqual([]);
  });

  test("gives back what is not known to be stored when it is closed", async () => {
    const storage = slowStorage();
    const events = writer(storage);
    [1, 2].forEach((seq) => events.push(event(seq)));
    const closed = events.close();
    events.push(event(3));
    storage.calls[0]?.answer.reject(new Error("away"));

    expect((await closed).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(storage.calls).toHaveLength(1);
  });

  test("makes room only when the slow storage has answered", async () => {
    const storage = slowStorage();
    const events = writer(storage, 2);
    await events.room();
    [1, 2, 3].forEach((seq) => events.push(event(seq)));
    const order: string[] = [];
    const room = events.room().then(() => order.push("room"));
    storage.calls[0]?.answer.resolve();
    await storage.called(2);
    order.push("second call");
    storage.calls[1]?.answer.resolve();
    await room;

    expect(order).toEqual(["second call", "room"]);
  });

  test("leaves nobody waiting for room when it is closed", async () => {
    const storage = slowStorage();
    const events = writer(storage, 1);
    events.push(event(1));
    const room = events.room();
    const closed = events.close();
    await room;
    storage.calls[0]?.answer.resolve();
    expect(await closed).toEqual([]);
  });

  test("takes nothing more once the lease is another's", async () => {
    const storage = slowStorage();
    const events = writer(storage, 1);
    events.push(event(1));
    const room = events.room();
    storage.calls[0]?.answer.reject(new LeaseLostError("t"));
    await room;
    events.push(event(2));

    expect((await events.close()).map(({ seq }) => seq)).toEqual([1]);
    expect(storage.calls).toHaveLength(1);
  });
});
