import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { z } from "zod";
import type { ToolCall, Usage } from "../../state/model.ts";
import { readLooseObject } from "../answers/find-json.ts";
import { parseExactJson } from "../../text/exact-json.ts";

/** A tool call with its arguments as they came, too. */
export interface ReadCall extends ToolCall {
  readonly rawArgs: string;
}

/** The contents of a LangChain answer, with the arguments of tool calls read like a structured answer. */
export interface ReadAnswer {
  readonly text: string;
  readonly toolCalls: readonly ReadCall[];
  readonly usage: Usage;
  /** The part of the output tokens that was spent on thinking; 0 where it was not counted. */
  readonly reasoningTokens: number;
  /** Thoughts that came beside the text; empty where none did. */
  readonly thoughts: string;
  /** True where one whole answer came instead of a stream. */
  readonly isWhole: boolean;
  /** Null where the endpoint named none: a stream without one was cut. */
  readonly finishReason: string | null;
  /** True when the length limit cut the answer off. */
  readonly truncated: boolean;
  /** True where the model refused to answer. */
  readonly refused: boolean;
}

/** Reads a complete answer, streamed or not. */
export function readAnswer(message: BaseMessage): ReadAnswer {
  const { refusal, reasoning_content: thoughts } = message.additional_kwargs;
  return {
    text: message.text,
    toolCalls: readRawCalls(message).map(readCall),
    ...readUsage(message),
    thoughts: typeof thoughts === "string" ? thoughts : "",
    isWhole: message.additional_kwargs[WHOLE_ANSWER] === true,
    finishReason: readFinishReason(message),
    truncated: isTruncated(message),
    refused: typeof refusal === "string" && refusal !== "",
  };
}

/** The key of an answer's `additional_kwargs` that is true where no stream came although one was requested. */
export const WHOLE_ANSWER = "whole_answer";

/** The key of an answer's `additional_kwargs` that holds calls which LangChain was not shown. */
export const RAW_CALLS = "raw_calls";

const RawCallsSchema = z.array(
  z.object({
    id: z.string().optional().catch(undefined),
    function: z.object({ name: z.string().catch(""), arguments: z.string().catch("") }),
  }),
);

interface RawCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: string | undefined;
}

/**
 * The calls with their arguments as text: LangChain mends broken JSON of streamed calls, and a
 * mended call is a guessed one.
 */
function readRawCalls(message: BaseMessage): readonly RawCall[] {
  const raw = RawCallsSchema.safeParse(message.additional_kwargs[RAW_CALLS]);
  if (raw.success) {
    return raw.data.map((call) => ({
      id: call.id,
      name: call.function.name,
      args: call.function.arguments,
    }));
  }
  const chunks = AIMessageChunk.isInstance(message) ? (message.tool_call_chunks ?? []) : [];
  if (chunks.length > 0) return chunks;
  const answer = aiMessage(message);
  const parsed = (answer?.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.name,
    args: JSON.stringify(call.args),
  }));
  return [...parsed, ...(answer?.invalid_tool_calls ?? [])];
}

function readCall({ id = "", name = "", args = "" }: RawCall, index: number): ReadCall {
  const parsed = parseArguments(args);
  return { id: id === "" ? `call_${index + 1}` : id, name, rawArgs: args, ...parsed };
}

/** The message as an answer; LangChain's guard holds for chunks too. */
function aiMessage(message: unknown): AIMessage | null {
  return AIMessage.isInstance(message) ? message : null;
}

function parseArguments(text: string): Pick<ToolCall, "args" | "argsError"> {
  // Some endpoints send nothing at all for a tool without parameters.
  if (text.trim() === "") return { args: {}, argsError: null };
  const args = readLooseObject(text);
  if (args !== undefined) return { args, argsError: null };
  try {
    return { args: parseExactJson(text), argsError: null };
  } catch (error) {
    return { args: null, argsError: error instanceof Error ? error.message : "not JSON" };
  }
}

const tokens = z.number().nonnegative().catch(0).transform(Math.trunc);
const UsageMetadataSchema = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  input_token_details: z.object({ cache_read: tokens }).catch({ cache_read: 0 }),
  output_token_details: z.object({ reasoning: tokens }).catch({ reasoning: 0 }),
});

/** Endpoints leave out what they do not count, and clients pass that on. */
function readUsage(message: BaseMessage): Pick<ReadAnswer, "usage" | "reasoningTokens"> {
  const read = UsageMetadataSchema.safeParse(aiMessage(message)?.usage_metadata);
  if (!read.success) return { usage: { input: 0, cached: 0, output: 0 }, reasoningTokens: 0 };
  const { input_tokens, output_tokens, input_token_details, output_token_details } = read.data;
  return {
    usage: { input: input_tokens, cached: input_token_details.cache_read, output: output_tokens },
    reasoningTokens: output_token_details.reasoning,
  };
}

/** Chat Completions calls it `finish_reason`, the Responses API `status`, with a reason where it is incomplete. */
function readFinishReason(message: BaseMessage): string | null {
  const { finish_reason, status, incomplete_details } = message.response_metadata;
  const incomplete = IncompleteSchema.safeParse(incomplete_details).data?.reason;
  const named = [finish_reason, incomplete, status].filter((reason) => typeof reason === "string");
  return named.find((reason) => reason !== "") ?? null;
}

/** The finish reasons of endpoints for an answer that reached its limit. */
const LENGTH = new Set(["length", "max_tokens", "max_output_tokens"]);
const IncompleteSchema = z.object({ reason: z.string() });

/** Chat Completions give it as the reason of the end, the Responses API as that of an incomplete answer. */
function isTruncated(message: BaseMessage): boolean {
  const { finish_reason, status, incomplete_details } = message.response_metadata;
  if (typeof finish_reason === "string") return LENGTH.has(finish_reason.toLowerCase());
  if (status !== "incomplete") return false;
  const details = IncompleteSchema.safeParse(incomplete_details);
  return !details.success || LENGTH.has(details.data.reason);
}
