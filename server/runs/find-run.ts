import { isEnded, type RunRecord } from "../../state/run.ts";
import { lastEventSeq } from "../../storage/runs/run-events.ts";
import { findRun } from "../../storage/runs/runs.ts";
import { readingAs } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";

/** A run's id, and the thread it must belong to; null for any thread of the caller's. */
export interface RunName {
  readonly runId: string;
  readonly threadId: string | null;
}

/**
 * Finds a run of the caller's.
 *
 * @throws Problem `run_not_found`, for another's as well; DatabaseUnavailableError.
 */
export async function getRun(
  parts: Pick<ServerParts, "pool">,
  caller: Pick<Caller, "userId">,
  name: RunName,
): Promise<RunRecord> {
  const run = await findRun(readingAs(parts.pool, caller.userId), name.runId);
  if (run !== null && (name.threadId === null || run.threadId === name.threadId)) return run;
  throw runNotFound(name.runId);
}

/** Creates the problem for a run that does not exist or belongs to another user: the two look the same. */
export function runNotFound(runId: string): Problem {
  return new Problem("run_not_found", {
    detail: `Cannot find run "${runId.slice(0, 80)}": you have no run with that id here`,
  });
}

/** A run, and the last of its events that the client has; 0 for none. */
export interface RunPosition extends RunName {
  readonly after: number;
}

/**
 * Finds a run that a client follows from an event on.
 *
 * @throws Problem `run_not_found`; `events_gone` if its events are no longer stored;
 * `invalid_request` for an event that the run does not have; DatabaseUnavailableError.
 */
export async function findFollowedRun(
  parts: Pick<ServerParts, "pool">,
  caller: Pick<Caller, "userId">,
  { after, ...name }: RunPosition,
): Promise<RunRecord> {
  const run = await getRun(parts, caller, name);
  if (after === 0 && !isEnded(run.status)) return run;
  const last = await lastEventSeq(readingAs(parts.pool, caller.userId), run.runId);
  if (last === 0 && run.startedAt !== null && isEnded(run.status)) throw eventsGone(run);
  if (after > last) throw unknownEvent(after);
  return run;
}

/** Reads a `Last-Event-ID`: the number of the last event that the client has; 0 for none. @throws Problem `invalid_request`. */
export function readEventId(header: string | undefined): number {
  // LangGraph's clients send -1 for "from the beginning".
  if (header === undefined || header === "" || header === "-1") return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  throw new Problem("invalid_request", {
    detail: `Cannot continue after event "${header.slice(0, 40)}": event ids are whole numbers; send the last one you received`,
    field: "/Last-Event-ID",
  });
}

function unknownEvent(after: number): Problem {
  return new Problem("invalid_request", {
    detail: `Cannot continue after event "${after}": this run has no event with that id; send the last one you received from it`,
    field: "/Last-Event-ID",
  });
}

function eventsGone(run: RunRecord): Problem {
  return new Problem("events_gone", {
    detail: `Cannot replay run "${run.runId}": it ended at ${run.finishedAt ?? "an earlier time"}, and its events are no longer stored; read the thread's state`,
  });
}
