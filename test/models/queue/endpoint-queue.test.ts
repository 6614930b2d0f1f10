import { getEventListeners } from "node:events";
import { fc, test } from "@fast-check/vitest";
import { afterEach, beforeEach, describe, expect, vi } from "vitest";
import {
  EndpointQueue,
  type QueueLimits,
  type Retry,
  type Wait,
} from "../../../models/queue/endpoint-queue.ts";
import {
  CallTimeoutError,
  QueueBusyError,
  RateLimitedError,
} from "../../../models/queue/queue-errors.ts";
import { ModelRoleSchema, type ModelRole } from "../../../state/model.ts";

const LIMITS: QueueLimits = {
  endpointCalls: 8,
  mostCalls: 32,
  retriesPerCall: 2,
  queueSeconds: 60,
  modelSeconds: 120,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An endpoint's refusal, which says itself how it is classified. */
class Refusal extends Error {
  readonly retry: Retry;

  constructor(retry: Retry) {
    super(retry.kind);
    this.retry = retry;
  }
}

const NO = new Refusal({ kind: "no" });
const AGAIN = new Refusal({ kind: "retry" });

function rateLimit(seconds: number | null): Refusal {
  return new Refusal({ kind: "rate-limit", seconds });
}

function classify(error: unknown): Retry {
  return error instanceof Refusal ? error.retry : { kind: "no" };
}

/** Seconds since the test began, of the clock that it moves. */
function seconds(): number {
  return performance.now() / 1_000;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function thrown(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}

interface TestCall {
  readonly role?: ModelRole;
  readonly signal?: AbortSignal;
  readonly onWait?: (wait: Wait | null) => void;
  readonly attempt: (signal: AbortSignal) => Promise<unknown>;
}

interface TrackedCall {
  /** "pending", or the answer or error. */
  outcome: unknown;
  /** Seconds at which it was settled, and at which its attempts began. */
  settledAt: number | null;
  readonly attempts: number[];
}

/** A queue whose calls are tracked; jitter is 0 unless `random` says otherwise. */
function testQueue(limits: Partial<QueueLimits> = {}, random = (): number => 0) {
  const queue = new EndpointQueue({ limits: { ...LIMITS, ...limits }, random });
  const began = seconds();
  const elapsed = (): number => Math.round((seconds() - began) * 1_000) / 1_000;
  function run({ role = "expert", signal, onWait, attempt }: TestCall): TrackedCall {
    const call: TrackedCall = { outcome: "pending", settledAt: null, attempts: [] };
    const settle = (outcome: unknown): void => {
      call.outcome = outcome;
      call.settledAt = elapsed();
    };
    const counted = (signal: AbortSignal): Promise<unknown> => {
      call.attempts.push(elapsed());
      return attempt(signal);
    };
    const parts = { role, signal: signal ?? null, onWait: onWait ?? null };
    queue.run({ ...parts, attempt: counted, classify }).then(settle, settle);
    return call;
  }
  return { queue, run };
}

/** Fails with each of the errors, then answers "done" after a moment. */
function failing(...errors: readonly unknown[]): (signal: AbortSignal) => Promise<unknown> {
  const left = [...errors];
  return async (signal) => {
    await sleep(100, signal);
    if (left.length > 0) throw left.shift();
    return "done";
  };
}

async function pass(secondsPassed: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(secondsPassed * 1_000);
}

describe("EndpointQueue.run()", () => {
  test("makes as many calls at once as the endpoint bears, the others by role, then by age", async () => {
    const { queue, run } = testQueue({ endpointCalls: 1 });
    const order: string[] = [];
    const start = (role: ModelRole, name: string): void => {
      run({ role, attempt: (signal) => (order.push(name), sleep(1_000, signal)) });
    };

    start("expert", "running");
    for (const name of ["1", "2"]) {
      for (const role of ModelRoleSchema.options) start(role, `${role} ${name}`);
    }
    const waiting = queue.waiting;
    await pass(30);

    expect([waiting, order]).toEqual([
      16,
      [
        "running",
        "reply 1",
        "concierge 1",
        "reply 2",
        "concierge 2",
        ...["understand", "think", "act", "mapper", "expert", "summarize"].flatMap((role) => [
          `${role} 1`,
          `${role} 2`,
        ]),
      ],
    ]);
  });

  test("gives a call up that has waited queueSeconds for a slot, and estimates the time", async () => {
    const { queue, run } = testQueue({ endpointCalls: 1, queueSeconds: 5 });
    run({ attempt: (signal) => sleep(4_000, signal) });
    run({ attempt: hang });
    const late = run({ attempt: failing() });
    await pass(5);

    expect([late.outcome, late.settledAt, late.attempts]).toEqual([
      expect.any(QueueBusyError),
      5,
      [],
    ]);
    expect(late.outcome).toMatchObject({ seconds: 4 });
    expect(queue.waiting).toBe(0);
  });

  test("gives no time where no call has ended yet", async () => {
    const { run } = testQueue({ endpointCalls: 1, queueSeconds: 5 });
    run({ attempt: hang });
    const late = run({ attempt: failing() });
    await pass(5);

    expect(late.outcome).toMatchObject({ name: "QueueBusyError", seconds: null });
  });

  test("aborts an attempt at modelSeconds, its waiting counted", async () => {
    const { run } = testQueue({ endpointCalls: 1, modelSeconds: 10 });
    run({ attempt: (signal) => sleep(6_000, signal) });
    let reason: unknown = null;
    const call = run({
      attempt: (signal) => {
        signal.addEventListener("abort", () => void (reason = signal.reason));
        return hang(signal);
      },
    });
    await pass(10);

    expect([call.attempts, call.settledAt, call.outcome]).toEqual([
      [6],
      10,
      expect.any(CallTimeoutError),
    ]);
    expect(reason).toBe(call.outcome);
  });

  test("does not hold the caller of an attempt that never stops, whose slot is free ten seconds later", async () => {
    const { run } = testQueue({ endpointCalls: 1, modelSeconds: 10 });
    const deaf = run({ attempt: () => new Promise(() => {}) });
    await pass(5);
    const next = run({ attempt: failing() });
    const first = run({ role: "reply", attempt: failing() });
    await pass(10);
    const after = run({ attempt: failing() });
    await pass(20);

    expect([deaf.outcome, deaf.settledAt]).toEqual([expect.any(CallTimeoutError), 10]);
    expect([next.outcome, first.outcome]).toEqual([
      expect.any(CallTimeoutError),
      expect.any(CallTimeoutError),
    ]);
    expect([after.outcome, after.attempts]).toEqual(["done", [20]]);
  });

  test("keeps the slot of an aborted attempt until it ends", async () => {
    const { run } = testQueue({ endpointCalls: 1 });
    const controller = new AbortController();
    const slow = run({
      signal: controller.signal,
      attempt: () => new Promise((resolve) => setTimeout(resolve, 3_000)),
    });
    const next = run({ attempt: failing() });
    await pass(1);
    controller.abort("enough");
    await pass(5);

    expect([slow.outcome, slow.settledAt, next.attempts]).toEqual(["enough", 1, [3]]);
  });

  test("rejects at once with the caller's reason: before, while it waits, while it is made, between attempts", async () => {
    const { queue, run } = testQueue({ endpointCalls: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const between = run({ signal, attempt: failing(AGAIN) });
    await pass(0.2);
    const made = run({ signal, attempt: hang });
    const waiting = run({ signal, attempt: failing() });
    controller.abort("enough");
    const late = run({ signal, attempt: failing() });
    await pass(0);

    expect([between, made, waiting, late]).toEqual([
      { outcome: "enough", settledAt: 0.2, attempts: [0] },
      { outcome: "enough", settledAt: 0.2, attempts: [0.2] },
      { outcome: "enough", settledAt: 0.2, attempts: [] },
      { outcome: "enough", settledAt: 0.2, attempts: [] },
    ]);
    expect([queue.waiting, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test("repeats what may pass after 0.5 and 1 seconds, then throws the last error", async () => {
    const { run } = testQueue();
    const last = new Refusal({ kind: "retry" });
    const call = run({ attempt: failing(AGAIN, AGAIN, last) });
    await pass(10);

    expect([call.attempts, call.outcome]).toEqual([[0, 0.6, 1.7], last]);
    expect(call.outcome).toBe(last);
  });

  test("keeps no other call waiting while one waits for its retry", async () => {
    const { run } = testQueue({ endpointCalls: 1 });
    const retried = run({ attempt: failing(AGAIN) });
    const other = run({ attempt: failing() });
    await pass(10);

    expect([retried.attempts, other.attempts]).toEqual([[0, 0.6], [0.1]]);
  });

  test("throws the error, not a timeout, where a retry would come after the deadline", async () => {
    const { run } = testQueue({ modelSeconds: 0.5 });
    const call = run({ attempt: failing(AGAIN) });
    await pass(1);

    expect([call.settledAt, call.outcome]).toEqual([0.1, AGAIN]);
  });

  test("repeats nothing else", async () => {
    const { run } = testQueue();
    const call = run({ attempt: failing(NO) });
    await pass(10);

    expect([call.attempts, call.outcome]).toEqual([[0], NO]);
  });

  test("rejects with what attempt throws at once, and with what onWait and classify throw", async () => {
    const { queue, run } = testQueue({ endpointCalls: 1 });
    const attempting = run({ attempt: thrown("attempt") });
    const informed = run({ attempt: failing(), onWait: thrown("onWait") });
    const judged = queue
      .run({
        role: "act",
        signal: null,
        onWait: null,
        attempt: failing(AGAIN),
        classify: thrown("classify"),
      })
      .catch((error: unknown) => error);
    await pass(1);

    expect([attempting.outcome, informed.outcome, await judged]).toEqual([
      new Error("attempt"),
      new Error("onWait"),
      new Error("classify"),
    ]);
    expect([queue.waiting, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

describe("EndpointQueue.run(), at the end of a call", () => {
  test("leaves the queue: nothing is reported or attempted afterwards", async () => {
    const { run } = testQueue({ endpointCalls: 1 });
    run({ attempt: failing() });
    const waits: unknown[] = [];
    const controller = new AbortController();
    const { signal } = controller;
    const call = run({ signal, attempt: failing(), onWait: (wait) => void waits.push(wait) });
    controller.abort("enough");
    await pass(10);

    expect([call.outcome, call.attempts, waits]).toEqual([
      "enough",
      [],
      [{ reason: "queue", most: 60 }],
    ]);
  });

  test("makes no attempt where the caller aborts on learning that it is being made", async () => {
    const { run } = testQueue({ endpointCalls: 1 });
    run({ attempt: failing() });
    const controller = new AbortController();
    const onWait = (wait: Wait | null): void => {
      if (wait === null) controller.abort("enough");
    };
    const call = run({ signal: controller.signal, attempt: failing(), onWait });
    const next = run({ attempt: failing() });
    await pass(10);

    expect([call.outcome, call.attempts, next.attempts]).toEqual(["enough", [], [0.1]]);
  });

  test("takes its listener off the caller's signal", async () => {
    const { run } = testQueue();
    const { signal } = new AbortController();
    const calls = [run({ signal, attempt: failing(AGAIN) }), run({ signal, attempt: failing(NO) })];
    await pass(10);

    expect(calls.map(({ outcome }) => outcome)).toEqual(["done", NO]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("EndpointQueue.run() after a rate limit", () => {
  test("begins no call of anybody before the named time is over", async () => {
    const { run } = testQueue({ endpointCalls: 2 });
    const limited = run({ attempt: failing(rateLimit(90)) });
    const running = run({ attempt: failing() });
    const waiting = run({ attempt: failing() });
    await pass(50);
    const reply = run({ role: "reply", attempt: failing() });
    await pass(60);

    expect([limited, running, reply, waiting].map(({ attempts }) => attempts)).toEqual([
      // One slot is left: the reply goes first, then age decides.
      [0, 90.2],
      [0],
      [90.1],
      [90.3],
    ]);
    expect([limited, running, reply, waiting].map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 4 }, () => "done"),
    );
  });

  test("waits 1, 2 seconds where none is named, and longer for every call the longer it lasts", async () => {
    const { run } = testQueue({ endpointCalls: 1 });
    const first = run({ attempt: failing(rateLimit(null), rateLimit(null), rateLimit(null)) });
    const second = run({ attempt: failing(rateLimit(null)) });
    await pass(60);
    const afterSuccess = run({ attempt: failing(rateLimit(null)) });
    await pass(10);

    expect([first.attempts, second.attempts, afterSuccess.attempts]).toEqual([
      [0, 1.1, 3.2],
      [7.3, 15.4],
      [60, 61.1],
    ]);
    expect([first.outcome, second.outcome]).toEqual([
      expect.objectContaining({ retry: { kind: "rate-limit", seconds: null } }),
      "done",
    ]);
  });

  test("lengthens waits of its own choice by up to a quarter, never the endpoint's", async () => {
    const chosen = testQueue({}, () => 0.8);
    const paused = chosen.run({ attempt: failing(rateLimit(null)) });
    const named = testQueue({}, () => 0.8);
    const exact = named.run({ attempt: failing(rateLimit(1)) });
    const other = testQueue({}, () => 0.8);
    const retried = other.run({ attempt: failing(AGAIN) });
    await pass(10);

    expect([paused.attempts, exact.attempts, retried.attempts]).toEqual([
      [0, 1.3],
      [0, 1.1],
      [0, 0.7],
    ]);
  });

  test("gives up at once, with the seconds, where the wait is over 120 s or ends after the deadline", async () => {
    const patient = testQueue({ endpointCalls: 1, modelSeconds: 900 });
    const limited = patient.run({ attempt: failing(rateLimit(300)) });
    const waiting = patient.run({ attempt: failing() });
    const hasty = testQueue({ modelSeconds: 30 });
    const late = hasty.run({ attempt: failing(rateLimit(30)) });
    await pass(100);
    const arrived = patient.run({ attempt: failing() });
    await pass(100);
    const patientEnough = patient.run({ attempt: failing() });
    await pass(120);

    expect([limited, waiting, arrived, late].map(({ settledAt }) => settledAt)).toEqual([
      0.1, 0.1, 100, 0.1,
    ]);
    const errors = [limited, waiting, arrived, late].map(({ outcome }) => outcome);
    expect(errors).toEqual(errors.map(() => expect.any(RateLimitedError)));
    expect(errors).toMatchObject([300, 300, 201, 30].map((seconds) => ({ seconds })));
    expect([patientEnough.attempts, patientEnough.outcome]).toEqual([[300.1], "done"]);
  });

  test("takes the word of one refusal for five minutes at most: after a minute one call alone is made", async () => {
    const { run } = testQueue({ endpointCalls: 8 });
    const refused = run({ attempt: failing(rateLimit(99_999_999)) });
    await pass(10);
    const early = run({ attempt: failing() });
    await pass(51);
    const calls = Array.from({ length: 3 }, () => run({ attempt: failing() }));
    await pass(1);
    const later = run({ attempt: failing() });
    await pass(1);

    expect([refused, early].map(({ settledAt }) => settledAt)).toEqual([0.1, 10]);
    expect([refused.outcome, early.outcome]).toMatchObject([{ seconds: 60 }, { seconds: 51 }]);
    expect(calls.map(({ attempts }) => attempts)).toEqual([[61], [61.1], [61.1]]);
    expect([...calls, later].map(({ outcome }) => outcome)).toEqual(Array(4).fill("done"));
  });

  test("names a long time as it holds, also where no retry is left", async () => {
    const { run } = testQueue({ retriesPerCall: 0 });
    const [once, twice] = [rateLimit(99_999_999), rateLimit(99_999_999)];
    const refused = run({ attempt: failing(once) });
    await pass(61);
    const again = run({ attempt: failing(twice) });
    await pass(1);

    expect([refused.outcome, again.outcome]).toMatchObject([{ seconds: 60 }, { seconds: 3_600 }]);
  });

  test("believes a long time that a second refusal names, too, for an hour at most", async () => {
    const { run } = testQueue();
    run({ attempt: failing(rateLimit(86_400)) });
    await pass(61);
    const confirming = run({ attempt: failing(rateLimit(86_400)) });
    const beside = run({ attempt: failing() });
    await pass(3_590);
    const early = run({ attempt: failing() });
    await pass(20);
    const call = run({ attempt: failing() });
    await pass(1);

    expect([confirming, beside].map(({ settledAt }) => settledAt)).toEqual([61.1, 61.1]);
    expect([confirming.outcome, beside.outcome]).toMatchObject([
      { seconds: 3_600 },
      { seconds: 3_600 },
    ]);
    expect([early.attempts, early.outcome]).toEqual([[3_661.1], "done"]);
    expect([call.attempts, call.outcome]).toEqual([[3_671], "done"]);
  });

  test("takes the refusals of one burst for one, and doubts anew after an answer", async () => {
    const { run } = testQueue({ endpointCalls: 4 });
    for (let call = 0; call < 4; call += 1) run({ attempt: failing(rateLimit(3_000)) });
    await pass(61);
    const probe = run({ attempt: failing() });
    await pass(1);
    run({ attempt: failing(rateLimit(3_000)) });
    await pass(61);
    const next = run({ attempt: failing() });
    await pass(1);

    expect([probe.outcome, next.outcome]).toEqual(["done", "done"]);
    expect(next.attempts).toEqual([123]);
  });

  test("does not count a pause as waiting for a slot", async () => {
    const { run } = testQueue({ endpointCalls: 1, queueSeconds: 5 });
    run({ attempt: failing(rateLimit(20)) });
    const waiting = run({ attempt: failing() });
    await pass(30);

    expect([waiting.attempts, waiting.outcome]).toEqual([[20.2], "done"]);
  });

  test("heeds the rate limit of an attempt whose caller has gone", async () => {
    const { run } = testQueue();
    const controller = new AbortController();
    const waits: unknown[] = [];
    const gone = run({
      signal: controller.signal,
      onWait: (wait) => void waits.push(wait),
      attempt: async () => {
        await sleep(1_000, new AbortController().signal);
        throw rateLimit(10);
      },
    });
    controller.abort("enough");
    await pass(2);
    const next = run({ attempt: failing() });
    await pass(20);

    expect(next.attempts).toEqual([11]);
    expect([gone.attempts, waits]).toEqual([[0], []]);
  });

  test("reports each wait with its bound, and its end", async () => {
    const { run } = testQueue({ endpointCalls: 1 });
    const waits: unknown[] = [];
    const onWait = (wait: Wait | null): void => void waits.push(wait);
    const unhindered: unknown[] = [];
    run({
      attempt: failing(rateLimit(20)),
      onWait: (wait) => void unhindered.push(wait),
    });
    run({ attempt: failing(), onWait });
    await pass(30);

    expect(unhindered).toEqual([{ reason: "rate-limit", most: 20 }, null]);
    expect(waits).toEqual([
      { reason: "queue", most: 60 },
      { reason: "rate-limit", most: 20 },
      { reason: "queue", most: 60 },
      null,
    ]);
  });
});

describe("EndpointQueue.slots", () => {
  test("halves once for all calls of a burst, down to 1; twenty successes add 1", async () => {
    const { queue, run } = testQueue({ endpointCalls: 5, mostCalls: 3 });
    const slots = [queue.slots];
    for (let burst = 0; burst < 3; burst += 1) {
      for (let call = 0; call < 5; call += 1) run({ attempt: failing(rateLimit(1)) });
      await pass(0.15);
      slots.push(queue.slots);
      await pass(20);
    }
    for (let added = 0; added < 3; added += 1) {
      for (let call = 0; call < 20; call += 1) run({ attempt: failing() });
      await pass(10);
      slots.push(queue.slots);
    }

    expect(slots).toEqual([5, 2, 1, 1, 2, 3, 3]);
  });
});

describe("EndpointQueue.callMs", () => {
  test("is the mean of the last eight answered attempts, without waits and failures", async () => {
    const { queue, run } = testQueue({ endpointCalls: 1 });
    expect(queue.callMs).toBeNull();
    run({ attempt: (signal) => sleep(9_000, signal) });
    run({ attempt: failing(NO) });
    for (let call = 1; call <= 8; call += 1) {
      run({ attempt: (signal) => sleep(call * 1_000, signal) });
    }
    await pass(60);

    expect(queue.callMs).toBe(4_500);
  });
});

describe("EndpointQueue with 64 experts on an endpoint that allows four calls a second", () => {
  test.each([true, false])(
    "answers all, and a reply first (the endpoint names the time: %s)",
    async (names) => {
      const { queue, run } = testQueue();
      const endpoint = fourASecond({ names });
      const order: string[] = [];
      const ask = (role: ModelRole) => async (signal: AbortSignal) => {
        const answer = await endpoint.answer(signal, queue.slots);
        order.push(role);
        return answer;
      };
      const experts = Array.from({ length: 64 }, () => run({ attempt: ask("expert") }));
      await pass(0.5);
      const reply = run({ role: "reply", attempt: ask("reply") });
      const before = order.length;
      await pass(120);

      expect(experts.map(({ outcome }) => outcome)).toEqual(experts.map(() => "answer"));
      expect(reply.outcome).toBe("answer");
      // Only those that were being made when it came may end before it.
      expect(order.indexOf("reply") - before).toBeLessThanOrEqual(8);
      expect(endpoint.violations).toEqual([]);
      expect(queue.waiting).toBe(0);
    },
  );
});

/** An endpoint that refuses more than four calls in any second, and notes calls that should not be. */
function fourASecond({ names }: { readonly names: boolean }) {
  const begun: number[] = [];
  const violations: string[] = [];
  let atOnce = 0;
  let closedUntil = 0;
  async function answer(signal: AbortSignal, slots: number): Promise<string> {
    const now = performance.now();
    if (now < closedUntil) violations.push(`a call ${closedUntil - now} ms too early`);
    atOnce += 1;
    if (atOnce > slots) violations.push(`${atOnce} calls at once`);
    try {
      const recent = begun.filter((time) => now - time < 1_000);
      const [oldest] = recent;
      if (recent.length >= 4 && oldest !== undefined) {
        await sleep(20, signal);
        const wait = Math.max(0, oldest + 1_000 - performance.now());
        if (names) closedUntil = Math.max(closedUntil, performance.now() + wait);
        throw rateLimit(names ? wait / 1_000 : null);
      }
      begun.push(now);
      await sleep(300, signal);
      return "answer";
    } finally {
      atOnce -= 1;
    }
  }
  return { answer, violations };
}

type Step =
  | { readonly kind: "answer" | "retry" | "no"; readonly ms: number }
  | { readonly kind: "rate-limit"; readonly ms: number; readonly seconds: number | null }
  | { readonly kind: "hang"; readonly ms: number; readonly heeds: boolean };

interface PlannedCall {
  readonly role: ModelRole;
  readonly startMs: number;
  readonly abortMs: number | null;
  /** One for each attempt; the last repeats. */
  readonly steps: readonly Step[];
}

const msArbitrary = fc.integer({ min: 0, max: 8_000 });
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("answer", "answer", "retry", "no"), ms: msArbitrary }),
  fc.record({
    kind: fc.constant("rate-limit"),
    ms: msArbitrary,
    seconds: fc.option(fc.constantFrom(0, 0.2, 1, 5, 30, 130)),
  }),
  // One that does not heed the signal ends less than ten seconds after it.
  fc.record({ kind: fc.constant("hang"), ms: msArbitrary, heeds: fc.boolean() }),
);
const callArbitrary: fc.Arbitrary<PlannedCall> = fc.record({
  role: fc.constantFrom(...ModelRoleSchema.options),
  startMs: fc.integer({ min: 0, max: 20_000 }),
  abortMs: fc.option(fc.integer({ min: 0, max: 30_000 })),
  steps: fc.array(stepArbitrary, { minLength: 1, maxLength: 4 }),
});

describe("EndpointQueue, laws", () => {
  test.prop([
    fc.array(callArbitrary, { minLength: 1, maxLength: 24 }),
    fc.record({
      endpointCalls: fc.integer({ min: 1, max: 4 }),
      mostCalls: fc.integer({ min: 1, max: 6 }),
      retriesPerCall: fc.integer({ min: 0, max: 3 }),
      queueSeconds: fc.integer({ min: 1, max: 30 }),
      modelSeconds: fc.integer({ min: 1, max: 40 }),
    }),
    fc.noShrink(fc.double({ min: 0, max: 0.99, noNaN: true })),
  ])(
    "loses no call, makes none twice at once, begins none in a pause, and is empty in the end",
    async (planned, limits, random) => {
      const { queue, run } = testQueue(limits, () => random);
      const violations: string[] = [];
      let atOnce = 0;
      let closedUntil = 0;
      const calls: TrackedCall[] = [];

      async function makeAttempt(step: Step, signal: AbortSignal): Promise<string> {
        if (step.kind !== "hang") {
          await sleep(step.ms, signal);
          if (step.kind === "answer") return "answer";
          if (step.kind !== "rate-limit") throw new Refusal({ kind: step.kind });
          closedUntil = Math.max(closedUntil, performance.now() + (step.seconds ?? 0) * 1_000);
          throw rateLimit(step.seconds);
        }
        if (step.heeds) return hang(signal);
        await hang(signal).catch(() => undefined);
        await sleep(step.ms, new AbortController().signal);
        return "too late";
      }

      function start({ role, abortMs, steps }: PlannedCall): void {
        const controller = new AbortController();
        if (abortMs !== null) setTimeout(() => controller.abort("enough"), abortMs);
        let attempts = 0;
        let isBeingMade = false;
        const attempt = async (signal: AbortSignal): Promise<string> => {
          const step = steps[Math.min(attempts, steps.length - 1)];
          attempts += 1;
          atOnce += 1;
          if (isBeingMade) violations.push("made twice at once");
          if (atOnce > queue.slots) violations.push(`${atOnce} at once, of ${queue.slots}`);
          if (performance.now() < closedUntil) violations.push("begun in a pause");
          if (attempts > limits.retriesPerCall + 1) violations.push("repeated too often");
          if (signal.aborted) violations.push("begun after its end");
          isBeingMade = true;
          try {
            return await makeAttempt(step ?? { kind: "no", ms: 0 }, signal);
          } finally {
            isBeingMade = false;
            atOnce -= 1;
          }
        };
        calls.push(run({ role, signal: controller.signal, attempt }));
      }

      for (const call of planned) setTimeout(() => start(call), call.startMs);
      await pass(20 + limits.modelSeconds + 10);

      expect(violations).toEqual([]);
      expect(calls.map(({ outcome }) => outcome)).not.toContain("pending");
      expect(calls.map(({ outcome }) => outcome)).not.toContain("too late");
      expect([calls.length, queue.waiting, atOnce]).toEqual([planned.length, 0, 0]);
      // Every slot is free again, once no pause is left.
      await pass(200);
      const last = Array.from({ length: queue.slots }, () => run({ attempt: hang }));
      expect(last.map(({ attempts }) => attempts.length)).toEqual(last.map(() => 1));
      await pass(limits.modelSeconds);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});
