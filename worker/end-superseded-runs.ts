import type { Pool } from "pg";
import type { UserThread } from "../state/conversation-store.ts";
import { createEventSequence } from "../driver/events.ts";
import type { TurnDriver } from "../driver/turn-driver.ts";
import { EventBodySchema, type TurnEvent, TurnEventSchema } from "../state/event.ts";
import { isEnded, type RunError, type RunStatus } from "../state/run.ts";
import type { Queryable } from "../state/store.ts";
import { notify } from "../storage/postgres/notifications.ts";
import {
  findSupersededRuns,
  readSentEvents,
  type SupersededRun,
} from "../storage/runs/message-runs.ts";
import { appendRunEvents } from "../storage/runs/run-events.ts";
import { deleteRun, finishRun, lockRun } from "../storage/runs/runs.ts";
import { asUser, readingAs } from "../storage/users/user-data.ts";
import { GIVEN_UP } from "./claim-run.ts";

/** The store of runs, and the replay of a message's turn. */
interface SupersededRunsParts {
  readonly pool: Pool;
  readonly replayTurn: TurnDriver["replayTurn"] | undefined;
}

/**
 * Ends the runs of a thread whose messages were processed by a program that stores no runs, such as
 * the terminal: their events are replayed from the archive.
 */
export async function endSupersededRuns(
  thread: UserThread,
  parts: SupersededRunsParts,
): Promise<void> {
  const as = <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
    asUser(parts.pool, { userId: thread.userId }, work);
  const reading = readingAs(parts.pool, thread.userId);
  const superseded = await findSupersededRuns(reading, thread.threadId);
  for (const run of superseded) {
    const events: TurnEvent[] = [];
    const { messageId } = run;
    await parts.replayTurn?.({ ...thread, messageId }, (event) => void events.push(event));
    await as((tx) => endSupersededRun(tx, run, events));
  }
}

async function endSupersededRun(
  tx: Queryable,
  run: SupersededRun,
  events: readonly TurnEvent[],
): Promise<void> {
  const { runId, outcome } = run;
  const found = await lockRun(tx, runId);
  if (found === null || isEnded(found.status)) return;
  if (outcome === "stopped" && found.cancel === "rollback") await deleteRun(tx, runId);
  else {
    const sent = await readSentEvents(tx, runId);
    const rest = continueEvents(runId, TurnEventSchema.array().parse(sent.turn), events);
    const rows = rest.map((data, index) => ({
      seq: sent.last + index + 1,
      mode: "custom" as const,
      namespace: [],
      data,
    }));
    await appendRunEvents(tx, { runId, events: rows });
    const failure = outcome === "given-up" ? GIVEN_UP_ERROR : findFailure(events);
    await finishRun(tx, {
      runId,
      ...(failure === null ? { status: STATUSES[outcome] } : { status: "error", error: failure }),
    });
  }
  await notify(tx, "run", runId);
}

/** Returns the error of a turn whose model gave no answer; null for any other. */
function findFailure(events: readonly TurnEvent[]): RunError | null {
  const end = events.at(-1);
  if (end?.type !== "turn-end" || end.outcome !== "failed") return null;
  const reply = events.findLast((event) => event.type === "reply");
  return { code: end.code ?? "internal", message: reply?.text ?? "" };
}

const STATUSES: Readonly<Record<SupersededRun["outcome"], RunStatus>> = {
  answered: "success",
  "given-up": "error",
  stopped: "interrupted",
};

const GIVEN_UP_ERROR = {
  code: GIVEN_UP,
  message: "Cannot answer: the message failed again and again and was given up",
};

/** Renumbers the events to follow those that the run sent before. */
function continueEvents(
  runId: string,
  before: readonly TurnEvent[],
  events: readonly TurnEvent[],
): readonly TurnEvent[] {
  const [first] = [...before, ...events];
  if (first === undefined) return [];
  const sequence = createEventSequence({
    thread: first.thread,
    turn: first.turn,
    run: runId,
    now: () => new Date(events.at(-1)?.time ?? first.time),
    resumed: before.length > 0,
    sentEvents: before,
  });
  return events.flatMap((event) => {
    const body = EventBodySchema.parse(event);
    return body.type === "turn-end" || body.type === "error"
      ? sequence.end(body)
      : sequence.next(body);
  });
}
