import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { END, START, StateGraph, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { createActNode } from "../nodes/act.ts";
import { createFinishNode } from "../nodes/finish.ts";
import { createIntakeNode } from "../nodes/intake.ts";
import type { NodeIO, NodeServices } from "../nodes/node.ts";
import { createReplyNode } from "../nodes/reply.ts";
import { createSummarizeNode } from "../nodes/summarize.ts";
import { createThinkNode } from "../nodes/think.ts";
import { createToolsNode } from "../nodes/tools.ts";
import { createUnderstandNode } from "../nodes/understand.ts";
import { EventBodySchema, type Emit } from "../state/event.ts";
import { TurnStateSchema, type TurnState, type TurnUpdate } from "../state/turn.ts";
import { routeAfterAct, routeAfterThink, routeAfterTools, routeAfterUnderstand } from "./routes.ts";

/**
 * Wires the turn: intake → understand → think → act ⇄ tools → reply → summarize → finish.
 *
 * `configurable.stop` (an `AbortSignal`) stops a turn: model calls at once, everything else between
 * two nodes, so that what a node has done is always checkpointed.
 */
export function createTurnGraph(services: NodeServices, checkpointer: BaseCheckpointSaver) {
  const node = (
    name: string,
    run: (state: TurnState, io: NodeIO) => TurnUpdate | Promise<TurnUpdate>,
  ) => observed(name, { run, clock: services.clock });
  return new StateGraph(TurnStateSchema)
    .addNode("intake", node("intake", createIntakeNode()))
    .addNode("understand", node("understand", createUnderstandNode(services)))
    .addNode("think", node("think", createThinkNode(services)))
    .addNode("act", node("act", createActNode(services)))
    .addNode("tools", node("tools", createToolsNode(services)))
    .addNode("reply", node("reply", createReplyNode(services)))
    .addNode("summarize", node("summarize", createSummarizeNode(services)))
    .addNode("finish", node("finish", createFinishNode(services)))
    .addEdge(START, "intake")
    .addEdge("intake", "understand")
    .addConditionalEdges("understand", routeAfterUnderstand, {
      reply: "reply",
      act: "act",
      think: "think",
    })
    .addConditionalEdges("think", routeAfterThink, { act: "act", reply: "reply" })
    .addConditionalEdges("act", routeAfterAct, {
      tools: "tools",
      act: "act",
      think: "think",
      reply: "reply",
    })
    .addConditionalEdges("tools", routeAfterTools, { act: "act", think: "think", reply: "reply" })
    .addEdge("reply", "summarize")
    .addEdge("summarize", "finish")
    .addEdge("finish", END)
    .compile({ checkpointer, name: "concierge" });
}

/** The compiled graph of a turn. */
export type TurnGraph = ReturnType<typeof createTurnGraph>;

/** How many super-steps a turn may take, from the limits of its plan. */
export function recursionLimitOf(limits: NodeServices["limits"]): number {
  const rounds =
    limits.stepsPerPlan * (limits.replansPerTurn + 1) * (limits.toolCallsPerStep * 2 + 4);
  return rounds + 10;
}

/** Lets a node be seen and stopped: it is announced, timed, and not begun once a stop was asked for. */
function observed(
  name: string,
  wrapped: {
    readonly run: (state: TurnState, io: NodeIO) => TurnUpdate | Promise<TurnUpdate>;
    readonly clock: () => number;
  },
) {
  return async (state: TurnState, config: LangGraphRunnableConfig): Promise<TurnUpdate> => {
    const signal = stopSignalOf(config);
    signal?.throwIfAborted();
    const emit: Emit = (event) => config.writer?.(EventBodySchema.parse(event));
    emit({ type: "node-start", node: name });
    const started = wrapped.clock();
    try {
      return await wrapped.run(state, { emit, signal });
    } finally {
      emit({ type: "node-end", node: name, ms: wrapped.clock() - started });
    }
  };
}

function stopSignalOf(config: LangGraphRunnableConfig): AbortSignal | null {
  const stop: unknown = config.configurable?.["stop"];
  return stop instanceof AbortSignal ? stop : null;
}
