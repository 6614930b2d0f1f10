import { upgradeValues } from "../../driver/load-thread.ts";
import type { JsonObject } from "../../state/json.ts";
import type { TurnState } from "../../state/turn.ts";
import { BASE_LANGUAGE } from "../../text/spoken-language.ts";
import { readStateVersion } from "../../state/migrate-state.ts";
import type { TurnGraph } from "../../graph/turn-graph.ts";
import type { ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { stateAnswer, type Snapshot, type StateAnswer } from "../protocol/state-answer.ts";
import type { PublicState } from "../protocol/thread-answer.ts";

/** A state of a thread: a checkpoint, or null for the newest. The caller's right to the thread is checked before. */
export interface StatePlace {
  readonly threadId: string;
  readonly checkpointId: string | null;
}

/**
 * Reads a state as its user may see it, in today's form.
 *
 * @throws Problem `checkpoint_not_found`; StateVersionError; DatabaseUnavailableError.
 */
export async function readState(
  parts: Pick<ServerParts, "graph" | "now">,
  { threadId, checkpointId }: StatePlace,
): Promise<StateAnswer> {
  const snapshot = await parts.graph.getState({
    configurable: {
      thread_id: threadId,
      ...(checkpointId === null ? {} : { checkpoint_id: checkpointId }),
    },
  });
  if (checkpointId !== null && snapshot.createdAt === undefined) {
    throw checkpointNotFound(checkpointId);
  }
  return stateAnswer(upToDate(threadId, snapshot), parts.now());
}

/** The graph, as far as the newest state of a thread is read. */
export interface ReadableStates {
  readonly graph: Pick<TurnGraph, "getState">;
}

/**
 * Returns a thread's language, and the id of the confirmation that waits in it; null for none, and while
 * a turn is under way, which may answer it or ask another.
 *
 * @throws StateVersionError; DatabaseUnavailableError.
 */
export async function readAsked(
  parts: ReadableStates,
  threadId: string,
): Promise<{ readonly language: string; readonly confirmation: string | null }> {
  const { values, tasks } = await parts.graph.getState({ configurable: { thread_id: threadId } });
  const { language = BASE_LANGUAGE, pending }: Partial<TurnState> = upgradeValues(threadId, values);
  const isShown = tasks.length === 0 && pending?.kind === "confirmation";
  return { language, confirmation: isShown ? pending.id : null };
}

/** Returns the public part of the newest state; null before the thread's first turn, and where this program cannot read it. */
export async function readPublicState(
  parts: Pick<ServerParts, "graph" | "now">,
  threadId: string,
): Promise<PublicState | null> {
  const snapshot = await parts.graph.getState({ configurable: { thread_id: threadId } });
  if (snapshot.createdAt === undefined) return null;
  const reading = readStateVersion(snapshot.values);
  if (reading.kind === "unreadable") return null;
  const { values, interrupts } = stateAnswer(upToDate(threadId, snapshot), parts.now());
  return { values, interrupts };
}

/** Selects states of a thread, the newest first. */
export interface HistoryQuery {
  readonly threadId: string;
  readonly limit: number;
  /** Only those before this one; null for all. */
  readonly before: string | null;
  /** Only this one; null for all. */
  readonly checkpointId: string | null;
  /** A part that their metadata must contain. */
  readonly metadata: JsonObject;
}

/** Reads the stored states, which are those of the last turns. @throws as `readState`. */
export async function readHistory(
  parts: Pick<ServerParts, "graph" | "now">,
  { threadId, limit, before, checkpointId, metadata }: HistoryQuery,
): Promise<readonly StateAnswer[]> {
  const place = checkpointId === null ? {} : { checkpoint_id: checkpointId };
  const states: StateAnswer[] = [];
  const snapshots = parts.graph.getStateHistory(
    { configurable: { thread_id: threadId, ...place } },
    {
      limit,
      ...(before === null ? {} : { before: { configurable: { checkpoint_id: before } } }),
      ...(Object.keys(metadata).length === 0 ? {} : { filter: metadata }),
    },
  );
  for await (const snapshot of snapshots)
    states.push(stateAnswer(upToDate(threadId, snapshot), parts.now()));
  return states;
}

function upToDate<T extends Snapshot>(threadId: string, snapshot: T): T {
  return { ...snapshot, values: upgradeValues(threadId, snapshot.values) };
}

/** Creates the problem for a checkpoint that does not exist. */
export function checkpointNotFound(checkpointId: string): Problem {
  return new Problem("checkpoint_not_found", {
    detail: `Cannot find checkpoint "${checkpointId.slice(0, 80)}": this thread has none with that id; checkpoints of older turns are removed`,
  });
}
