import { setTimeout as delay } from "node:timers/promises";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** A chat model that takes its time, in milliseconds, before each piece of its answer. */
export class SlowChatModel extends BaseChatModel {
  /** Calls that were made. */
  calls = 0;
  /** The most calls that ran at once. */
  most = 0;
  private running = 0;
  private readonly pause: number;
  private readonly failure: Error | null;

  constructor(pause: number, failure: Error | null = null) {
    super({});
    this.pause = pause;
    this.failure = failure;
  }

  override _llmType(): string {
    return "slow";
  }

  override async _generate(): Promise<ChatResult> {
    this.calls += 1;
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await delay(this.pause);
    this.running -= 1;
    if (this.failure !== null) throw this.failure;
    return { generations: [{ text: "Soup.", message: new AIMessage("Soup.") }] };
  }

  override async *_streamResponseChunks(): AsyncGenerator<ChatGenerationChunk> {
    this.calls += 1;
    for (const text of ["Soup ", "on Monday."]) {
      yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) });
      await delay(this.pause);
    }
  }
}
