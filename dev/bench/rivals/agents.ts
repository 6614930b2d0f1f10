import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
  trimMessages,
  type BaseMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import {
  createAgent,
  createMiddleware,
  summarizationMiddleware,
  type AgentMiddleware,
} from "langchain";
import type { NamedSchema, PromptMessage } from "../../../state/model.ts";
import { outputText, type PaidCall, type PaidTurn } from "../prompts/cost.ts";
import { countOnce, messageText, promptTextOf } from "../prompts/prompt-text.ts";
import { createScriptedChatModel, type ChatCall } from "./scripted-chat-model.ts";
import type { ScriptedTurn } from "./script.ts";
import { summarizeByRule } from "./summarize.ts";

/** What one may use instead of this project, for a conversation that goes on. */
export const RIVALS = ["transcript", "trimmed", "summarised"] as const;
export type Rival = (typeof RIVALS)[number];

/** Where LangChain's documentation begins to summarise, and what it keeps; trimming has the same room. */
const MOST_TOKENS = 4_000;
const KEPT_MESSAGES = 20;

/** A conversation as an agent held it. */
export interface RivalConversation {
  readonly turns: readonly PaidTurn[];
  /** The last prompt of its agent. */
  readonly lastPrompt: string;
}

/**
 * Lets an agent of LangChain hold the conversation of the script: `transcript` keeps every message,
 * `trimmed` sends the last 4,000 tokens of them (`trimMessages` before each call), `summarised`
 * has `summarizationMiddleware` at 4,000 tokens keep the last 20 messages.
 */
export async function holdWith(
  rival: Rival,
  conversation: {
    readonly script: readonly ScriptedTurn[];
    readonly systemPrompt: string;
    readonly schemas: readonly NamedSchema[];
  },
): Promise<RivalConversation> {
  const { script, systemPrompt, schemas } = conversation;
  const answers: AIMessage[] = [];
  let calls: PaidCall[] = [];
  let lastPrompt = "";
  const model = createScriptedChatModel((call) => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error("Cannot answer: the turn's script is at its end");
    calls.push(paidCall("agent", { call, answer, schemas }));
    lastPrompt = call.messages.map((message) => messageText(promptMessage(message))).join("\n");
    return answer;
  });
  const summaryModel = createScriptedChatModel((call) => {
    const answer = new AIMessage(summarizeByRule(call.messages.map(({ text }) => text).join("\n")));
    calls.push(paidCall("summary", { call, answer, schemas: [] }));
    return answer;
  });
  const results = new Map(
    script.flatMap(({ rounds }) => rounds.flat()).map(({ id, result }) => [id, result]),
  );
  const agent = createAgent({
    model,
    systemPrompt,
    tools: schemas.map(({ name, description, schema }) =>
      tool((_args, config) => results.get(String(config.toolCall?.id)) ?? "", {
        name,
        description,
        schema,
      }),
    ),
    middleware: middlewareOf(rival, summaryModel),
  });

  const turns: PaidTurn[] = [];
  let messages: BaseMessage[] = [];
  for (const { turn, message, rounds, reply } of script) {
    calls = [];
    answers.push(...rounds.map(askingFor), new AIMessage(reply));
    const state = await agent.invoke({ messages: [...messages, new HumanMessage(message)] });
    messages = state.messages;
    turns.push({ turn, calls });
  }
  return { turns, lastPrompt };
}

/** The middleware under the part of its type that this compiler's settings can read. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is written without `exactOptionalPropertyTypes`
const summarization = summarizationMiddleware as unknown as (options: {
  readonly model: BaseChatModel;
  readonly trigger: { readonly tokens: number };
  readonly keep: { readonly messages: number };
  readonly tokenCounter: (messages: BaseMessage[]) => number;
}) => AgentMiddleware;

function middlewareOf(rival: Rival, summaryModel: BaseChatModel): AgentMiddleware[] {
  switch (rival) {
    case "transcript":
      return [];
    case "trimmed":
      return [trimming()];
    case "summarised":
      return [
        summarization({
          model: summaryModel,
          trigger: { tokens: MOST_TOKENS },
          keep: { messages: KEPT_MESSAGES },
          tokenCounter: tokensOf,
        }),
      ];
    default:
      return rival satisfies never;
  }
}

/** Before each call only the last messages are kept, from a message of the person on. */
function trimming(): AgentMiddleware {
  return createMiddleware({
    name: "Trimming",
    beforeModel: async ({ messages }) => {
      const kept = await trimMessages(messages, {
        strategy: "last",
        maxTokens: MOST_TOKENS,
        startOn: "human",
        endOn: ["human", "tool"],
        tokenCounter: tokensOf,
      });
      return { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...kept] };
    },
  });
}

function tokensOf(messages: BaseMessage[]): number {
  return messages.reduce((sum, message) => sum + countOnce(messageText(promptMessage(message))), 0);
}

function askingFor(calls: ScriptedTurn["rounds"][number]): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: calls.map(({ id, name, args }) => ({ type: "tool_call", id, name, args })),
  });
}

function paidCall(
  asker: string,
  sent: {
    readonly call: ChatCall;
    readonly answer: AIMessage;
    readonly schemas: readonly NamedSchema[];
  },
): PaidCall {
  const { call, answer, schemas } = sent;
  const messages = call.messages.map(promptMessage);
  const calls = (answer.tool_calls ?? []).map(({ name, args }) => ({ name, args }));
  return {
    asker,
    prompt: promptTextOf({ messages, schema: null, tools: call.tools ? schemas : [] }),
    output: outputText(answer.text, calls),
  };
}

/** LangChain's message as this project writes messages down, for counting. */
function promptMessage(message: BaseMessage): PromptMessage {
  const { text } = message;
  if (AIMessage.isInstance(message)) {
    const toolCalls = (message.tool_calls ?? []).map(({ id = "", name, args }) => ({
      id,
      name,
      args,
      argsError: null,
    }));
    return { role: "assistant", text, toolCalls };
  }
  if (ToolMessage.isInstance(message)) {
    return { role: "tool", callId: message.tool_call_id, name: message.name ?? "", text };
  }
  return { role: message.getType() === "system" ? "system" : "user", text };
}
