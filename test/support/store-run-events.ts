import type { TurnEvent } from "../../state/event.ts";
import type { EventBody } from "../../state/event.ts";
import type { RunRecord, RunStatus } from "../../state/run.ts";
import { notify } from "../../storage/postgres/notifications.ts";
import { appendRunEvents } from "../../storage/runs/run-events.ts";
import { finishRun, startRun } from "../../storage/runs/runs.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { TestDatabase } from "./database.ts";

/** The events of a run as a worker would store them. */
export interface RunStory {
  readonly run: Pick<RunRecord, "runId" | "threadId" | "userId">;
  /** Numbered from `from` on. Default 1. */
  readonly bodies: readonly EventBody[];
  readonly from?: number;
  /** Status with which the run ends; left out where it goes on. */
  readonly end?: RunStatus;
}

/** Stores a run's events and its end and notifies, as a worker does; returns the events. */
export async function storeRunEvents(
  database: TestDatabase,
  { run, bodies, from = 1, end }: RunStory,
): Promise<readonly TurnEvent[]> {
  const { runId, threadId, userId } = run;
  const events: readonly TurnEvent[] = bodies.map((body, index) => ({
    thread: threadId,
    turn: 1,
    run: runId,
    seq: from + index,
    time: "2026-01-12T09:30:00.000Z",
    ...body,
  }));
  await asUser(database.pool, { userId }, async (tx) => {
    await startRun(tx, runId);
    const rows = events.map((event) => ({
      seq: event.seq,
      mode: "custom" as const,
      namespace: [],
      data: event,
    }));
    await appendRunEvents(tx, { runId, events: JSON.parse(JSON.stringify(rows)) });
    if (end !== undefined) await finishRun(tx, { runId, status: end });
    await notify(tx, "run", runId);
  });
  return events;
}
