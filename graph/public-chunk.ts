import { z } from "zod";
import { JsonSchema, type Json, type JsonObject } from "../state/json.ts";
import type { GraphMode } from "../state/run.ts";
import { publicValues, type PrivateValues } from "./public-state.ts";

/**
 * Returns the part of a streamed chunk that a client may see, in the form of LangGraph's API; null
 * if it may see none of it. Strict JSON without signals, leases, database ids, prompts or keys. Pure.
 */
export function publicChunk(mode: GraphMode, data: unknown): Json {
  switch (mode) {
    case "values":
      return toPublicValues(data);
    case "updates":
      return publicUpdates(toRecord(data));
    case "tasks":
      return publicTask(toRecord(data));
    case "checkpoints":
      return publicCheckpoint(toRecord(data));
    case "debug":
      return publicDebug(toRecord(data));
    case "events":
      return publicEvent(toRecord(data));
    default:
      return mode satisfies never;
  }
}

/** Returns the updates by node; a node that ran several times in a step has a list. */
function publicUpdates(updates: PrivateValues): JsonObject {
  const byNode = Object.entries(updates).filter(([node]) => !node.startsWith("__"));
  return Object.fromEntries(
    byNode.map(([node, update]) => [
      node,
      Array.isArray(update)
        ? update.map(toPublicValues)
        : update === null
          ? null
          : toPublicValues(update),
    ]),
  );
}

/** Returns the public part of a task: its input at the start, its result or error at the end. */
function publicTask(task: PrivateValues): JsonObject {
  return {
    ...pick(task, ["id", "name", "triggers"]),
    ...("input" in task ? { input: toPublicValues(task["input"]) } : {}),
    ...(task["result"] === undefined ? {} : { result: toPublicValues(task["result"]) }),
    ...(task["error"] === undefined ? {} : { error: publicError(task["error"]) }),
    interrupts: [],
  };
}

/** Hides the error's text, which may quote private data; the turn's `error` event has the public one. */
function publicError(error: unknown): Json {
  return error === null ? null : "The task failed";
}

function publicCheckpoint(checkpoint: PrivateValues): Json {
  // The short form that precedes `values` adds nothing to them.
  if (!("values" in checkpoint)) return null;
  const own = toCheckpointConfig(checkpoint["config"]);
  const parent = toCheckpointConfig(checkpoint["parentConfig"]);
  const tasks: readonly unknown[] = Array.isArray(checkpoint["tasks"]) ? checkpoint["tasks"] : [];
  return {
    values: toPublicValues(checkpoint["values"]),
    next: JsonSchema.parse(checkpoint["next"] ?? []),
    config: own === null ? {} : { configurable: own },
    checkpoint: own,
    metadata: pick(toRecord(checkpoint["metadata"]), ["source", "step", "parents"]),
    parent_config: parent === null ? null : { configurable: parent },
    parent_checkpoint: parent,
    tasks: tasks.map((task) => publicTask(toRecord(task))),
  };
}

function toCheckpointConfig(config: unknown): JsonObject | null {
  const { configurable } = toRecord(config);
  if (configurable === undefined) return null;
  return pick(toRecord(configurable), ["thread_id", "checkpoint_ns", "checkpoint_id"]);
}

function publicDebug(chunk: PrivateValues): Json {
  const payload = toRecord(chunk["payload"]);
  const shown = chunk["type"] === "checkpoint" ? publicCheckpoint(payload) : publicTask(payload);
  return shown === null ? null : { ...pick(chunk, ["step", "type", "timestamp"]), payload: shown };
}

/** Includes data only for chains (the graph, its nodes and routes): a model's data holds prompts. */
function publicEvent(event: PrivateValues): Json {
  const name = z.string().catch("").parse(event["event"]);
  const tags: readonly unknown[] = Array.isArray(event["tags"]) ? event["tags"] : [];
  if (tags.includes("langsmith:hidden")) return null;
  return {
    ...pick(event, ["event", "name", "run_id", "tags", "parent_ids"]),
    metadata: pick(toRecord(event["metadata"]), EVENT_METADATA),
    data: name.startsWith("on_chain_") ? publicEventData(toRecord(event["data"])) : {},
  };
}

const EVENT_METADATA = [
  "thread_id",
  "langgraph_node",
  "langgraph_step",
  "langgraph_triggers",
  "langgraph_path",
  "langgraph_checkpoint_ns",
] as const;

function publicEventData(data: PrivateValues): JsonObject {
  return Object.fromEntries(
    ["input", "output", "chunk"].flatMap((part): [string, Json][] =>
      data[part] === undefined ? [] : [[part, toPublicValues(data[part])]],
    ),
  );
}

function toPublicValues(values: unknown): JsonObject {
  return publicValues(toRecord(values));
}

/** Returns the listed keys that are present and strict JSON. */
function pick(record: PrivateValues, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key): [string, Json][] => {
      const value = JsonSchema.safeParse(record[key]);
      return record[key] === undefined || !value.success ? [] : [[key, value.data]];
    }),
  );
}

/** Copies an object's own keys; returns an empty record for anything else. */
function toRecord(value: unknown): PrivateValues {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
