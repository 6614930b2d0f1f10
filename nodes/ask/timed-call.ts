import { setTimeout as pause } from "node:timers/promises";
import { ModelError } from "../../state/model.ts";
import type {
  AcceptedAnswer,
  ModelAnswer,
  ModelWait,
  NamedSchema,
  PromptMessage,
} from "../../state/model.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { findModel } from "./fit-prompt.ts";
import { LONGEST_MS, runInTime } from "./in-time.ts";
import type { Question } from "./question.ts";

/** The prompt of one call, as it is sent. */
export interface SentPrompt {
  readonly messages: readonly PromptMessage[];
  /** The tools, or the schema of the answer. */
  readonly schemas: readonly NamedSchema[];
}

/** Everything by which a question is put to its model. */
export interface CallSetup {
  /** Null where the answer is a text or tool calls. */
  readonly schema: NamedSchema | null;
  /** Receives a text as it arrives. */
  readonly onText: ((delta: string) => void) | null;
  readonly onRestart?: () => void;
  /** Says what is wrong with an answer that is not a text. */
  readonly findProblems: (answer: AcceptedAnswer) => readonly string[];
  readonly services: NodeServices;
  readonly io: NodeIO;
}

const DROPPED = "Cannot ask the model: another call has answered first";

interface CallEvents {
  readonly onWait?: (wait: ModelWait | null) => void;
  /** The call has its place. */
  readonly onBegin?: () => void;
  /** A piece of text has arrived, and is about to be passed on. */
  readonly onText: () => void;
}

/** One call to a model, which ends in its time and passes nothing on afterwards. */
export class TimedCall {
  readonly #question: Question;
  readonly #ask: CallSetup;
  readonly #events: CallEvents;
  readonly #dropped = new AbortController();
  #hasBegun = false;
  #hasText = false;
  #isOver = false;

  constructor(question: Question, ask: CallSetup, events: CallEvents) {
    this.#question = question;
    this.#ask = ask;
    this.#events = events;
  }

  /** Ends the call; nothing that still arrives of it is passed on. */
  drop(): void {
    this.#isOver = true;
    this.#dropped.abort();
  }

  /** Waits; true where the call has its place by then, and nothing has come of it. */
  async isQuietAfter(seconds: number): Promise<boolean> {
    const ms = Math.min(seconds * 1_000, LONGEST_MS);
    await pause(ms, undefined, { signal: this.#dropped.signal }).catch(() => undefined);
    return this.#hasBegun && !this.#hasText && !this.#isOver;
  }

  /** Asks; null where the turn's budget was used up meanwhile. */
  async ask(prompt: SentPrompt, seconds: number): Promise<ModelAnswer | ModelError | null> {
    const { io } = this.#ask;
    const full = io.meter?.full;
    const signals = [io.signal, full, this.#dropped.signal].filter((signal) => signal != null);
    try {
      const answer = await runInTime((signal) => this.#complete(prompt, signal), {
        ms: seconds * 1_000,
        signal: AbortSignal.any(signals),
      });
      return answer ?? lateError(seconds);
    } catch (error) {
      if (full?.aborted === true && io.signal?.aborted !== true) return null;
      if (error instanceof ModelError) return error;
      if (this.#dropped.signal.aborted) return new ModelError("model_aborted", DROPPED);
      throw error;
    } finally {
      this.drop();
    }
  }

  #complete({ messages, schemas }: SentPrompt, signal: AbortSignal): Promise<ModelAnswer> {
    const { schema, onText, onRestart, findProblems, services } = this.#ask;
    const { role, maxOutputTokens } = this.#question;
    const model = findModel(this.#question, services);
    // A model that says nothing of itself has no queue.
    if (model.traits === undefined) this.#begin();
    return model.complete({
      role,
      messages,
      schema: schema === null ? null : (schemas[0] ?? null),
      tools: schema === null ? schemas : [],
      toolChoice: "required",
      maxOutputTokens,
      accept: findProblems,
      onWait: (wait) => {
        this.#events.onWait?.(wait);
        if (wait === null) this.#begin();
      },
      onText: onText && ((text) => this.#pass(() => onText(text))),
      ...(onRestart && {
        onRestart: () => {
          if (!this.#isOver) onRestart();
        },
      }),
      signal,
    });
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#events.onBegin?.();
  }

  #pass(send: () => void): void {
    if (this.#isOver) return;
    this.#hasText = true;
    this.#events.onText();
    send();
  }
}

function lateError(seconds: number): ModelError {
  const reason = `Cannot ask the model: no answer in ${Math.round(seconds)} s`;
  return new ModelError("model_timeout", reason);
}
