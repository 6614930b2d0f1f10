import { once } from "node:events";
import { expect, test, vi } from "vitest";
import type { Queryable } from "../../../state/store.ts";
import {
  acquireLease,
  holdLease,
  LeaseLostError,
  releaseLease,
  renewLease,
  whileLeased,
  type HeldLease,
  type Lease,
} from "../../../storage/conversations/leases.ts";
import { withTransaction } from "../../../storage/postgres/transaction.ts";
import { testDatabase } from "../../support/database.ts";
import { expireLease } from "../../support/test-leases.ts";

const database = await testDatabase();
const { pool, heartbeats, owner } = database;

const MINUTE = 60_000;

function request(threadId: string, who: string) {
  return { threadId, owner: who, ttlMs: MINUTE };
}

const expire = (threadId: string, seconds?: number) => expireLease(database, threadId, seconds);

function untilAborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, "abort");
}

test("one of several at once gets the lease", async () => {
  const owners = ["a", "b", "c", "d", "e", "f"];
  const taken = await Promise.all(
    owners.map((who) => acquireLease(pool, request("contested", who))),
  );
  expect(taken.filter((lease) => lease !== null)).toEqual([{ fence: 1 }]);
});

test("a held lease cannot be taken, nor by its own owner a second time", async () => {
  expect(await acquireLease(pool, request("held", "a"))).toEqual({ fence: 1 });
  expect(await acquireLease(pool, request("held", "b"))).toBeNull();
  expect(await acquireLease(pool, request("held", "a"))).toBeNull();
  expect(await acquireLease(pool, request("another", "b"))).toEqual({ fence: 1 });
});

test("acquireLease() takes a lease over once it ran out, not before, with a greater fencing token; the old one is worth nothing", async () => {
  const old = { ...request("over", "a"), fence: 1 };
  await acquireLease(pool, old);
  await expire("over", 2);
  expect(await acquireLease(pool, request("over", "b"))).toBeNull();
  await expire("over");
  expect(await acquireLease(pool, request("over", "b"))).toEqual({ fence: 2 });
  expect(await renewLease(pool, old)).toBe(false);
  await releaseLease(pool, old);
  expect(await acquireLease(pool, request("over", "c"))).toBeNull();
});

test("the fence rises over a release too", async () => {
  const fences: unknown[] = [];
  for (const who of ["a", "b", "a"]) {
    const lease = await acquireLease(pool, request("rising", who));
    fences.push(lease?.fence);
    await releaseLease(pool, { ...request("rising", who), fence: lease?.fence ?? 0 });
  }
  expect(fences).toEqual([1, 2, 3]);
});

test("renewLease() keeps a lease from running out", async () => {
  const lease = { ...request("renewed", "a"), fence: 1 };
  await acquireLease(pool, lease);
  await expire("renewed");
  expect(await renewLease(pool, lease)).toBe(true);
  expect(await acquireLease(pool, request("renewed", "b"))).toBeNull();
});

test("holdLease() runs the work alone, and gives the lease back whatever comes", async () => {
  const hold = { ...request("alone", "a"), waitMs: 0, signal: null };
  const outcome = await holdLease(pool, hold, async ({ lease }) => {
    const second = await holdLease(pool, { ...hold, owner: "b" }, async () => "never");
    return { lease, second };
  });
  expect(outcome).toEqual({
    held: true,
    result: { lease: { owner: "a", fence: 1 }, second: { held: false } },
  });
  const failing = holdLease(pool, hold, async () => {
    throw new Error("the work failed");
  });
  await expect(failing).rejects.toThrow("the work failed");
  expect(await acquireLease(pool, request("alone", "c"))).toEqual({ fence: 3 });
});

test("holdLease() lets many owners through one after the other", async () => {
  let inside = 0;
  let most = 0;
  const owners = ["a", "b", "c", "d"];
  const outcomes = await Promise.all(
    owners.map((who) =>
      holdLease(pool, { ...request("queue", who), waitMs: MINUTE, signal: null }, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await pool.query("select 1");
        inside -= 1;
        return who;
      }),
    ),
  );
  expect(outcomes).toEqual(owners.map((result) => ({ held: true, result })));
  expect(most).toBe(1);
});

test("holdLease() stops waiting when the caller does", async () => {
  await acquireLease(pool, request("given up", "a"));
  const stop = new AbortController();
  const waiting = holdLease(
    pool,
    { ...request("given up", "b"), waitMs: MINUTE, signal: stop.signal },
    async () => "never",
  );
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
});

test("the work's signal aborts with the caller's", async () => {
  const stop = new AbortController();
  const outcome = await holdLease(
    pool,
    { ...request("stopped", "a"), waitMs: 0, signal: stop.signal },
    async ({ signal }) => {
      stop.abort("by the user");
      return signal.reason as unknown;
    },
  );
  expect(outcome).toEqual({ held: true, result: "by the user" });
});

