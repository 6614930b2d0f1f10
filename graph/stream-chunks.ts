import type { StreamEvent } from "@langchain/core/tracers/log_stream";
import type { GraphMode } from "../state/run.ts";
import type { TurnGraph } from "./turn-graph.ts";

/** Input of the graph: a new one, or null to continue where it stopped. */
export type GraphInput = Parameters<TurnGraph["stream"]>[0];

export interface ChunkSettings {
  readonly configurable: Readonly<Record<string, unknown>>;
  /** Modes streamed besides `custom`. */
  readonly modes: readonly GraphMode[];
  /** Stops the graph between two nodes; null: cannot be stopped. */
  readonly stop: AbortSignal | null;
  /** Aborts when another message is waiting. */
  readonly cut: AbortSignal;
  readonly recursionLimit: number;
}

/** One chunk of the graph's stream: its mode and its data. */
export type GraphChunk = readonly [mode: string, data: unknown];

/**
 * Runs the graph until it is idle. Leaving the iteration aborts it. Each extra step between the graph
 * and its consumer lets the graph run further ahead of the events, so avoid them.
 */
export async function streamChunks(
  graph: TurnGraph,
  input: GraphInput,
  settings: ChunkSettings,
): Promise<AsyncIterable<GraphChunk>> {
  const { modes, stop, cut, recursionLimit } = settings;
  const config = {
    configurable: { ...settings.configurable, ...(stop === null ? {} : { stop }), cut },
    durability: "sync" as const,
    recursionLimit,
    streamMode: ["custom" as const, ...modes.filter((mode) => mode !== "events")],
  };
  if (!modes.includes("events")) return graph.stream(input, config);
  return unwrapChunks(graph.streamEvents(input, { ...config, version: "v2" }));
}

/** Unwraps the graph's chunks from LangGraph's events. */
async function* unwrapChunks(events: AsyncIterable<StreamEvent>): AsyncGenerator<GraphChunk> {
  let root: string | null = null;
  for await (const event of events) {
    root ??= event.run_id;
    if (event.event === "on_chain_stream" && event.run_id === root) yield event.data.chunk;
    else yield ["events", event];
  }
}
