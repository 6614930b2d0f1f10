import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { createBatches } from "../../../storage/conversations/batches.ts";
import { DatabaseUnavailableError } from "../../../storage/postgres/database-error.ts";

interface Call {
  readonly items: readonly string[];
  readonly done: PromiseWithResolvers<readonly string[]>;
}

/** Batches whose calls of `store` wait to be answered. */
function openBatches({ mostUnderWay = 1, mostItems = 10 } = {}) {
  const calls: Call[] = [];
  const came: (() => void)[] = [];
  const batches = createBatches({
    mostUnderWay,
    mostItems,
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

describe("what is added", () => {
  test("alone goes alone, within the turn of the event loop", async () => {
    const { add, next } = openBatches();
    const added = add("a");
    const call = await next();
    expect(call?.items).toEqual(["a"]);
    call?.done.resolve(["a!"]);
    expect(await added).toBe("a!");
  });

  test("at once goes together, each with its own outcome", async () => {
    const { add, next } = openBatches();
    const added = [add("a"), Promise.resolve().then(() => add("b")), add("c")];
    const call = await next();
    expect(call?.items).toEqual(["a", "c", "b"]);
    call?.done.resolve(["a!", "c!", "b!"]);
    expect(await Promise.all(added)).toEqual(["a!", "b!", "c!"]);
  });

  test("while as many are under way as may be waits for the first of them", async () => {
    const { add, next, asked } = openBatches({ mostUnderWay: 2 });
    void add("a");
    const first = await next();
    void add("b");
    const second = await next();
    void add("c");
    await new Promise(setImmediate);
    void add("d");
    await new Promise(setImmediate);
    expect(asked()).toEqual([["a"], ["b"]]);
    second?.done.resolve(["b!"]);
    expect((await next())?.items).toEqual(["c", "d"]);
    first?.done.resolve(["a!"]);
  });

  test("beyond the most of a batch goes in the next", async () => {
    const { add, next } = openBatches({ mostItems: 2 });
    for (const item of ["a", "b", "c"]) void add(item);
    const first = await next();
    expect(first?.items).toEqual(["a", "b"]);
    first?.done.resolve(["a!", "b!"]);
    expect((await next())?.items).toEqual(["c"]);
  });
});

describe("a batch that fails", () => {
  test("is stored again one by one, and each has its own outcome", async () => {
    const asked: (readonly string[])[] = [];
    const batches = createBatches({
      mostUnderWay: 1,
      mostItems: 10,
      store: async (items: readonly string[]) => {
        asked.push(items);
        if (items.includes("bad")) throw new Error(`no: ${items.join(" ")}`);
        return answer(items);
      },
    });
    const added = await Promise.allSettled(["a", "bad", "c"].map(batches.add));
    expect(asked).toEqual([["a", "bad", "c"], ["a"], ["bad"], ["c"]]);
    expect(added).toEqual([
      { status: "fulfilled", value: "a!" },
      { status: "rejected", reason: new Error("no: bad") },
      { status: "fulfilled", value: "c!" },
    ]);
    expect(await batches.add("d")).toBe("d!");
  });

  test("for want of a database fails for all, once", async () => {
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
