import { randomUUID } from "node:crypto";
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** A turn of a conversation that was held elsewhere. */
export interface SpokenTurn {
  readonly message: string;
  readonly reply: string;
}

/** A plain agent that keeps the whole transcript in its state, as LangGraph's first examples do. */
export interface MessagesAgent {
  /** Puts turns into its state at once, as if they had been played. */
  readonly fill: (turns: readonly SpokenTurn[]) => Promise<void>;
  /** Plays a turn: the message, a tool's call, its result, the reply. */
  readonly play: (turn: SpokenTurn) => Promise<void>;
}

const AgentState = new StateSchema({ messages: MessagesValue });

/**
 * Makes the agent in a thread of its own. It says what the turns say; each has one tool call, whose
 * result is as long as the reply that was made of it.
 */
export function createMessagesAgent(checkpointer: BaseCheckpointSaver): MessagesAgent {
  let turn: SpokenTurn = { message: "", reply: "" };
  const graph = new StateGraph(AgentState)
    .addNode("decide", () => ({ messages: [callOf(turn)] }))
    .addNode("tools", () => ({ messages: [resultOf(turn)] }))
    .addNode("answer", () => ({ messages: [answerOf(turn)] }))
    .addEdge(START, "decide")
    .addEdge("decide", "tools")
    .addEdge("tools", "answer")
    .compile({ checkpointer });
  const config = { configurable: { thread_id: randomUUID() }, durability: "sync" as const };
  return {
    fill: async (turns) => {
      const messages = turns.flatMap((past) => [
        inputOf(past),
        callOf(past),
        resultOf(past),
        answerOf(past),
      ]);
      if (messages.length > 0) await graph.updateState(config, { messages }, "answer");
    },
    play: async (next) => {
      turn = next;
      await graph.invoke({ messages: [inputOf(next)] }, config);
    },
  };
}

function inputOf({ message }: SpokenTurn): BaseMessage {
  return new HumanMessage({ id: randomUUID(), content: message });
}

function callOf({ message }: SpokenTurn): BaseMessage {
  const call = { name: "db_read", args: { table: "inventory", words: message }, id: "call_1" };
  return new AIMessage({ id: randomUUID(), content: "", tool_calls: [call] });
}

function resultOf({ reply }: SpokenTurn): BaseMessage {
  return new ToolMessage({ id: randomUUID(), content: reply, tool_call_id: "call_1" });
}

function answerOf({ reply }: SpokenTurn): BaseMessage {
  return new AIMessage({ id: randomUUID(), content: reply });
}
