import { randomUUID } from "node:crypto";
import { START, StateGraph, StateSchema } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { z } from "zod";

/** The number of nodes of the small graph, one after the other. */
export const SMALL_STEPS = 7;

const SmallState = new StateSchema({ count: z.number().default(0) });

function next({ count }: { readonly count: number }): { count: number } {
  return { count: count + 1 };
}

/** Makes a graph whose nodes do next to nothing: what a run takes is LangGraph and its checkpointer. */
function createSmallGraph(checkpointer: BaseCheckpointSaver) {
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

/** Runs the small graph `runs` times in all, `threads` of them at once, each run in a thread of its own, as durable as a turn. */
export async function runSmallGraph(
  checkpointer: BaseCheckpointSaver,
  { threads, runs }: { readonly threads: number; readonly runs: number },
): Promise<void> {
  const graph = createSmallGraph(checkpointer);
  let left = runs;
  const runOneByOne = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const config = { configurable: { thread_id: randomUUID() }, durability: "sync" } as const;
      await graph.invoke({ count: 0 }, config);
    }
  };
  await Promise.all(Array.from({ length: threads }, runOneByOne));
}
