import { expect, test } from "vitest";
import type { TurnEvent } from "../../state/event.ts";
import type { ThreadResult } from "../../driver/results.ts";
import type { RunPlan, RunSink, RunSource } from "../../driver/run-source.ts";
import type { TurnDriver } from "../../driver/turn-driver.ts";
import { logRuns, type RunLine } from "../../telemetry/log-runs.ts";
import { watchThreads, type StartedRun, type WatchRun } from "../../telemetry/watch-runs.ts";

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

/** A driver that plays what it is given on the source of runs. */
function playing(
  play: (runs: RunSource) => Promise<ThreadResult>,
): Pick<TurnDriver, "processThread"> {
  return { processThread: (_thread, { runs }) => play(runs) };
}

function runsInto(sink: Partial<RunSink> = {}): RunSource {
  const quiet = { onEvent: () => undefined, onChunk: () => undefined, end: async () => false };
  return { open: async () => ({ plan: PLAN, sink: { ...quiet, ...sink } }) };
}

async function openSink(runs: RunSource): Promise<RunSink> {
  const opened = await runs.open(MESSAGE, LEASE);
  if (opened === null) throw new Error("There is no run");
  return opened.sink;
}

function noting() {
  const noted: unknown[] = [];
  const watch: WatchRun = (run: StartedRun) => {
    noted.push(["began", run]);
    return {
      onEvent: ({ type }) => void noted.push(["event", type]),
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

test("watchThreads() reports a run's beginning, events and end, each after its sink", async () => {
  const { noted, watch } = noting();
  const driver = playing(async (runs) => {
    const sink = await openSink(runs);
    sink.onEvent(event({ type: "turn-start", messageId: "m", message: "secret" }));
    noted.push(["driver", { isRemoved: await sink.end({ outcome: "answered", turn: 1 }) }]);
    return "processed";
  });
  const runs = runsInto({
    onEvent: ({ type }) => void noted.push(["sink", type]),
    async end() {
      noted.push(["sink", "end"]);
      return true;
    },
  });

  const result = await watchThreads(driver, {
    runs: [watch],
    onResult: (reported) => void noted.push(["result", reported]),
  }).processThread(THREAD, { runs, waitMs: 0 });

  expect(result).toBe("processed");
  expect(noted).toEqual([
    ["began", STARTED],
    ["sink", "turn-start"],
    ["event", "turn-start"],
    ["sink", "end"],
    ["ended", { outcome: "answered", turn: 1 }],
    ["driver", { isRemoved: true }],
    ["result", "processed"],
  ]);
});

test("watchThreads() reports a run that was left, or rolled back", async () => {
  const { noted, watch } = noting();
  const driver = playing(async (runs) => {
    const sink = await openSink(runs);
    await sink.rollBack?.(null);
    await openSink(runs);
    throw new Error("gone");
  });
  const watched = watchThreads(driver, {
    runs: [watch],
    onResult: (reported) => void noted.push(["result", reported]),
  });

  await expect(
    watched.processThread(THREAD, { runs: runsInto({ rollBack: async () => true }), waitMs: 0 }),
  ).rejects.toThrow("gone");

  expect(noted).toEqual([
    ["began", STARTED],
    ["ended", { outcome: "rolled-back" }],
    ["began", STARTED],
    ["result", "thrown"],
    ["ended", { outcome: "left" }],
  ]);
});

test("logRuns() says one line of a run", () => {
  const lines: RunLine[] = [];
  const watch = logRuns((line) => void lines.push(line))(STARTED);

  watch.onEvent(event({ type: "usage", node: "understand", input: 100, cached: 50, output: 10 }));
  watch.onEvent(event({ type: "text-delta", reply: "reply_r1_1", text: "Eggs" }));
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
      modelError: null,
      steps: [],
      calls: 2,
      inputTokens: 120,
      outputTokens: 15,
      text: "secret",
    },
  ]);
});
