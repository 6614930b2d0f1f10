import type { Queryable } from "../../state/store.ts";
import { saveBatch, storeRefs, type BatchRow } from "../../storage/conversations/archive-rows.ts";
import { saveJourney, type JourneyRow } from "../../storage/conversations/journey-rows.ts";
import { appendRunEvents } from "../../storage/runs/run-events.ts";
import { insertRun } from "../../storage/runs/runs.ts";
import { newRun, runEvent } from "./stored-run.ts";

/** A batch's row in the archive, without answers. */
export function batchRow(threadId: string, parts: Partial<BatchRow> = {}): BatchRow {
  return {
    threadId,
    runId: "run-1",
    batchId: "t1-b1",
    turn: 1,
    journeyId: "journey_1",
    purpose: "opening",
    prompt: "?",
    batch: {},
    answers: [],
    map: null,
    analysis: null,
    ...parts,
  };
}

/** A journey's row in the archive, with an empty state. */
export function journeyRow(threadId: string, parts: Partial<JourneyRow> = {}): JourneyRow {
  return {
    threadId,
    journeyId: "journey_1",
    changedTurn: 1,
    runId: "run-1",
    title: "Sleep better",
    openedTurn: 1,
    status: "active",
    reason: null,
    state: {},
    ...parts,
  };
}

/** Adds to a thread what a turn alone leaves out: an unfinished run with events, a ref, a journey and a batch. */
export async function fillThread(
  tx: Queryable,
  { threadId, runId, events = 2 }: { threadId: string; runId: string; events?: number },
): Promise<void> {
  await insertRun(tx, newRun({ runId, threadId, messageId: "m1" }));
  await appendRunEvents(tx, {
    runId,
    events: Array.from({ length: events }, (_, index) => runEvent({ index }, index + 1)),
  });
  await storeRefs(tx, { threadId, entries: [{ ref: "recipe_1", entry: {} }] });
  await saveJourney(tx, journeyRow(threadId));
  await saveBatch(tx, batchRow(threadId));
}
