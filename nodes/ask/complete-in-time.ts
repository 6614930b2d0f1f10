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
import { runInTime } from "./in-time.ts";
import { OPTIONAL_ROLES, type Question } from "./question.ts";
import { WaitingReport } from "./report-waiting.ts";

/** Returns the seconds that are left of the turn; without a beginning, all of them. */
export function secondsLeft({ limits, now }: NodeServices, { startedAt }: NodeIO): number {
  return startedAt === undefined
    ? limits.turnSeconds
    : limits.turnSeconds - (now() - startedAt) / 1_000;
}

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

/** The part of the turn's time that a call which hung may take once more. */
const SECOND_SHARE = 1 / 2;
/** Seconds without which a call is not made once more. */
const LEAST_SECOND_SECONDS = 1;

/**
 * Asks; null where the turn's budget was used up meanwhile. A call that hung is made once more where the
 * turn cannot do without it and has time left.
 */
export async function completeWithinTurn(
  question: Question,
  prompt: SentPrompt,
  ask: CallSetup,
): Promise<ModelAnswer | ModelError | null> {
  const { services, io } = ask;
  const traits = findModel(question, services).traits?.();
  const most = traits?.modelSeconds ?? services.limits.modelSeconds;
  const seconds = Math.min(most, secondsLeft(services, io));
  const first = await completeInTime(question, { ...prompt, seconds }, ask);
  if (first !== HUNG) return first;
  const rest = Math.min(most, secondsLeft(services, io) * SECOND_SHARE);
  if (OPTIONAL_ROLES.has(question.role) || rest < LEAST_SECOND_SECONDS) return lateError(seconds);
  const second = await completeInTime(question, { ...prompt, seconds: rest }, ask);
  return second === HUNG ? lateError(seconds, rest) : second;
}

/** A call was made, and nothing came of it in its time. */
const HUNG = "hung";

function lateError(seconds: number, again: number | null = null): ModelError {
  const repeated = again === null ? "" : `, nor in ${Math.round(again)} s when it was asked again`;
  const reason = `Cannot ask the model: no answer in ${Math.round(seconds)} s${repeated}`;
  return new ModelError("model_timeout", reason);
}

/** Asks once; null where the turn's budget was used up meanwhile. */
async function completeInTime(
  question: Question,
  { messages, schemas, seconds }: SentPrompt & { readonly seconds: number },
  ask: CallSetup,
): Promise<ModelAnswer | ModelError | typeof HUNG | null> {
  const { services, io } = ask;
  const full = io.meter?.full;
  const model = findModel(question, services);
  // A model that tells nothing of itself has no queue.
  let hasBegun = model.traits === undefined;
  if (hasBegun) question.onBegin?.();
  const waiting = new WaitingReport({
    node: question.node,
    emit: io.emit,
    most: Math.min(seconds, question.batchSeconds ?? Infinity),
    reason: question.batchSeconds === undefined ? "model" : "batch",
  });
  const request = {
    role: question.role,
    messages,
    schema: ask.schema === null ? null : (schemas[0] ?? null),
    tools: ask.schema === null ? schemas : [],
    toolChoice: "required",
    maxOutputTokens: question.maxOutputTokens,
    accept: ask.findProblems,
    onWait: (wait: ModelWait | null) => {
      waiting.note(wait);
      if (wait !== null) return;
      hasBegun = true;
      question.onBegin?.();
    },
  } as const;
  let isLate = false;
  let hasText = false;
  // What still arrives after the deadline must not be added to the text that replaces it.
  const onText =
    ask.onText &&
    ((text: string) => {
      if (isLate) return;
      hasText = true;
      waiting.touch();
      ask.onText?.(text);
    });
  const { onRestart } = ask;
  const restart = onRestart && {
    onRestart: () => {
      if (!isLate) onRestart();
    },
  };
  try {
    const answer = await runInTime(
      (signal) => model.complete({ ...request, onText, ...restart, signal }),
      {
        ms: seconds * 1_000,
        signal: full === undefined ? io.signal : joinSignals(io.signal, full),
      },
    );
    isLate = answer === null;
    return answer ?? (hasBegun && !hasText ? HUNG : lateError(seconds));
  } catch (error) {
    if (full?.aborted === true && io.signal?.aborted !== true) return null;
    if (error instanceof ModelError) return error;
    throw error;
  } finally {
    waiting.stop();
  }
}

function joinSignals(one: AbortSignal | null, other: AbortSignal): AbortSignal {
  return one === null ? other : AbortSignal.any([one, other]);
}
