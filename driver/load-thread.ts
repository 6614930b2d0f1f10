import { z } from "zod";
import { readStateVersion, SCHEMA_VERSION } from "../state/migrate-state.ts";
import type { TurnState } from "../state/turn.ts";
import { configOf, type ThreadWork } from "./thread-work.ts";
import { StateVersionError } from "./turn-errors.ts";
import type { TurnGraph } from "../graph/turn-graph.ts";

/**
 * How far the newest turn is. `rested`: nothing is left to do. `taken`: its message is in the
 * state, and the turn is not counted yet; `refused`: and it was told why not. `begun`: it is under way.
 */
export type TurnStage = "rested" | "taken" | "refused" | "begun";

/** Whether the newest turn has its number by now. */
export function isNumbered(stage: TurnStage): boolean {
  return stage === "rested" || stage === "begun";
}

/** A thread as it is stored. */
export interface LoadedThread {
  readonly values: Partial<TurnState>;
  readonly stage: TurnStage;
  /** The id of its checkpoint; empty when there is none. */
  readonly checkpoint: string;
}

/**
 * Loads a thread's newest state, brought up to date.
 *
 * @throws StateVersionError when this program cannot read it.
 */
export async function loadThread(
  graph: TurnGraph,
  thread: Pick<ThreadWork, "threadId" | "lease">,
): Promise<LoadedThread> {
  const config = configOf(thread);
  const { values, tasks, config: at } = await graph.getState(config);
  const reading = readStateVersion(values);
  switch (reading.kind) {
    case "current":
      return {
        ...stagedThread(values, tasks),
        checkpoint: z.string().default("").parse(at.configurable?.["checkpoint_id"]),
      };
    case "migrated":
      await graph.updateState(config, reading.update);
      return loadThread(graph, thread);
    case "unreadable":
      throw new StateVersionError(thread.threadId, {
        stored: reading.version,
        current: SCHEMA_VERSION,
      });
    default:
      return reading satisfies never;
  }
}

interface Task {
  readonly name: string;
  /** What the task has written, where its step is not stored yet; `values` hold it already. */
  readonly result?: unknown;
  /** Why the task failed. */
  readonly error?: unknown;
}

/**
 * `tasks`, not `next`, tell whether work is left: `next` is empty between a step's writes and its
 * checkpoint. An input that stands only in its own checkpoint was not taken in: it is given again.
 */
function stagedThread(
  values: Partial<TurnState>,
  tasks: readonly Task[],
): Omit<LoadedThread, "checkpoint"> {
  if (tasks.length === 0) return { values, stage: "rested" };
  if (tasks.some(({ name }) => name === "__start__")) {
    return { values: { ...values, input: null }, stage: "rested" };
  }
  const intake = tasks.find(({ name, result }) => name === "intake" && result === undefined);
  if (intake === undefined) return { values, stage: "begun" };
  return { values, stage: intake.error === undefined ? "taken" : "refused" };
}