test("the work's signal aborts when another owner has taken the lease over", async () => {
  const hold = { ...request("lost", "a"), ttlMs: 200, waitMs: 0, signal: null };
  const outcome = await holdLease(pool, hold, async ({ signal }: HeldLease) => {
    await owner.query("update leases set owner = 'b', fence = fence + 1 where thread_id = 'lost'");
    await untilAborted(signal);
    return signal.reason as unknown;
  });
  expect(outcome).toEqual({ held: true, result: expect.any(LeaseLostError) });
  const { rows } = await owner.query("select owner, fence from leases where thread_id = 'lost'");
  expect(rows).toEqual([{ owner: "b", fence: 2 }]);
});

test("whileLeased() lets through who holds the lease", async () => {
  const lease = { owner: "a", fence: 1 };
  await acquireLease(pool, request("claimed", "a"));
  const claimed = { threadId: "claimed", ...lease };

  await writing(claimed);
  for (const other of [{ owner: "b" }, { fence: 2 }]) {
    await expect(writing({ ...claimed, ...other })).rejects.toThrow(LeaseLostError);
  }
  await expire("claimed");
  // Nobody has taken it: what it writes is in nobody's way.
  await writing(claimed);
  await releaseLease(pool, claimed);
  await expect(writing(claimed)).rejects.toThrow(
    'Cannot continue thread "claimed": this process no longer holds its lease; the process that takes the thread next finishes the turn',
  );
});

test("a take-over waits for what was let through before it, a heartbeat does not", async () => {
  const lease = { threadId: "ordered", owner: "a", fence: 1 };
  await acquireLease(pool, request("ordered", "a"));
  await expire("ordered");
  const steps: string[] = [];
  let takeOver: Promise<unknown> = Promise.resolve();
  await writing(lease, async () => {
    const taking = await waitingStatement(() => {
      takeOver = acquireLease(pool, request("ordered", "b")).then((taken) => {
        steps.push("taken over");
        return taken;
      });
    });
    expect(taking).toMatch(/^with free as/);
    steps.push("written");
  });
  expect(await takeOver).toEqual({ fence: 2 });
  expect(steps).toEqual(["written", "taken over"]);

  const holder = { threadId: "beating", owner: "a", fence: 1 };
  await acquireLease(pool, request("beating", "a"));
  await writing(holder, async () => {
    expect(await renewLease(pool, { ...holder, ttlMs: MINUTE })).toBe(true);
  });
});

test("a write that begins after a take-over is refused", async () => {
  await acquireLease(pool, request("too late", "a"));
  await expire("too late");
  let asserted: Promise<unknown> = Promise.resolve();
  await withTransaction(pool, async (tx) => {
    await acquireLease(tx, request("too late", "b"));
    const waiting = await waitingStatement(() => {
      asserted = writing({ threadId: "too late", owner: "a", fence: 1 }).catch(
        (error: unknown) => error,
      );
    });
    expect(waiting).toMatch(/^select concierge_hold_lease/);
  });
  expect(await asserted).toBeInstanceOf(LeaseLostError);
});

/** Works in a transaction that writes under the lease. */
async function writing(lease: Lease, work = async (): Promise<void> => undefined): Promise<void> {
  return withTransaction(
    pool,
    async (tx) => {
      await tx.query("select 1");
      return work();
    },
    { condition: whileLeased(lease) },
  );
}

/** Starts something and waits until a statement of it waits for a lock: its text. */
async function waitingStatement(start: () => void): Promise<string> {
  start();
  for (;;) {
    const { rows } = await owner.query<{ query: string }>(
      // A backend's text and state are read before its wait: without its state, it could be the
      // statement before the one that waits.
      `select query from pg_stat_activity
        where datname = current_database() and state = 'active'
          and wait_event_type = 'Lock' and query like '%lease%'`,
    );
    if (rows[0] !== undefined) return rows[0].query;
  }
}

test("a lease is kept while all of the pool's connections are taken, and lost without a connection of its own", async () => {
  const hold = { ttlMs: 3_000, waitMs: 0, signal: null };
  const outcomes = await Promise.all([
    holdLease(pool, { ...hold, threadId: "fed", owner: "a", heartbeats }, outlasting),
    holdLease(pool, { ...hold, threadId: "starved", owner: "a" }, outlasting),
    takeAllConnections(),
  ]);
  expect(outcomes.slice(0, 2)).toEqual([
    { held: true, result: "kept" },
    { held: true, result: expect.any(LeaseLostError) },
  ]);
  const { rows } = await owner.query(
    "select thread_id, fence from leases where thread_id in ('fed', 'starved') order by 1",
  );
  expect(rows).toEqual([
    { thread_id: "fed", fence: 1 },
    { thread_id: "starved", fence: 1 },
  ]);
});

