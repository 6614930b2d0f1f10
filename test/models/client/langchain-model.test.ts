import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { DECISION, modelRequest } from "../../support/model-requests.ts";
import { z } from "zod";
import {
  createLangChainModel,
  type LangChainModelOptions,
} from "../../../models/client/langchain-model.ts";
import { limitsWith } from "../../../state/limits.ts";
import type { LanguageModel } from "../../../state/model.ts";

const REQUEST = modelRequest();

type Answer = (messages: BaseMessage[], options: Record<string, unknown>) => AIMessage;

/** A chat model that answers by a function and keeps the options it was called with. */
class FunctionChatModel extends BaseChatModel {
  readonly calls: Record<string, unknown>[] = [];
  private readonly answer: Answer;

  constructor(answer: Answer) {
    super({});
    this.answer = answer;
  }

  override _llmType(): string {
    return "function";
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const message = this.ask(messages, options);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text } = this.ask(messages, options);
    for (const piece of text.match(/.{1,4}/gs) ?? []) {
      yield new ChatGenerationChunk({ text: piece, message: new AIMessageChunk(piece) });
    }
  }

  private ask(messages: BaseMessage[], options: object): AIMessage {
    this.calls.push({ ...options });
    return this.answer(messages, { ...options });
  }
}

/** A chat model that never answers and cannot be stopped. */
class DeafChatModel extends BaseChatModel {
  override _llmType(): string {
    return "deaf";
  }

  override _generate(): Promise<ChatResult> {
    return new Promise(() => undefined);
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    await new Promise(() => undefined);
    yield* [];
  }
}

function openModel(
  chat: BaseChatModel,
  changes: Partial<LangChainModelOptions> = {},
): LanguageModel {
  return createLangChainModel({
    chat,
    name: "function",
    endpoint: null,
    ...changes,
  });
}

test("complete() shows any chat model the call's bounds, schema and tools", async () => {
  const chat = new FunctionChatModel((_, { tools }) =>
    tools === undefined
      ? new AIMessage('{"decision":"act"}')
      : new AIMessage({
          content: "",
          tool_calls: [{ id: "call_1", name: "decision", args: { decision: "act" } }],
        }),
  );

  await openModel(chat).complete({ ...REQUEST, schema: DECISION });
  await openModel(chat).complete({ ...REQUEST, tools: [DECISION], toolChoice: "required" });

  const { name, description, schema } = DECISION;
  expect(chat.calls).toEqual([
    expect.objectContaining({
      max_completion_tokens: 500,
      response_format: {
        type: "json_schema",
        json_schema: { name, description, strict: true, schema },
      },
    }),
    expect.objectContaining({
      max_completion_tokens: 500,
      tools: [
        { type: "function", function: { name, description, strict: true, parameters: schema } },
      ],
      tool_choice: "required",
    }),
  ]);
});

test.each([null, () => undefined])(
  "complete() does not wait for a chat model that heeds no signal (onText %s)",
  async (onText) => {
    const chat = new DeafChatModel({});
    const stop = new AbortController();

    const late = openModel(chat, { limits: limitsWith({ modelSeconds: 1 }) }).complete({
      ...REQUEST,
      onText,
    });
    await expect(late).rejects.toMatchObject({ code: "model_timeout" });
    const stopped = openModel(chat).complete({ ...REQUEST, onText, signal: stop.signal });
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: "model_aborted" });
  },
);

test("complete() returns a refusal as the model's own words, asked for once", async () => {
  const refusal = "I cannot help with that.";
  const chat = new FunctionChatModel(
    () => new AIMessage({ content: refusal, additional_kwargs: { refusal } }),
  );

  const answer = await openModel(chat).complete({ ...REQUEST, schema: DECISION });

  expect(answer).toMatchObject({ text: refusal, refused: true });
  expect(chat.calls).toHaveLength(1);
});

test.each([null, () => undefined])(
  "complete() stays out of LangGraph's stream of messages (onText %s)",
  async (onText) => {
    const model = openModel(new FunctionChatModel(() => new AIMessage("Soup on Monday.")));
    const State = new StateSchema({ text: z.string().default("") });
    const graph = new StateGraph(State)
      .addNode("reply", async () => ({ text: (await model.complete({ ...REQUEST, onText })).text }))
      .addEdge(START, "reply")
      .addEdge("reply", END)
      .compile();
    const parts: unknown[] = [];

    for await (const part of await graph.stream({}, { streamMode: ["messages", "values"] })) {
      parts.push(part);
    }

    expect(parts).toEqual([["values", { text: "Soup on Monday." }]]);
  },
);
