import type { StreamEvent } from "@langchain/core/tracers/log_stream";
import type { GraphMode } from "../state/run.ts";
import type { TurnGraph } from "../graph/turn-graph.ts";

/** What the graph is given: a new input, or null to go on where it stopped. */
export type GraphInput = Parameters<TurnGraph["stream"]>[0];

export interface ChunkSettings {
  readonly configurable: Readonly<Record<string, unknown>>;
  /** What is streamed besides `custom`. */
  readonly modes: readonly GraphMode[];
  /** Stops it between two nodes; null: nothing does. */
  readonly stop: AbortSignal | null;
  /** Says that a message waits. */
  readonly cut: AbortSignal;
  readonly recursionLimit: number;
}

/** One thing that the graph streams: its mode, and what LangGraph made of it. */
export type GraphChunk = readonly [mode: string, data: unknown];

/**
 * Runs the graph until it rests. Leaving the iteration would abort it. Every step on the way of a
 * chunk lets the graph run ahead of what is told of it, so there is none that is not needed.
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
  return unwrapped(graph.streamEvents(input, { ...config, version: "v2" }));
}

/** The graph's own chunks come wrapped in events. */
async function* unwrapped(events: AsyncIterable<StreamEvent>): AsyncGenerator<GraphChunk> {
  let root: string | null = null;
  for await (const event of events) {
    root ??= event.run_id;
    if (event.event === "on_chain_stream" && event.run_id === root) yield event.data.chunk;
    else yield ["events", event];
  }
}
