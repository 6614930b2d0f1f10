import { expect, test } from "vitest";
import type { TurnEvent } from "../../driver/events.ts";
import type { RunObserver, RunPlan } from "../../driver/run-observer.ts";
import type { TurnDriver, WorkOutcome } from "../../driver/run-turn.ts";
import { logRuns, type RunLine } from "../../telemetry/log-runs.ts";
import { watchWork, type StartedRun, type WatchRun } from "../../telemetry/watch-runs.ts";

const THREAD = { threadId: "t", userId: "u" };
const LEASE = { owner: "o", fence: 1 };
const MESSAGE = { ...THREAD, messageId: "m", text: "secret", run: {} };
const PLAN: RunPlan = {
  runId: "r",
  sentEvents: [],
  stop: undefined,
  modes: [],
  trace: false,
  createdAt: "2026-01-12T09:00:00.000Z",
};

function event(body: Record<string, unknown>): TurnEvent {
  const stamp = { thread: "t", turn: 1, run: "r", seq: 1, time: "2026-01-12T09:00:00.000Z" };
  return { ...stamp, ...body } as TurnEvent;
}

/** A driver that plays what it is given on the observer. */
function playing(play: (observer: RunObserver) => Promise<WorkOutcome>): Pick<TurnDriver, "work"> {
  return { work: (_thread, { observer }) => play(observer) };
}

function quiet(more: Partial<RunObserver> = {}): RunObserver {
  return {
    begin: async () => PLAN,
    onEvent: () => undefined,
    onChunk: () => undefined,
    end: async () => false,
    ...more,
  };
}

function noting() {
  const noted: unknown[] = [];
  const watch: WatchRun = (run: StartedRun) => {
    noted.push(["began", run]);
    return {
      onEvent: ({ type }) => void noted.push(["told", type]),
      onEnd: (end) => void noted.push(["ended", end]),
    };
  };
  return { noted, watch };
}

const STARTED: StartedRun = {
  ...THREAD,
  runId: "r",
  messageId: "m",
  text: "secret",
  createdAt: "2026-01-12T09:00:00.000Z",
  traceparent: null,
  isResumed: false,
};

test("watchWork() tells a run's beginning, events and end, each after the observer", async () => {
  const { noted, watch } = noting();
  const driver = playing(async (observer) => {
    await observer.begin(MESSAGE, LEASE);
    observer.onEvent(event({ type: "turn-start", message: "secret" }));
    const isMessageDone = await observer.end({ runId: "r", outcome: "answered", turn: 1 });
    noted.push(["driver", { isMessageDone }]);
    return "worked-off";
  });
  const observer = quiet({
    onEvent: ({ type }) => void noted.push(["observer", type]),
    async end() {
      noted.push(["observer", "end"]);
      return true;
    },
  });

  const outcome = await watchWork(driver, {
    runs: [watch],
    onWork: (how) => void noted.push(["work", how]),
  }).work(THREAD, { observer, waitMs: 0 });

  expect(outcome).toBe("worked-off");
  expect(noted).toEqual([
    ["began", STARTED],
    ["observer", "turn-start"],
    ["told", "turn-start"],
    ["observer", "end"],
    ["ended", { runId: "r", outcome: "answered", turn: 1 }],
    ["driver", { isMessageDone: true }],
    ["work", "worked-off"],
  ]);
});

test("watchWork() tells that a run was left, or taken back", async () => {
  const { noted, watch } = noting();
  const driver = playing(async (observer) => {
    await observer.begin(MESSAGE, LEASE);
    await observer.undo?.({ runId: "r", turn: null });
    await observer.begin(MESSAGE, LEASE);
    throw new Error("gone");
  });
  const watched = watchWork(driver, {
    runs: [watch],
    onWork: (how) => void noted.push(["work", how]),
  });

  await expect(
    watched.work(THREAD, { observer: quiet({ undo: async () => true }), waitMs: 0 }),
  ).rejects.toThrow("gone");

  expect(noted).toEqual([
    ["began", STARTED],
    ["ended", { outcome: "rolled-back" }],
    ["began", STARTED],
    ["work", "thrown"],
    ["ended", { outcome: "left" }],
  ]);
});

test("watchWork() leaves out what the observer leaves out, and a run that is none", async () => {
  const { noted, watch } = noting();
  const driver = playing(async (observer) => {
    noted.push(Object.keys(observer).toSorted());
    await observer.begin(MESSAGE, LEASE);
    observer.onEvent(event({ type: "turn-start", message: "secret" }));
    return "worked-off";
  });

  await watchWork(driver, { runs: [watch] }).work(THREAD, {
    observer: quiet({ begin: async () => null }),
    waitMs: 0,
  });

  expect(noted).toEqual([["begin", "end", "onChunk", "onEvent"]]);
});

test("logRuns() says one line of a run", () => {
  const lines: RunLine[] = [];
  const watch = logRuns((line) => void lines.push(line))(STARTED);

  watch.onEvent(event({ type: "usage", node: "understand", input: 100, cached: 50, output: 10 }));
  watch.onEvent(event({ type: "text-delta", reply: "t1-a1", text: "Eggs" }));
  watch.onEvent(event({ type: "usage", node: "reply", input: 20, cached: 0, output: 5 }));
  watch.onEnd({ outcome: "failed", error: { code: "internal", message: "Cannot finish" } });

  expect(lines).toEqual([
    {
      run: "r",
      thread: "t",
      user: "u",
      outcome: "failed",
      code: "internal",
      ms: expect.any(Number),
      firstTextMs: expect.any(Number),
      calls: 2,
      inputTokens: 120,
      outputTokens: 15,
      text: "secret",
    },
  ]);
});
