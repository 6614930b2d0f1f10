import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage, BaseMessageChunk } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";
import type { ModelRequest } from "../../state/model.ts";
import { buildCallOptions, buildCallPrompt, isStreamed, type CallForm } from "./call-options.ts";
import { toChatMessages } from "./chat-messages.ts";
import { readAnswer, type ReadAnswer } from "./read-answer.ts";
import { ThinkStripper } from "../answers/think-stripper.ts";
import { TurnEndStripper } from "../answers/turn-end-stripper.ts";

/** The endpoint sent nothing for too long. */
export class SilenceError extends Error {
  override readonly name = "SilenceError";
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Cannot wait any longer for the answer: nothing came for ${seconds} s`);
    this.seconds = seconds;
  }
}

/** A stream ended before the answer was complete. */
export class CutStreamError extends Error {
  override readonly name: string = "CutStreamError";
}

/** A stream ended in good order and did not say why: it was cut, or its endpoint never says so. */
export class UnnamedEndError extends CutStreamError {
  override readonly name = "UnnamedEndError";
}

/** An error thrown by the caller's `onText` or `onRestart`, not by the model. */
export class CallbackFailure extends Error {
  override readonly name = "CallbackFailure";
}

/** One request to a chat model. */
export interface EndpointCall extends CallForm {
  readonly chat: BaseChatModel;
  readonly request: ModelRequest;
  /** Seconds without a piece of a streamed answer, or for a whole one. */
  readonly silenceSeconds: number;
  /** True when a stream without a finish reason counts as cut off. */
  readonly namesFinish: boolean;
  /** Called once text has gone out: it has to be taken back before the call is made again. */
  readonly onDelivered: () => void;
}

/** Characters of a token at most: an answer that is longer has gone past its limit, which some endpoints do not heed. */
const TOKEN_CHARACTERS = 16;

/** An answer, with the thoughts and what follows its turn's end taken out of its text. */
export interface EndpointAnswer extends ReadAnswer {
  /** The text as it came, thoughts included. */
  readonly raw: string;
  /** Characters of thoughts that stood in the text. */
  readonly thoughtCharacters: number;
  /** Pieces of text of a streamed answer; null where it was not streamed. */
  readonly pieces: number | null;
}

/** Makes one request. @throws whatever the client throws, `SilenceError`, `CutStreamError`, `CallbackFailure`. */
export async function askEndpoint(call: EndpointCall): Promise<EndpointAnswer> {
  const messages = toChatMessages(buildCallPrompt(call.request, call.profile));
  call.signal.throwIfAborted();
  const { silenceSeconds } = call;
  const silence = new AbortController();
  const signal = AbortSignal.any([call.signal, silence.signal]);
  const watch = setTimeout(
    () => silence.abort(new SilenceError(silenceSeconds)),
    silenceSeconds * 1_000,
  );
  try {
    const ask = isStreamed(call.request, call.profile) ? stream : fetchWhole;
    return await ask(messages, { ...call, signal }, watch);
  } catch (error) {
    // A client that heeds the signal throws an error of its own.
    throw silence.signal.aborted ? silence.signal.reason : error;
  } finally {
    clearTimeout(watch);
  }
}

async function fetchWhole(messages: BaseMessage[], call: EndpointCall): Promise<EndpointAnswer> {
  const answering = call.chat.invoke(messages, buildCallOptions(call.request, call));
  const whole = toEndpointAnswer(await unlessAborted(answering, call.signal), null);
  const longest = call.outputTokens * TOKEN_CHARACTERS;
  const answer =
    whole.text.length > longest
      ? { ...whole, text: cut(whole.text, longest), truncated: true }
      : whole;
  deliver(answer.text, call);
  return answer;
}

async function stream(
  messages: BaseMessage[],
  call: EndpointCall,
  watch: NodeJS.Timeout,
): Promise<EndpointAnswer> {
  const { signal } = call;
  const stripper = new AnswerStripper();
  const longest = call.outputTokens * TOKEN_CHARACTERS;
  let [pieces, characters] = [0, 0];
  let whole: BaseMessageChunk | null = null;
  const chunks = await unlessAborted(
    call.chat.stream(messages, buildCallOptions(call.request, call)),
    signal,
  );
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    watch.refresh();
    whole = whole === null ? chunk : concat(whole, chunk);
    if (chunk.text !== "") pieces += 1;
    // One piece may be as long as any number of them.
    const piece = cut(chunk.text, longest - characters);
    characters += chunk.text.length;
    deliver(stripper.push(piece), call);
    if (characters > longest) break;
  }
  signal.throwIfAborted();
  deliver(stripper.end(), call);
  if (whole === null) throw new CutStreamError("The stream ended without an answer");
  const answer = toEndpointAnswer(whole, pieces, longest);
  if (characters > longest) return { ...answer, truncated: true };
  if (call.namesFinish && answer.finishReason === null) {
    throw new UnnamedEndError("The stream ended before the answer was complete");
  }
  return answer;
}

function deliver(text: string, { request, onDelivered }: EndpointCall): void {
  if (text === "" || request.onText === null) return;
  onDelivered();
  try {
    request.onText(text);
  } catch (cause) {
    throw new CallbackFailure("Cannot deliver text", { cause });
  }
}

/** `longest`: characters of the text that are read, thoughts included. */
function toEndpointAnswer(
  message: BaseMessage,
  pieces: number | null,
  longest = Infinity,
): EndpointAnswer {
  const read = readAnswer(message);
  const raw = cut(read.text, longest);
  const stripper = new AnswerStripper();
  const text = stripper.push(raw) + stripper.end();
  return { ...read, raw, text, thoughtCharacters: stripper.thought, pieces };
}

/** The beginning of a text, of so many characters at most; no character is halved. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, "");
}

/** Takes thinking out of a text, and what follows its end. */
class AnswerStripper {
  readonly #thinking = new ThinkStripper();
  readonly #turn = new TurnEndStripper();

  get thought(): number {
    return this.#thinking.thought;
  }

  push(delta: string): string {
    return this.#turn.push(this.#thinking.push(delta));
  }

  end(): string {
    return this.#turn.push(this.#thinking.end()) + this.#turn.end();
  }
}

/** Not every chat model watches the signal; of streams LangChain takes care once they have begun. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
