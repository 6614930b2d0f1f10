import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import {
  AIMessage,
  AIMessageChunk,
  type AIMessageChunkFields,
  type BaseMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { z } from "zod";
import { countTokens } from "../models/tokens.ts";
import type { SimulatedWords } from "../state/simulated-words.ts";
import { act } from "./act/act.ts";
import type { Answer, AnswerCall } from "./answer.ts";
import { converse } from "./concierge/converse.ts";
import { adviseAsExpert, mapAnswers } from "./concierge/experts.ts";
import { extractSteps, patchNotes } from "./concierge/read-notes.ts";
import { NO_WORDS } from "./language/lexicon.ts";
import { plan } from "./plan/plan.ts";
import { type ParsedPrompt, readPrompt, type Role } from "./prompt/read-prompt.ts";
import { reply } from "./reply/reply.ts";
import { fold, summarize } from "./summarize/summarize.ts";
import { understand } from "./understand/understand.ts";
import { UsageCounter } from "./usage.ts";

/** The call options that the simulated model reads; the rest is for endpoints. */
interface SimulatedCallOptions extends BaseChatModelCallOptions {
  readonly response_format?: unknown;
  readonly tools?: readonly unknown[];
}

const UNKNOWN_ROLE: Answer = {
  kind: "text",
  text: "I do not know my role here: the prompt does not say who I am.",
};

type Play = (prompt: ParsedPrompt, words: SimulatedWords) => Answer;

const ROLES: Readonly<Record<Role, Play>> = {
  understand,
  think: plan,
  act,
  reply,
  summarize,
  fold,
  concierge: converse,
  expert: adviseAsExpert,
  mapper: mapAnswers,
  workflow: extractSteps,
  "roll-over": patchNotes,
};

/** An answer as a message. The type of LangChain's default message leaves no room for usage. */
interface Answered {
  readonly message: AIMessage;
  readonly usage: UsageMetadata;
}

/**
 * A chat model that plays every role by rule.
 *
 * Contract: of the conversation and of anybody's data it knows only what the prompt says. The same
 * messages get the same answer; only the count of cached tokens depends on the prompt before.
 */
class SimulatedChatModel extends BaseChatModel<SimulatedCallOptions> {
  private readonly words: SimulatedWords;
  private readonly usage = new UsageCounter();

  constructor(words: SimulatedWords) {
    super({});
    this.words = words;
  }

  override _llmType(): string {
    return "simulated";
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<SimulatedCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, SimulatedCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const { message, usage } = this.answer(messages, options);
    const counted = Object.assign(message, { usage_metadata: usage });
    return { generations: [{ text: message.text, message: counted }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { message, usage } = this.answer(messages, options);
    const { text, tool_calls = [], response_metadata } = message;
    // Words of a text, and arguments cut anywhere but inside a code point, as endpoints send them.
    for (const piece of text.match(/(?:\s*\S+){1,4}\s*$|(?:\s*\S+){1,4}/gu) ?? []) {
      options.signal?.throwIfAborted();
      yield createChunk({ content: piece });
      await runManager?.handleLLMNewToken(piece);
    }
    for (const [index, { id = "", name, args }] of tool_calls.entries()) {
      for (const [part, piece] of (JSON.stringify(args).match(/.{1,24}/gsu) ?? []).entries()) {
        options.signal?.throwIfAborted();
        const call = { type: "tool_call_chunk" as const, index, args: piece };
        yield createChunk({
          content: "",
          tool_call_chunks: [part === 0 ? { ...call, id, name } : call],
        });
      }
    }
    yield createChunk({ content: "", response_metadata }, usage);
  }

  private answer(messages: readonly BaseMessage[], options: SimulatedCallOptions): Answered {
    const prompt = readPrompt(messages);
    const role = prompt.role ?? "unknown";
    const answer = role === "unknown" ? UNKNOWN_ROLE : ROLES[role](prompt, this.words);
    const { text, calls } = formAnswer(answer, readToolNames(options.tools ?? []));
    const shown = messages.map((message) => `${message.getType()}: ${message.text}`).join("\n\n");
    const schemas = JSON.stringify([options.response_format ?? null, options.tools ?? []]);
    const { input, cached } = this.usage.count(role, `${schemas}\n${shown}`);
    const output = countTokens([text, ...calls.map(({ args }) => JSON.stringify(args))].join("\n"));
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ name, args }, index) => {
        return {
          type: "tool_call",
          id: `call_${messages.length}_${index + 1}`,
          name,
          args: { ...args },
        };
      }),
      response_metadata: { finish_reason: calls.length > 0 ? "tool_calls" : "stop" },
    });
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    return { message, usage: { ...usage, input_token_details: { cache_read: cached } } };
  }
}

/**
 * Makes the simulated model: it needs no key and no network and has no memory of its own. Of a
 * domain without words it knows the tables and labels that prompts show.
 */
export function createSimulatedModel(
  options: { readonly words?: SimulatedWords | undefined } = {},
): BaseChatModel {
  return new SimulatedChatModel(options.words ?? NO_WORDS);
}

/** A structured answer is a text, or a call of the one tool that carries its name. */
function formAnswer(
  answer: Answer,
  tools: readonly string[],
): { readonly text: string; readonly calls: readonly AnswerCall[] } {
  if (answer.kind === "text") return { text: answer.text, calls: [] };
  if (answer.kind === "calls") return { text: "", calls: answer.calls };
  const [name, ...others] = tools;
  return name === undefined || others.length > 0
    ? { text: JSON.stringify(answer.value), calls: [] }
    : { text: "", calls: [{ name, args: answer.value }] };
}

const ToolSchema = z.object({
  name: z.string().optional(),
  function: z.object({ name: z.string() }).optional(),
});

function readToolNames(tools: readonly unknown[]): string[] {
  return tools.flatMap((tool) => {
    const { data } = ToolSchema.safeParse(tool);
    return data?.name ?? data?.function?.name ?? [];
  });
}

function createChunk(fields: AIMessageChunkFields, usage?: UsageMetadata): ChatGenerationChunk {
  const message = new AIMessageChunk(fields);
  const counted = usage === undefined ? message : Object.assign(message, { usage_metadata: usage });
  return new ChatGenerationChunk({ text: message.text, message: counted });
}
