import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";

/** What a chat model was sent in one call. */
export interface ChatCall {
  readonly messages: readonly BaseMessage[];
  /** Whether tools were offered. */
  readonly tools: boolean;
}

interface ScriptedCallOptions extends BaseChatModelCallOptions {
  readonly tools?: readonly unknown[];
}

/** A chat model that answers what the script says. */
class ScriptedChatModel extends BaseChatModel<ScriptedCallOptions> {
  private readonly answer: (call: ChatCall) => AIMessage;

  constructor(answer: (call: ChatCall) => AIMessage) {
    super({});
    this.answer = answer;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<ScriptedCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, ScriptedCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const message = this.answer({ messages, tools: (options.tools ?? []).length > 0 });
    return { generations: [{ text: message.text, message }] };
  }
}

/** Makes a chat model for LangChain's agents; `answer` is asked once a call, in order. */
export function createScriptedChatModel(answer: (call: ChatCall) => AIMessage): BaseChatModel {
  return new ScriptedChatModel(answer);
}
