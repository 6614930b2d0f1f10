import { z } from "zod";
import { readStateVersion, SCHEMA_VERSION } from "../state/migrate-state.ts";
import type { TurnState } from "../state/turn.ts";
import { StateVersionError } from "./turn-errors.ts";
import type { TurnGraph } from "../graph/turn-graph.ts";

/**
 * Stage of the newest turn. `idle`: nothing is left to do. `accepted`: its message is in the state,
 * but the turn has no number yet. `rejected`: intake refused the message. `running`: under way.
 */
export type TurnStage = "idle" | "accepted" | "rejected" | "running";

/** Returns true if the newest turn has its number. */
export function isNumbered(stage: TurnStage): boolean {
  return stage === "idle" || stage === "running";
}

/** A thread as it is stored. */
export interface LoadedThread {
  readonly values: Partial<TurnState>;
  readonly stage: TurnStage;
  /** The id of its checkpoint; empty when there is none. */
  readonly checkpoint: string;
}

/** Config of the graph that names a thread. */
interface ThreadConfig {
  readonly configurable: { readonly thread_id: string };
}

/**
 * Loads a thread's newest state, brought up to date.
 *
 * @throws StateVersionError when this program cannot read it.
 */
export async function loadThread(graph: TurnGraph, config: ThreadConfig): Promise<LoadedThread> {
  const { values, tasks, config: at } = await graph.getState(config);
  const reading = readStateVersion(values);
  switch (reading.kind) {
    case "current":
      return {
        ...classifyStage(values, tasks),
        checkpoint: z.string().default("").parse(at.configurable?.["checkpoint_id"]),
      };
    case "migrated":
      await graph.updateState(config, reading.update);
      return loadThread(graph, config);
    case "unreadable":
      throw new StateVersionError(config.configurable.thread_id, {
        stored: reading.version,
        current: SCHEMA_VERSION,
      });
    default:
      return reading satisfies never;
  }
}

/**
 * Returns stored values in today's form; the next turn stores them so.
 *
 * @throws StateVersionError when this program cannot read them.
 */
export function upgradeValues<T extends Partial<TurnState>>(threadId: string, values: T): T {
  const reading = readStateVersion(values);
  if (reading.kind === "current") return values;
  if (reading.kind === "migrated") return { ...values, ...reading.update };
  throw new StateVersionError(threadId, { stored: reading.version, current: SCHEMA_VERSION });
}

interface Task {
  readonly name: string;
  /** Writes of the task while its step is not stored yet; `values` already hold them. */
  readonly result?: unknown;
  /** Cause of the task's failure. */
  readonly error?: unknown;
}

/**
 * `tasks`, not `next`, show whether work is left: `next` is empty between a step's writes and its
 * checkpoint. An input that stands only in its own checkpoint was not taken in: it is given again.
 */
function classifyStage(
  values: Partial<TurnState>,
  tasks: readonly Task[],
): Omit<LoadedThread, "checkpoint"> {
  if (tasks.length === 0) return { values, stage: "idle" };
  if (tasks.some(({ name }) => name === "__start__")) {
    return { values: { ...values, input: null }, stage: "idle" };
  }
  const intake = tasks.find(({ name, result }) => name === "intake" && result === undefined);
  if (intake === undefined) return { values, stage: "running" };
  return { values, stage: intake.error === undefined ? "accepted" : "rejected" };
}
