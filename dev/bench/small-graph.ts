import { randomUUID } from "node:crypto";
import { START, StateGraph, StateSchema } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { z } from "zod";

/** How many nodes the small graph has, one after the other. */
export const SMALL_STEPS = 7;

const SmallState = new StateSchema({ count: z.number().default(0) });

function next({ count }: { readonly count: number }): { count: number } {
  return { count: count + 1 };
}

/** Makes a graph whose nodes do next to nothing: what a run takes is LangGraph and its checkpointer. */
export function createSmallGraph(checkpointer: BaseCheckpointSaver) {
  return new StateGraph(SmallState)
    .addNode("n1", next)
    .addNode("n2", next)
    .addNode("n3", next)
    .addNode("n4", next)
    .addNode("n5", next)
    .addNode("n6", next)
    .addNode("n7", next)
    .addEdge(START, "n1")
    .addEdge("n1", "n2")
    .addEdge("n2", "n3")
    .addEdge("n3", "n4")
    .addEdge("n4", "n5")
    .addEdge("n5", "n6")
    .addEdge("n6", "n7")
    .compile({ checkpointer });
}

/** Runs the graph once, in a thread of its own, as durable as a turn. */
export async function runSmallGraph(graph: ReturnType<typeof createSmallGraph>): Promise<void> {
  await graph.invoke(
    { count: 0 },
    { configurable: { thread_id: randomUUID() }, durability: "sync" },
  );
}
