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
import { JsonObjectSchema } from "../state/json.ts";
import type { SimulatedWords } from "../state/simulated-words.ts";
import { act } from "./act/act.ts";
import type { Answer } from "./answer.ts";
import { converse } from "./concierge/converse.ts";
import { adviseAsExpert, mapAnswers } from "./concierge/experts.ts";
import { extractSteps, patchNotes } from "./concierge/read-notes.ts";
import { NO_WORDS } from "./language/lexicon.ts";
import { plan } from "./plan/plan.ts";
import {
  type OfferedTool,
  type ParsedPrompt,
  readPrompt,
  type Role,
} from "./prompt/read-prompt.ts";
import { reply } from "./reply/reply.ts";
import { summarize } from "./summarize/summarize.ts";
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
  concierge: converse,
  expert: adviseAsExpert,
  mapper: mapAnswers,
  workflow: extractSteps,
  "roll-over": patchNotes,
};

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
    const { usage, ...fields } = this.answer(messages, options);
    const message = Object.assign(new AIMessage(fields), { usage_metadata: usage });
    return { generations: [{ text: fields.content, message }] };
  }

  /** Streams a text in pieces of a few words, as endpoints send them; calls come whole. */
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { content, tool_calls: calls, usage, ...fields } = this.answer(messages, options);
    for (const piece of splitPieces(content)) {
      options.signal?.throwIfAborted();
      yield createChunk({ content: piece });
      await runManager?.handleLLMNewToken(piece);
    }
    const chunks = calls.map(({ id, name, args }, index) => {
      return { type: "tool_call_chunk" as const, index, id, name, args: JSON.stringify(args) };
    });
    yield createChunk({ content: "", tool_call_chunks: chunks, ...fields }, usage);
  }

  private answer(messages: readonly BaseMessage[], options: SimulatedCallOptions) {
    const tools = readTools(options.tools ?? []);
    const prompt = readPrompt(messages, tools);
    const answer = prompt.role === null ? UNKNOWN_ROLE : ROLES[prompt.role](prompt, this.words);
    const { text, calls } = formAnswer(
      answer,
      tools.map(({ name }) => name),
    );
    const shown = messages.map((message) => `${message.getType()}: ${message.text}`).join("\n\n");
    const schemas = JSON.stringify([options.response_format ?? null, options.tools ?? []]);
    const { input, cached } = this.usage.count(prompt.role ?? "", `${schemas}\n${shown}`);
    const output = countTokens([text, ...calls.map(({ args }) => JSON.stringify(args))].join("\n"));
    return {
      content: text,
      tool_calls: calls.map(({ name, args }, index) => {
        return { id: `call_${messages.length}_${index + 1}`, name, args: { ...args } };
      }),
      response_metadata: { finish_reason: calls.length > 0 ? "tool_calls" : "stop" },
      usage: {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        input_token_details: { cache_read: cached },
      },
    };
  }
}

export interface SimulatedOptions {
  /** Words by which it knows a domain. */
  readonly words?: SimulatedWords | undefined;
  /** Columns that the label of each type reads. Default: none is known. */
  readonly labels?: SimulatedWords["labels"];
}

/**
 * Makes the simulated model: it needs no key and no network and has no memory of its own. Of a
 * domain without words it knows the tables and labels that prompts show.
 */
export function createSimulatedModel({
  words = NO_WORDS,
  labels,
}: SimulatedOptions = {}): BaseChatModel {
  return new SimulatedChatModel({ ...words, labels });
}

/** Text and calls of an answer: a structured one is a text, or a call of the one tool that is offered. */
function formAnswer(answer: Answer, [tool, ...others]: readonly string[]) {
  if (answer.kind === "text") return { text: answer.text, calls: [] };
  if (answer.kind === "calls") return { text: "", calls: answer.calls };
  if (tool === undefined || others.length > 0)
    return { text: JSON.stringify(answer.value), calls: [] };
  return { text: "", calls: [{ name: tool, args: answer.value }] };
}

const FunctionSchema = z.object({
  name: z.string(),
  parameters: JsonObjectSchema.default({}),
});
/** A tool as it is bound, in either of two forms. */
const ToolSchema = z.union([
  FunctionSchema,
  z.object({ function: FunctionSchema }).transform((tool) => tool.function),
]);

function readTools(tools: readonly unknown[]): OfferedTool[] {
  return tools.flatMap((tool) => ToolSchema.safeParse(tool).data ?? []);
}

function createChunk(fields: AIMessageChunkFields, usage?: UsageMetadata): ChatGenerationChunk {
  const message = Object.assign(new AIMessageChunk(fields), { usage_metadata: usage });
  return new ChatGenerationChunk({ text: message.text, message });
}

const PIECE_WORDS = 4;

/** Splits a text into pieces of a few words, which joined are the text. Linear in its length. */
function splitPieces(text: string): readonly string[] {
  const words = text.match(/^\s+|\S+\s*/gu) ?? [];
  return Array.from({ length: Math.ceil(words.length / PIECE_WORDS) }, (_, index) =>
    words.slice(index * PIECE_WORDS, (index + 1) * PIECE_WORDS).join(""),
  );
}
