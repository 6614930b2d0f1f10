import { OpenAIClient } from "@langchain/openai";
import { z } from "zod";
import { property } from "../failures/diagnose.ts";
import { readReportedError, readReportedStatus } from "../failures/reported-error.ts";
import { NotAnAnswerError, StreamedAnswerError } from "./not-an-answer.ts";
import { WHOLE_ANSWER } from "./read-answer.ts";
import { readBodyLines } from "./read-body-lines.ts";

type Completion = OpenAIClient.Chat.ChatCompletion;
type Chunk = OpenAIClient.Chat.ChatCompletionChunk;

/**
 * Reads a whole answer, whatever type its response claims.
 *
 * @throws StreamedAnswerError where a stream came instead, NotAnAnswerError for anything else.
 */
export async function readCompletion(response: Response): Promise<Completion> {
  if (response.headers.get("content-type")?.startsWith(EVENT_STREAM) === true) {
    await response.body?.cancel();
    throw new StreamedAnswerError("Cannot read the answer: it is a stream");
  }
  const text = await response.text();
  if (/^\s*(?:data|event)?:/.test(text)) {
    throw new StreamedAnswerError("Cannot read the answer: it is a stream");
  }
  return parseCompletion(text);
}

const EVENT_STREAM = "text/event-stream";

/**
 * Yields the pieces of a streamed answer; an endpoint that heeds no `stream` gives one, of the
 * whole answer. A stream that says something and is then declared done is given the reason of its
 * end that it left out.
 */
export async function* readCompletionStream(response: Response): AsyncGenerator<Chunk> {
  let last: Chunk | null = null;
  let isNamed = false;
  let first: number | undefined;
  for await (const { name, data } of readEvents(response)) {
    if (name === WHOLE) {
      yield toChunk(parseCompletion(data));
      return;
    }
    if (data === "[DONE]") {
      if (last !== null && !isNamed) yield { ...last, choices: [ENDED], usage: null };
      return;
    }
    const value = parseJson(data);
    throwStreamedError(name, { value, response });
    const { data: chunk } = ChunkSchema.safeParse(value);
    if (chunk === undefined) throw new NotAnAnswerError("Cannot read the answer: it is no object");
    // Of several answers to one question the one that began first is read.
    const given = chunk.choices ?? [];
    first ??= given[0]?.index;
    const choices = given.filter(({ index }) => (index ?? 0) === (first ?? 0));
    const { isEnd, isPart } = readProgress({ choices });
    isNamed ||= isEnd;
    if (isPart) last = chunk;
    yield { ...chunk, choices: choices.map(unifyDelta) };
  }
}

const ENDED: Chunk["choices"][number] = { index: 0, delta: {}, finish_reason: "stop" };
/** The name of what is no event but the body itself. */
const WHOLE = "whole";

interface ServerEvent {
  /** Empty where it has none. */
  readonly name: string;
  readonly data: string;
}

/** Yields the events of a response; where its body is one JSON object, that. */
async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  const whole: string[] = [];
  let name = "";
  let data: string[] = [];
  let hasBegun = false;
  for await (const line of readBodyLines(response)) {
    if (whole.length > 0 || (!hasBegun && line.trimStart().startsWith("{"))) {
      whole.push(line);
      continue;
    }
    hasBegun ||= line.trim() !== "";
    if (line === "") {
      if (data.length > 0) yield { name, data: data.join("\n") };
      [name, data] = ["", []];
      continue;
    }
    const [, field, value = ""] = /^(data|event): ?(.*)$/s.exec(line) ?? [];
    if (field === "data") data.push(value);
    else if (field === "event") name = value;
  }
  if (whole.length > 0) yield { name: WHOLE, data: whole.join("\n") };
  else if (data.length > 0) yield { name, data: data.join("\n") };
}

const ChunkSchema = z.custom<Chunk>((value) => typeof value === "object" && value !== null);
const CompletionSchema = z.custom<Completion>(
  (value) => z.object({ choices: z.array(z.object({})).min(1) }).safeParse(value).success,
);

function parseCompletion(text: string): Completion {
  const value = parseJson(text);
  throwReportedError(value);
  const { data: read } = CompletionSchema.safeParse(value);
  if (read !== undefined) {
    return { ...read, choices: read.choices.slice(0, 1).map(unifyWhole) };
  }
  throwFailure(value);
  throw new NotAnAnswerError('Cannot read the answer: it has no "choices"');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotAnAnswerError("Cannot read the answer: it is not JSON");
  }
}

type Whole = Completion["choices"][number];
type Delta = Chunk["choices"][number];

function unifyWhole({ message, ...choice }: Whole): Whole {
  return { ...choice, message: unifyMessage(message) };
}

function unifyDelta({ delta, ...choice }: Delta): Delta {
  return { ...choice, delta: unifyMessage(delta) };
}

/** Some endpoints write the content as a list of parts, and the arguments of a call as an object. */
function unifyMessage<M extends object>(message: M): M {
  const content = property(message, "content");
  const calls = property(message, "tool_calls");
  return {
    ...message,
    ...(Array.isArray(content) ? { content: content.map(readPart).join("") } : {}),
    ...(Array.isArray(calls) ? { tool_calls: calls.map(unifyCall) } : {}),
  };
}

function readPart(part: unknown): string {
  const text = property(part, "text");
  return typeof text === "string" ? text : "";
}

function unifyCall(call: object): object {
  const named = property(call, "function");
  const args = property(named, "arguments") ?? "";
  if (typeof named !== "object" || (typeof args === "string" && args !== "")) return call;
  return { ...call, function: { ...named, arguments: args === "" ? "" : JSON.stringify(args) } };
}

/** A whole answer is complete, whether it says so or not. */
function toChunk({ choices, ...rest }: Completion): Chunk {
  return ChunkSchema.parse({
    ...rest,
    choices: choices.map(({ message, finish_reason, ...choice }) => ({
      ...choice,
      finish_reason: finish_reason ?? "stop",
      delta: {
        ...message,
        tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })),
        [WHOLE_ANSWER]: true,
      },
    })),
  });
}

const ProgressSchema = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z.object({ content: z.unknown(), tool_calls: z.unknown() }).partial().nullish(),
    }),
  ),
});

function readProgress(value: unknown): { readonly isEnd: boolean; readonly isPart: boolean } {
  const { finish_reason, delta } = ProgressSchema.safeParse(value).data?.choices[0] ?? {};
  return {
    isEnd: (finish_reason ?? "") !== "",
    isPart: (delta?.content ?? "") !== "" || delta?.tool_calls != null,
  };
}

/** Routers report what a provider failed of in an answer with status 200. */
function throwReportedError(answer: unknown): void {
  const error = readReportedError(answer);
  const status = readReportedStatus(error);
  if (status === null) return;
  throw OpenAIClient.APIError.generate(status, { error }, undefined, new Headers());
}

/** Throws the error that an answer reports in place of its content: without a status, as one in a stream. */
export function throwFailure(answer: unknown): void {
  const error = readReportedError(answer);
  if (error === null) return;
  throw new OpenAIClient.APIError(undefined, error, undefined, new Headers());
}

interface ReceivedEvent {
  readonly value: unknown;
  readonly response: Response;
}

/** A failure after the first byte comes as an event, with the status of success before it. */
function throwStreamedError(name: string, { value, response }: ReceivedEvent): void {
  const error = readReportedError(value);
  if (name !== "error" && error === null) return;
  throw new OpenAIClient.APIError(undefined, error ?? {}, undefined, response.headers);
}
