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
  type BaseMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { Runnable } from "@langchain/core/runnables";
import { countTokens } from "../models/tokens.ts";
import type { SimulatedWords } from "../state/simulated-words.ts";
import { act } from "./act/act.ts";
import { asArguments, type Answer } from "./answer.ts";
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

/** An answer in the form it was asked for. */
interface FormedAnswer {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly usage: UsageMetadata;
}

const UNKNOWN_ROLE = "I do not know my role here: the prompt does not say who I am.";

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
    const { text, calls, usage } = this.answer(messages, options);
    const message = withUsage(
      usage,
      new AIMessage({
        content: text,
        tool_calls: calls.map(({ id, name, args }) => ({
          type: "tool_call",
          id,
          name,
          args: { ...asArguments(JSON.parse(args)) },
        })),
        response_metadata: { finish_reason: finishReason(calls) },
      }),
    );
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { text, calls, usage } = this.answer(messages, options);
    for (const piece of cutText(text)) {
      options.signal?.throwIfAborted();
      yield createChunk(new AIMessageChunk({ content: piece }));
      await runManager?.handleLLMNewToken(piece);
    }
    for (const [index, call] of calls.entries()) {
      for (const [part, args] of cutArguments(call.args).entries()) {
        options.signal?.throwIfAborted();
        const named = part === 0 ? { id: call.id, name: call.name } : {};
        yield createChunk(
          new AIMessageChunk({
            content: "",
            tool_call_chunks: [{ type: "tool_call_chunk", index, args, ...named }],
          }),
        );
      }
    }
    const last = new AIMessageChunk({
      content: "",
      response_metadata: { finish_reason: finishReason(calls) },
    });
    yield createChunk(withUsage(usage, last));
  }

  private answer(messages: readonly BaseMessage[], options: SimulatedCallOptions): FormedAnswer {
    const prompt = readPrompt(messages);
    const tools = toolNames(options.tools ?? []);
    const formed = formAnswer(answerRole(prompt, this.words), { tools, round: messages.length });
    const shown = messages.map((message) => `${message.getType()}: ${message.text}`).join("\n\n");
    const schemas = JSON.stringify([options.response_format ?? null, options.tools ?? []]);
    const { input, cached } = this.usage.count(prompt.role ?? "unknown", `${schemas}\n${shown}`);
    const output = countTokens([formed.text, ...formed.calls.map(({ args }) => args)].join("\n"));
    return {
      ...formed,
      usage: {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        input_token_details: { cache_read: cached },
      },
    };
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

function answerRole(prompt: ParsedPrompt, words: SimulatedWords): Answer {
  if (prompt.role === null) return { kind: "text", text: UNKNOWN_ROLE };
  return ROLES[prompt.role](prompt, words);
}

/** A structured answer is a text, or a call of the tool that carries its name. */
function formAnswer(
  answer: Answer,
  facts: { readonly tools: ReadonlySet<string>; readonly round: number },
): Pick<FormedAnswer, "text" | "calls"> {
  switch (answer.kind) {
    case "text":
      return { text: answer.text, calls: [] };
    case "value": {
      const args = JSON.stringify(answer.value);
      // A node that asks for a value offers one tool at most: the one that carries the answer.
      const [name] = facts.tools;
      return name !== undefined && facts.tools.size === 1
        ? { text: "", calls: [{ id: `call_${facts.round}_1`, name, args }] }
        : { text: args, calls: [] };
    }
    case "calls":
      return {
        text: "",
        calls: answer.calls.map(({ name, args }, index) => ({
          id: `call_${facts.round}_${index + 1}`,
          name,
          args: JSON.stringify(args),
        })),
      };
    default:
      return answer satisfies never;
  }
}

function toolNames(tools: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    tools.flatMap((tool) => {
      const own = readName(tool);
      const inner: unknown =
        typeof tool === "object" && tool !== null ? Reflect.get(tool, "function") : null;
      return [own, readName(inner)].filter((name) => name !== null);
    }),
  );
}

function readName(value: unknown): string | null {
  const name: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "name") : null;
  return typeof name === "string" ? name : null;
}

/** The type of LangChain's default message leaves no room for usage; the field is there all the same. */
function withUsage<T extends BaseMessage>(usage: UsageMetadata, message: T): T {
  return Object.assign(message, { usage_metadata: usage });
}

function finishReason(calls: FormedAnswer["calls"]): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function createChunk(message: AIMessageChunk): ChatGenerationChunk {
  return new ChatGenerationChunk({ text: message.text, message });
}

/** Arguments in pieces, as endpoints cut them: anywhere but inside a code point. */
function cutArguments(args: string): string[] {
  return args.match(/.{1,24}/gsu) ?? [];
}

/** A text in pieces of a few words; whole code points always. */
function cutText(text: string): string[] {
  return text.match(/(?:\s*\S+){1,4}\s*$|(?:\s*\S+){1,4}/gu) ?? (text === "" ? [] : [text]);
}
