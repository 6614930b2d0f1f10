import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WaitingReport } from "../../nodes/ask/report-waiting.ts";
import type { EventBody } from "../../state/event.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reportFor(reason?: "batch") {
  const events: EventBody[] = [];
  const report = new WaitingReport({
    node: "mapper",
    emit: (event) => void events.push(event),
    most: 25,
    ...(reason === undefined ? {} : { reason }),
  });
  return { events, report };
}

test("WaitingReport says every five seconds what is waited for, and how long at most", () => {
  const { events, report } = reportFor("batch");

  vi.advanceTimersByTime(12_000);
  report.stop();
  vi.advanceTimersByTime(60_000);

  const event = { type: "waiting", node: "mapper", reason: "batch", most: 25 } as const;
  expect(events).toEqual([
    { ...event, label: "Comparing the answers", seconds: 5 },
    { ...event, label: "Comparing the answers", seconds: 10 },
  ]);
});

test("WaitingReport says that a call waits for its place before it says what it is for", () => {
  const { events, report } = reportFor("batch");

  report.note({ reason: "queue", most: null });
  vi.advanceTimersByTime(5_000);
  report.note(null);
  vi.advanceTimersByTime(5_000);
  report.stop();

  expect(events.map((event) => (event.type === "waiting" ? event.reason : ""))).toEqual([
    "queue",
    "batch",
  ]);
});
