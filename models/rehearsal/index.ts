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
import { countTokens } from "../tokens.ts";
import { act } from "./act/act.ts";
import { ADVICE } from "./advice/general.ts";
import { asArguments, type Answer } from "./answer.ts";
import { converse } from "./concierge/concierge.ts";
import { adviseAsExpert } from "./concierge/expert.ts";
import { extractSteps } from "./concierge/extract-steps.ts";
import { mapAnswers } from "./concierge/mapper.ts";
import { patchNotes } from "./concierge/patch-notes.ts";
import { fold } from "./minutes/fold.ts";
import { summarize } from "./minutes/summarize.ts";
import { type ParsedPrompt, readPrompt } from "./prompt/read-prompt.ts";
import { reply } from "./reply/reply.ts";
import { think } from "./think/think.ts";
import { understand } from "./understand/understand.ts";
import { createUsageCounter, type UsageCounter } from "./usage.ts";
import { KITCHEN } from "./world/kitchen.ts";
import type { World } from "./world/world.ts";

export type { World } from "./world/world.ts";

/** What the rehearsal model looks at of a call's options; the rest is for endpoints. */
interface RehearsalCallOptions extends BaseChatModelCallOptions {
  readonly response_format?: unknown;
  readonly tools?: readonly unknown[];
}

/** What is sent back, whatever form it was asked for in. */
interface Spoken {
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
class RehearsalChatModel extends BaseChatModel<RehearsalCallOptions> {
  private readonly world: World;
  private readonly usage: UsageCounter;

  constructor(world: World) {
    super({});
    this.world = world;
    this.usage = createUsageCounter();
  }

  override _llmType(): string {
    return "rehearsal";
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<RehearsalCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, RehearsalCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const { text, calls, usage } = this.speak(messages, options);
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
    const { text, calls, usage } = this.speak(messages, options);
    for (const piece of piecesOf(text)) {
      options.signal?.throwIfAborted();
      yield chunkOf(new AIMessageChunk({ content: piece }));
      await runManager?.handleLLMNewToken(piece);
    }
    for (const [index, call] of calls.entries()) {
      for (const [part, args] of slicesOf(call.args).entries()) {
        options.signal?.throwIfAborted();
        const named = part === 0 ? { id: call.id, name: call.name } : {};
        yield chunkOf(
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
    yield chunkOf(withUsage(usage, last));
  }

  private speak(messages: readonly BaseMessage[], options: RehearsalCallOptions): Spoken {
    const prompt = readPrompt(messages);
    const tools = toolNames(options.tools ?? []);
    const answer = answerOf(prompt, { world: this.world, tools });
    const said = inForm(answer, { tools, round: messages.length });
    const shown = messages.map((message) => `${message.getType()}: ${message.text}`).join("\n\n");
    const schemas = JSON.stringify([options.response_format ?? null, options.tools ?? []]);
    const { input, cached } = this.usage.count(prompt.role ?? "unknown", `${schemas}\n${shown}`);
    const output = countTokens([said.text, ...said.calls.map(({ args }) => args)].join("\n"));
    return {
      ...said,
      usage: {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        input_token_details: { cache_read: cached },
      },
    };
  }
}

/** Makes the rehearsal model: no key, no network, no memory of its own. The default world is a kitchen. */
export function createRehearsalModel(options: { readonly world?: World } = {}): BaseChatModel {
  return new RehearsalChatModel(options.world ?? KITCHEN);
}

function answerOf(
  prompt: ParsedPrompt,
  options: { readonly world: World; readonly tools: ReadonlySet<string> },
): Answer {
  const { world } = options;
  switch (prompt.role) {
    case "understand":
      return understand(prompt, world);
    case "think":
      return think(prompt, world);
    case "act":
      return act(prompt, options);
    case "reply":
      return reply(prompt, world);
    case "summarize":
      return summarize(prompt);
    case "fold":
      return fold(prompt);
    case "concierge":
      return converse(prompt, ADVICE);
    case "expert":
      return adviseAsExpert(prompt, ADVICE);
    case "mapper":
      return mapAnswers(prompt);
    case "workflow":
      return extractSteps(prompt);
    case "roll-over":
      return patchNotes(prompt);
    case null:
      return { kind: "text", text: UNKNOWN_ROLE };
    default:
      return prompt.role satisfies never;
  }
}

/** A structured answer is a text, or a call of the tool that carries its name. */
function inForm(
  answer: Answer,
  facts: {
    readonly tools: ReadonlySet<string>;
    readonly round: number;
  },
): Pick<Spoken, "text" | "calls"> {
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
      const own = nameOf(tool);
      const inner: unknown =
        typeof tool === "object" && tool !== null ? Reflect.get(tool, "function") : null;
      return [own, nameOf(inner)].filter((name) => name !== null);
    }),
  );
}

function nameOf(value: unknown): string | null {
  const name: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "name") : null;
  return typeof name === "string" ? name : null;
}

/** The type of LangChain's default message leaves no room for usage; the field is there all the same. */
function withUsage<T extends BaseMessage>(usage: UsageMetadata, message: T): T {
  return Object.assign(message, { usage_metadata: usage });
}

function finishReason(calls: Spoken["calls"]): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

function chunkOf(message: AIMessageChunk): ChatGenerationChunk {
  return new ChatGenerationChunk({ text: message.text, message });
}

/** Arguments in pieces, as endpoints cut them: anywhere but inside a code point. */
function slicesOf(args: string): string[] {
  return args.match(/.{1,24}/gsu) ?? [];
}

/** A text in pieces of a few words; whole code points always. */
function piecesOf(text: string): string[] {
  return text.match(/(?:\s*\S+){1,4}\s*$|(?:\s*\S+){1,4}/gu) ?? (text === "" ? [] : [text]);
}