/** Ends when the lease is lost, or with the pool's famine: "kept". */
async function outlasting({ signal }: HeldLease): Promise<unknown> {
  famine.begin.resolve();
  await Promise.race([famine.end.promise, untilAborted(signal)]);
  return signal.aborted ? (signal.reason as unknown) : "kept";
}

const famine = { begin: Promise.withResolvers<void>(), end: Promise.withResolvers<void>() };

/** Takes every connection, and gives them back once a lease of three seconds would have run out. */
async function takeAllConnections(): Promise<void> {
  await famine.begin.promise;
  const taken = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  await taken[0]?.query("select pg_sleep(4.5)");
  famine.end.resolve();
  for (const client of taken) client.release();
}

const RENEWAL = "update leases set expires_at";

/** The pool, with each query going through `intercept`. */
function interceptQueries(
  intercept: (
    text: string,
    send: () => ReturnType<Queryable["query"]>,
  ) => ReturnType<Queryable["query"]>,
): Queryable {
  return { query: (text, values) => intercept(text, () => pool.query(text, values)) };
}

test("a lease that is renewed outlasts its life", async () => {
  // A busy machine may keep this process from its next heartbeat for a second.
  const hold = { ...request("long", "a"), ttlMs: 3_000, waitMs: 0, signal: null };
  let renewals = 0;
  const enough = Promise.withResolvers<void>();
  const counting = interceptQueries(async (text, send) => {
    const answer = await send();
    if (text.startsWith(RENEWAL) && ++renewals === 4) enough.resolve();
    return answer;
  });
  const outcome = await holdLease(counting, hold, async ({ signal }) => {
    await Promise.race([enough.promise, untilAborted(signal)]);
    return signal.aborted;
  });
  expect(outcome).toEqual({ held: true, result: false });
});

test("holdLease() keeps a lease through a heartbeat that fails", async () => {
  const kept = Promise.withResolvers<void>();
  let heartbeatsSent = 0;
  const flaky = interceptQueries(async (text, send) => {
    if (!text.startsWith(RENEWAL)) return send();
    heartbeatsSent += 1;
    if (heartbeatsSent === 1) throw new Error("Connection terminated unexpectedly");
    const answer = await send();
    kept.resolve();
    return answer;
  });
  const hold = { ...request("stumbled", "a"), ttlMs: 4_500, waitMs: 0, signal: null };
  const outcome = await holdLease(flaky, hold, async ({ signal }) => {
    await Promise.race([kept.promise, untilAborted(signal)]);
    return signal.aborted;
  });
  expect(outcome).toEqual({ held: true, result: false });
});

test("holdLease() counts a lease's life from the beginning of its renewal", async () => {
  vi.useFakeTimers();
  try {
    let renewals = 0;
    // A renewal takes 90 ms; later ones, until the work is over.
    const slow: Queryable = {
      async query(text) {
        const isRenewal = text.startsWith(RENEWAL);
        if (isRenewal) await delay((renewals += 1) === 1 ? 90 : 1_000);
        return { rows: [{ fence: 1 }], rowCount: 1 };
      },
    };
    const hold = { ...request("slow", "a"), ttlMs: 300, waitMs: 0, signal: null };
    let isLost: boolean | null = null;
    const holding = holdLease(slow, hold, async ({ signal }) => {
      await delay(410);
      isLost = signal.aborted;
    });
    await vi.advanceTimersByTimeAsync(3_000);
    await holding;
    // Begun at 100 ms, answered at 190: it lasts until 400.
    expect(isLost).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

/** By the timers of the test, which those of `node:timers/promises` are not. */
function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test("the work's signal aborts when the database stays away for the lease's whole life", async () => {
  let away = false;
  const flaky = interceptQueries(async (_text, send) => {
    if (away) throw new Error("Connection terminated unexpectedly");
    return send();
  });
  const hold = { ...request("away", "a"), ttlMs: 150, waitMs: 0, signal: null };
  const outcome = await holdLease(flaky, hold, async ({ signal }) => {
    away = true;
    await untilAborted(signal);
    return signal.reason as unknown;
  });
  expect(outcome).toEqual({ held: true, result: expect.any(LeaseLostError) });
});

test("a lease that could not be given back is given back once the database is there again", async () => {
  let failures = 2;
  const flaky = interceptQueries(async (text, send) => {
    if (text.startsWith("update leases set owner = null") && failures-- > 0) {
      throw new Error("Connection terminated unexpectedly");
    }
    return send();
  });
  const hold = { ...request("handed-back", "a"), waitMs: 0, signal: null };
  expect(await holdLease(flaky, hold, async () => "done")).toEqual({ held: true, result: "done" });

  const next = { ...request("handed-back", "b"), waitMs: 10_000, signal: null };
  expect(await holdLease(pool, next, async () => "done")).toEqual({ held: true, result: "done" });
  expect(failures).toBe(-1);
});
