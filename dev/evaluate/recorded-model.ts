import { createHash } from "node:crypto";
import type { Models } from "../../app/open-models.ts";
import { UsageError } from "../../app/usage-error.ts";
import {
  ModelError,
  pickSentParts,
  type LanguageModel,
  type ModelAnswer,
  type ModelRequest,
  type ModelRole,
} from "../../state/model.ts";
import type { ReportedCall, Report } from "./report.ts";

/** The calls of one conversation, in order, as its models make them. */
export class CallRecorder {
  #calls: ReportedCall[] = [];

  /** Returns the calls since the last time. */
  take(): readonly ReportedCall[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  /** Returns models that do the same and are recorded. */
  wrap(models: Models): Models {
    const { understand, think, act, reply, summarize } = models;
    return {
      understand: this.#record(understand),
      think: this.#record(think),
      act: this.#record(act),
      reply: this.#record(reply),
      summarize: this.#record(summarize),
    };
  }

  #record(model: LanguageModel): LanguageModel {
    return {
      name: model.name,
      ...(model.traits === undefined ? {} : { traits: () => readTraits(model) }),
      complete: (request) => this.#complete(model, request),
    };
  }

  async #complete(model: LanguageModel, request: ModelRequest): Promise<ModelAnswer> {
    const { role } = request;
    // Its place is that of the question: answers may come in another order.
    const index = this.#calls.length;
    const calls = this.#calls;
    const hash = hashRequest(request);
    const nothing = { input: 0, cached: 0, output: 0 };
    calls.push({ role, request: hash, usage: nothing, answer: UNANSWERED });
    try {
      const answer = await model.complete(request);
      calls[index] = { role, request: hash, usage: answer.usage, answer: toRecorded(answer) };
      return answer;
    } catch (failure) {
      if (failure instanceof ModelError) {
        const { code, message, seconds } = failure;
        const answer = { kind: "error", code, message, seconds } as const;
        calls[index] = { role, request: hash, usage: nothing, answer };
      }
      throw failure;
    }
  }
}

/** The answer of a call under way. */
const UNANSWERED = {
  kind: "error",
  code: "model_failed",
  message: "The call was not answered before its turn ended",
  seconds: null,
} as const;

function readTraits(model: LanguageModel) {
  const traits = model.traits?.();
  if (traits === undefined) throw new RangeError(`Cannot read the traits of "${model.name}"`);
  return traits;
}

function toRecorded(answer: ModelAnswer): ReportedCall["answer"] {
  const { text, json, toolCalls, truncated, call } = answer;
  return {
    kind: "answer",
    text,
    ...(json === undefined ? {} : { json }),
    toolCalls: [...toolCalls],
    truncated,
    ...(call === undefined ? {} : { call }),
  };
}

/** Answers with what was recorded, each request with its own answer. */
export class RecordedAnswers {
  readonly #calls = new Map<string, ReportedCall[]>();
  readonly #traits: Report["traits"];
  /** The first request without an answer; a node may have caught the error. */
  missing: UsageError | null = null;

  constructor({ items, traits }: Pick<Report, "items" | "traits">) {
    this.#traits = traits;
    for (const { set, id, calls } of items) {
      const [conversation = ""] = id.split(".");
      for (const call of calls) this.#find(`${set} ${conversation}`, call).push(call);
    }
  }

  /** Returns models that answer as in a conversation of the record. */
  open(conversation: string): Models {
    const complete = (request: ModelRequest) => this.#complete(conversation, request);
    const { tier, slots, window } = this.#traits;
    const model: LanguageModel = {
      name: "recorded",
      traits: () => ({
        tier,
        endpoint: null,
        window,
        promptTokens: (answer) => (window === null ? null : window - answer),
        slots,
        callMs: null,
        modelSeconds: null,
      }),
      complete,
    };
    return { understand: model, think: model, act: model, reply: model, summarize: model };
  }

  #find(conversation: string, { role, request }: Pick<ReportedCall, "role" | "request">) {
    const key = `${conversation} ${role} ${request}`;
    const calls = this.#calls.get(key) ?? [];
    this.#calls.set(key, calls);
    return calls;
  }

  async #complete(conversation: string, request: ModelRequest): Promise<ModelAnswer> {
    const key = { role: request.role, request: hashRequest(request) };
    const recorded = this.#find(conversation, key).shift();
    if (recorded === undefined) {
      this.missing ??= describeMissing(conversation, request.role);
      throw this.missing;
    }
    const { usage, answer } = recorded;
    if (answer.kind === "error") {
      throw new ModelError(answer.code, answer.message, { seconds: answer.seconds });
    }
    const { kind: _kind, call, json, toolCalls, ...said } = answer;
    request.onText?.(said.text);
    return {
      ...said,
      json,
      toolCalls,
      usage,
      ...(call === undefined ? {} : { call }),
    };
  }
}

/** Explains a request that the record has no answer to. */
function describeMissing(conversation: string, role: ModelRole): UsageError {
  return new UsageError(
    `Cannot replay conversation "${conversation}": it asks "${role}" something that is not recorded, so prompts or code have changed since; evaluate the model again`,
  );
}

/** Hashes everything that a model is told. */
export function hashRequest({
  messages,
  schema,
  tools,
  toolChoice,
  maxOutputTokens,
}: ModelRequest): string {
  const sent = {
    messages,
    schema: schema === null ? null : pickSentParts(schema),
    tools: tools.map(pickSentParts),
    toolChoice,
    maxOutputTokens,
  };
  return hashText(JSON.stringify(sent));
}

/** Returns the first 16 hex digits of a text's SHA-256. */
export function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
