import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { createBatches } from "../../../storage/conversations/batches.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";

interface Call {
  readonly items: readonly string[];
  readonly done: PromiseWithResolvers<readonly string[]>;
}

/** Batches whose calls of `store` wait to be answered. */
function openBatches() {
  const calls: Call[] = [];
  const came: (() => void)[] = [];
  const batches = createBatches({
    mostUnderWay: 1,
    mostItems: 10,
    store: (items: readonly string[]) => {
      const done = Promise.withResolvers<readonly string[]>();
      calls.push({ items, done });
      came.shift()?.();
      return done.promise;
    },
  });
  return {
    add: batches.add,
    /** Calls of `store` so far. */
    asked: () => calls.map(({ items }) => items),
    /** The next call that comes. */
    next: async () => {
      const seen = calls.length;
      await new Promise<void>((resolve) => came.push(resolve));
      return calls[seen];
    },
  };
}

const answer = (items: readonly string[]) => items.map((item) => `${item}!`);

test("a batch that fails for want of a database fails for all, once", async () => {
  const { add, next, asked } = openBatches();
  const added = Promise.allSettled([add("a"), add("b")]);
  const gone = new DatabaseUnavailableError("Cannot reach the database: it is gone");
  (await next())?.done.reject(gone);
  expect(await added).toEqual([
    { status: "rejected", reason: gone },
    { status: "rejected", reason: gone },
  ]);
  const after = add("c");
  (await next())?.done.resolve(["c!"]);
  expect(await after).toBe("c!");
  expect(asked()).toEqual([["a", "b"], ["c"]]);
});

property.prop([
  fc.array(fc.record({ bad: fc.boolean(), turns: fc.nat(3) }), { maxLength: 30 }),
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 1, max: 4 }),
])(
  "whenever they come, every item is stored once and has its own outcome",
  async (items, mostUnderWay, mostItems) => {
    const stored: string[] = [];
    let underWay = 0;
    const batches = createBatches({
      mostUnderWay,
      mostItems,
      store: async (batch: readonly string[]) => {
        underWay += 1;
        expect(underWay).toBeLessThanOrEqual(mostUnderWay);
        expect(batch.length).toBeLessThanOrEqual(mostItems);
        await new Promise(setImmediate);
        underWay -= 1;
        const bad = batch.find((item) => item.startsWith("bad"));
        if (bad !== undefined) throw new Error(bad);
        stored.push(...batch);
        return answer(batch);
      },
    });
    const named = items.map(({ bad, turns }, index) => ({
      name: `${bad ? "bad" : "good"} ${index}`,
      turns,
    }));
    const outcomes = await Promise.allSettled(
      named.map(async ({ name, turns }) => {
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
        return batches.add(name);
      }),
    );
    expect(outcomes).toEqual(
      named.map(({ name }) =>
        name.startsWith("bad")
          ? { status: "rejected", reason: new Error(name) }
          : { status: "fulfilled", value: `${name}!` },
      ),
    );
    const good = named.flatMap(({ name }) => (name.startsWith("good") ? [name] : []));
    expect(stored.toSorted()).toEqual(good.toSorted());
  },
);
