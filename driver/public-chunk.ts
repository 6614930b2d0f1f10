import { z } from "zod";
import { JsonSchema, type Json, type JsonObject } from "../state/json.ts";
import type { GraphMode } from "../state/run.ts";
import { publicValues, type PrivateValues } from "./public-state.ts";

/**
 * What a client may see of something the graph streamed in one of its own modes, in the form in
 * which LangGraph's API has it; null where nothing of it may be seen. Strict JSON: no signals, no
 * leases, no ids of the database, no prompts, no keys. Pure.
 */
export function publicChunk(mode: GraphMode, data: unknown): Json {
  switch (mode) {
    case "values":
      return valuesOf(data);
    case "updates":
      return publicUpdates(recordOf(data));
    case "tasks":
      return publicTask(recordOf(data));
    case "checkpoints":
      return publicCheckpoint(recordOf(data));
    case "debug":
      return publicDebug(recordOf(data));
    case "events":
      return publicEvent(recordOf(data));
    default:
      return mode satisfies never;
  }
}

/** By node; one that ran several times in a step has a list. */
function publicUpdates(updates: PrivateValues): JsonObject {
  const byNode = Object.entries(updates).filter(([node]) => !node.startsWith("__"));
  return Object.fromEntries(
    byNode.map(([node, update]) => [
      node,
      Array.isArray(update) ? update.map(valuesOf) : update === null ? null : valuesOf(update),
    ]),
  );
}

/** A task that begins has an input, one that has ended a result, maybe an error. */
function publicTask(task: PrivateValues): JsonObject {
  return {
    ...pick(task, ["id", "name", "triggers"]),
    ...("input" in task ? { input: valuesOf(task["input"]) } : {}),
    ...(task["result"] === undefined ? {} : { result: valuesOf(task["result"]) }),
    ...(task["error"] === undefined ? {} : { error: publicError(task["error"]) }),
    interrupts: [],
  };
}

/** An error's text may quote what is nobody's business: the turn's `error` event says what may be said. */
function publicError(error: unknown): Json {
  return error === null ? null : "The task failed";
}

function publicCheckpoint(checkpoint: PrivateValues): Json {
  // The light kind that comes before `values` says nothing that those do not.
  if (!("values" in checkpoint)) return null;
  const own = placeOf(checkpoint["config"]);
  const parent = placeOf(checkpoint["parentConfig"]);
  const tasks: readonly unknown[] = Array.isArray(checkpoint["tasks"]) ? checkpoint["tasks"] : [];
  return {
    values: valuesOf(checkpoint["values"]),
    next: JsonSchema.parse(checkpoint["next"] ?? []),
    config: own === null ? {} : { configurable: own },
    checkpoint: own,
    metadata: pick(recordOf(checkpoint["metadata"]), ["source", "step", "parents"]),
    parent_config: parent === null ? null : { configurable: parent },
    parent_checkpoint: parent,
    tasks: tasks.map((task) => publicTask(recordOf(task))),
  };
}

function placeOf(config: unknown): JsonObject | null {
  const { configurable } = recordOf(config);
  if (configurable === undefined) return null;
  return pick(recordOf(configurable), ["thread_id", "checkpoint_ns", "checkpoint_id"]);
}

function publicDebug(chunk: PrivateValues): Json {
  const payload = recordOf(chunk["payload"]);
  const shown = chunk["type"] === "checkpoint" ? publicCheckpoint(payload) : publicTask(payload);
  return shown === null ? null : { ...pick(chunk, ["step", "type", "timestamp"]), payload: shown };
}

/** Only chains (the graph, its nodes and routes) are told with data: a model's holds prompts. */
function publicEvent(event: PrivateValues): Json {
  const name = z.string().catch("").parse(event["event"]);
  const tags: readonly unknown[] = Array.isArray(event["tags"]) ? event["tags"] : [];
  if (tags.includes("langsmith:hidden")) return null;
  return {
    ...pick(event, ["event", "name", "run_id", "tags", "parent_ids"]),
    metadata: pick(recordOf(event["metadata"]), EVENT_METADATA),
    data: name.startsWith("on_chain_") ? publicEventData(recordOf(event["data"])) : {},
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
      data[part] === undefined ? [] : [[part, valuesOf(data[part])]],
    ),
  );
}

function valuesOf(values: unknown): JsonObject {
  return publicValues(recordOf(values));
}

/** Those of the keys that are there, and strict JSON. */
function pick(record: PrivateValues, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    keys.flatMap((key): [string, Json][] => {
      const value = JsonSchema.safeParse(record[key]);
      return record[key] === undefined || !value.success ? [] : [[key, value.data]];
    }),
  );
}

/** Its own keys; none where it is something else. */
function recordOf(value: unknown): PrivateValues {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
