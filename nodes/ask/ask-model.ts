import { z } from "zod";
import { renderParts } from "../../prompts/part.ts";
import type { EnvelopePart, Manifest } from "../../state/envelope.ts";
import type { ShownIds } from "../../state/ids.ts";
import { ModelError } from "../../state/model.ts";
import type {
  AcceptedAnswer,
  LanguageModel,
  ModelAnswer,
  ModelErrorCode,
  ModelRole,
  ModelWait,
  NamedSchema,
  PromptMessage,
  ToolCall,
} from "../../state/model.ts";
import { renderSentence, type SentenceId } from "../../text/sentences.ts";
import { nameSchema } from "../../state/strict-schema.ts";
import type { CallRecord } from "../../state/call-record.ts";
import type { TurnContext } from "../../state/turn.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { checkIds, dropIds } from "./answer-ids.ts";
import { findModel, fitPrompt, shortenPrompt } from "./fit-prompt.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { runInTime } from "./in-time.ts";
import { measureTurn, TURN_BUDGET } from "./turn-meter.ts";
import { BUDGET_WARNING } from "../../state/budget.ts";
import { WaitingReport } from "./report-waiting.ts";
import { buildManifest } from "./prompt-manifest.ts";

/** A question to a model, whatever the form of its answer. */
export interface Question {
  /** The node that asks, for events and manifest. */
  readonly node: string;
  readonly role: ModelRole;
  /** Asked instead of the role's model. */
  readonly model?: LanguageModel;
  readonly run: TurnContext;
  readonly turn: number;
  readonly parts: readonly EnvelopePart[];
  /** Kinds of parts without which the model is not asked at all. */
  readonly required: readonly string[];
  /** The ids that the prompt shows: an answer that names others is sent back. */
  readonly ids?: ShownIds;
  /** False where the schema must be the same in every call, whatever ids are shown. */
  readonly mayEnumerateIds?: boolean;
  /** Messages of an instance that goes on; they stand before the user message, after the system's. */
  readonly before?: readonly PromptMessage[];
  /** Earlier tool calls and their results, appended to the rendered parts. */
  readonly thread: readonly PromptMessage[];
  readonly maxOutputTokens: number;
  /** Seconds for comparing a batch's answers; left out for any other work. */
  readonly batchSeconds?: number;
  /** Called once the call is made; until then it waits for its place. */
  readonly onBegin?: () => void;
  /** The turn's notices so far: a model that took too long for one node is not asked by another. */
  readonly earlier?: readonly Notice[];
}

/** The result of a question: a value that passed every check, or the reason why there is none. */
export type Asked<T> = {
  readonly calls: readonly CallRecord[];
  readonly notices: readonly Notice[];
} & (
  | {
      readonly kind: "answered";
      readonly value: T;
      /** True where the length limit cut the answer. */
      readonly truncated: boolean;
    }
  | ({ readonly kind: "failed" } & AskFailure)
);

/** The reason why a question has no answer. */
export interface AskFailure {
  readonly code: FailureCode;
  /** One sentence for the record and the turn's audience; never holds a message text or a secret. */
  readonly reason: string;
  /** Seconds after which the model may be asked again; null where nobody said. */
  readonly seconds: number | null;
  /** The model's own words where it refused to answer; null elsewhere. They need the output filter. */
  readonly refusal: string | null;
}

/** `gate`, `turn-time` and the turn's budget: the model was not asked; `invalid`: its answer could not be used. */
export type FailureCode = ModelErrorCode | "gate" | "invalid" | "turn-time" | typeof TURN_BUDGET;

/** Sentences for the person, by the code of a failure (models.md, section 2). */
const FAILURE_SENTENCES = {
  gate: "modelUnreliable",
  invalid: "modelUnreliable",
  "turn-time": "modelTooSlow",
  [TURN_BUDGET]: "turnBudgetUsed",
  model_key_rejected: "modelNotSetUp",
  model_unknown: "modelNotSetUp",
  model_request_refused: "modelNotSetUp",
  model_no_credit: "modelNotSetUp",
  model_unreachable: "modelAway",
  model_failed: "modelAway",
  model_aborted: "modelAway",
  model_rate_limited: "modelBusy",
  model_busy: "modelBusy",
  model_timeout: "modelTooSlow",
  model_context_too_long: "modelTooMuch",
  model_answer_cut: "modelUnreliable",
  model_refused: "modelRefused",
} as const satisfies Record<FailureCode, SentenceId>;

/** The seconds after which to try again where the endpoint names none. */
const BUSY_SECONDS = 60;

/**
 * Explains to the person why there is no answer and what to do; names no model, host or setting. A
 * model that refused speaks for itself.
 */
export function explainFailure({
  code,
  seconds,
  refusal,
}: Pick<AskFailure, "code" | "seconds" | "refusal">): string {
  if (refusal !== null) return refusal;
  return renderSentence(FAILURE_SENTENCES[code], {
    seconds: Math.max(1, Math.ceil(seconds ?? BUSY_SECONDS)),
  });
}

/** The schema of a node's structured answer, made once: it is the same in every call. */
export interface AnswerSchema<T> {
  readonly named: NamedSchema;
  readonly parse: (value: unknown) => z.ZodSafeParseResult<T>;
}

/** Makes the constant answer schema of a node. */
export function answerSchema<T>(
  name: string,
  description: string,
  schema: z.ZodType<T>,
): AnswerSchema<T> {
  return {
    named: nameSchema(name, { description, schema }),
    parse: (value) => schema.safeParse(value),
  };
}

interface AskForAnswerOptions<T> {
  readonly schema: AnswerSchema<T>;
  readonly check: (value: T) => readonly string[];
  /** `value` is the answer without the ids that are not shown, `given` has them. */
  readonly salvage?: (value: T, given: T) => T | null;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Asks for a structured answer. Ids that were not shown and what `check` returns are wrong; a wrong
 * answer goes back once with the reasons. One that stays wrong is used as far as `salvage` leaves
 * it, which returns null where nothing can be used.
 */
export async function askForAnswer<T>(
  question: Question,
  ask: AskForAnswerOptions<T>,
): Promise<Asked<T>> {
  return askWithRepair(question, {
    ...ask,
    schema: ask.schema.named,
    tools: [],
    onText: null,
    read: (answer) => readStructured(answer, { ...ask, ids: question.ids ?? {} }),
  });
}

interface AskForToolCallsOptions {
  readonly tools: readonly NamedSchema[];
  /** Selects the calls that count; the ids of others are not checked. */
  readonly select: (calls: readonly ToolCall[]) => readonly ToolCall[];
  readonly check: (calls: readonly ToolCall[]) => readonly string[];
  /** The calls come without the ids that are not shown. */
  readonly salvage?: (calls: readonly ToolCall[]) => readonly ToolCall[] | null;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** Asks for tool calls: at least one. `check` and `salvage` as in `askForAnswer`. */
export async function askForToolCalls(
  question: Question,
  ask: AskForToolCallsOptions,
): Promise<Asked<readonly ToolCall[]>> {
  return askWithRepair(question, {
    ...ask,
    schema: null,
    onText: null,
    read: ({ toolCalls }) => readToolCalls(toolCalls, { ...ask, ids: question.ids ?? {} }),
  });
}

interface AskForTextOptions {
  readonly onText: ((delta: string) => void) | null;
  /** Called where the text so far does not stand and another one follows. */
  readonly onRestart?: () => void;
  readonly check?: (text: string) => readonly string[];
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Asks for plain text, streamed to `onText` as it arrives. A text that is empty or that `check`
 * refuses goes back once.
 */
export async function askForText(
  question: Question,
  ask: AskForTextOptions,
): Promise<Asked<string>> {
  const check = (text: string): readonly string[] =>
    text.trim() === "" ? ["the answer was empty"] : (ask.check?.(text) ?? []);
  return askWithRepair(question, {
    ...ask,
    schema: null,
    tools: [],
    read: ({ text }) => toReading(text, check(text)),
  });
}

type Reading<T> =
  | { readonly kind: "value"; readonly value: T }
  | {
      readonly kind: "problems";
      readonly problems: readonly string[];
      /** The usable part of an answer that stays wrong; absent where there is none. */
      readonly usable?: T;
    };

interface Ask<T> {
  readonly schema: NamedSchema | null;
  readonly tools: readonly NamedSchema[];
  readonly onText: ((delta: string) => void) | null;
  readonly onRestart?: () => void;
  readonly read: (answer: ModelAnswer) => Reading<T>;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** envelope → gate → render with manifest → call → read, repair → record. */
async function askWithRepair<T>(question: Question, ask: Ask<T>): Promise<Asked<T>> {
  const { services, io } = ask;
  const report = new FailureReport(question, services.log);
  const fail = (failure: Failure) => report.fail(failure);
  let prompt = fitPrompt(question, ask);
  const missing = question.required.filter(
    (kind) => !prompt.parts.some((part) => part.kind === kind),
  );
  if (missing.length > 0) {
    const text = `"${question.node}" was not asked: ${missing.join(", ")} missing from its prompt`;
    return { ...fail({ code: "gate", text }), calls: [] };
  }

  if (secondsLeft(services, io) <= 0) {
    const text = `"${question.node}" was not asked: the turn's limit of ${services.limits.turnSeconds} seconds is reached`;
    return { ...fail({ code: "turn-time", text }), calls: [] };
  }
  const late = findTimeout(question, services);
  if (late !== undefined) return { ...fail({ code: "model_timeout", text: late.text }), calls: [] };

  const calls: CallRecord[] = [];
  const notices: Notice[] = [];
  const repairs: PromptMessage[] = [];
  const refuseForBudget = () => {
    const text = `"${question.node}" was not answered: the turn's budget is used up`;
    const failed = fail({ code: TURN_BUDGET, text });
    return { ...failed, calls, notices: [...notices, ...failed.notices] };
  };
  for (let repaired = 0; ;) {
    const { parts, schemas } = prompt;
    const messages = [...promptMessages(question, parts), ...question.thread, ...repairs];
    const manifest = buildManifest(
      { node: question.node, parts, messages, schemas },
      services.countTokens,
    );
    if (!isWithinBudget(question, manifest.tokens, ask)) return refuseForBudget();
    emitPrompt(manifest, messages, io);
    services.archive.noteManifest({
      threadId: question.run.threadId,
      turn: question.turn,
      manifest,
    });

    const answer = await complete(question, { messages, schemas }, ask);
    if (answer === null) return refuseForBudget();
    if (answer instanceof ModelError) {
      // An abort ends the turn, not just this question: the driver decides what follows.
      if (answer.code === "model_aborted") throw answer;
      const isTooLong = answer.code === "model_context_too_long";
      const shorter = isTooLong ? shortenPrompt(prompt, question, ask) : null;
      if (shorter !== null) {
        prompt = shorter;
        continue;
      }
      const { code, message: text, seconds } = answer;
      const failed = fail({ code, text, seconds });
      return { ...failed, calls, notices: [...notices, ...failed.notices] };
    }
    const call = recordCall(question, answer);
    calls.push(call);
    io.meter?.add(call, services);
    io.emit({ type: "usage", node: question.node, ...answer.usage });
    for (const text of answer.call?.learned ?? []) {
      const learned = report.noteLesson(text);
      if (learned !== null) io.emit({ type: "notice", ...learned });
    }

    const reading = ask.read(answer);
    if (reading.kind === "value") {
      const { truncated } = answer;
      return { kind: "answered", value: reading.value, truncated, calls, notices };
    }
    if (answer.refused === true && answer.text.trim() !== "") {
      const failed = fail({
        code: "model_refused",
        text: `the model refused to answer "${question.node}"`,
        refusal: answer.text.trim(),
      });
      return { ...failed, calls, notices: [...notices, ...failed.notices] };
    }
    const text = `the answer of "${question.node}" could not be used: ${reading.problems.join("; ")}`;
    // A repair that would go over the budget is none.
    if (repaired >= services.limits.repairsPerCall || io.meter?.full.aborted === true) {
      if (reading.usable !== undefined) {
        notices.push(report.note("partly-used", `${text}; the rest of it was used`));
        const { truncated } = answer;
        return { kind: "answered", value: reading.usable, truncated, calls, notices };
      }
      const failed = fail({ code: "invalid", text });
      return { ...failed, calls, notices: [...notices, ...failed.notices] };
    }
    repaired += 1;
    notices.push(report.note("repair", text));
    repairs.push(...repairMessages(answer, reading.problems));
  }
}

/** Roles without which a turn ends well: the last part of its budget is for the others. */
const OPTIONAL_ROLES: ReadonlySet<ModelRole> = new Set(["expert", "mapper", "summarize"]);

/** Returns true where the turn's budget has room for the prompt. (models.md §1, "Money and budgets") */
function isWithinBudget<T>(
  { role }: Question,
  tokens: number,
  { services, io: { meter } }: Pick<Ask<T>, "services" | "io">,
): boolean {
  if (meter === undefined) return true;
  const { spent } = meter;
  const use = measureTurn(spent, services);
  if (use >= (OPTIONAL_ROLES.has(role) ? BUDGET_WARNING : 1)) return false;
  return spent.tokens + tokens <= services.limits.tokensPerTurn;
}

/** The role of each node on which the person waits; a late expert is one of several. */
const WAITED_FOR: Readonly<Record<string, ModelRole>> = {
  understand: "understand",
  think: "think",
  act: "act",
  reply: "reply",
  starter: "concierge",
  explorer: "concierge",
  executor: "concierge",
};

/** Returns the notice of an earlier node of the turn for which the same model took too long. */
function findTimeout({ role, model, earlier = [] }: Question, { models }: NodeServices) {
  const asked = model ?? models[role];
  return earlier.find(({ node, code }) => {
    const earlierRole = WAITED_FOR[node];
    return code === "model_timeout" && earlierRole !== undefined && models[earlierRole] === asked;
  });
}

function promptMessages(question: Question, parts: readonly EnvelopePart[]): PromptMessage[] {
  const rendered = renderParts(parts);
  return [
    ...rendered.filter(isSystem),
    ...(question.before ?? []),
    ...rendered.filter((message) => !isSystem(message)),
  ];
}

function isSystem({ role }: PromptMessage): boolean {
  return role === "system";
}

/** Returns the seconds that are left of the turn; without a beginning, all of them. */
export function secondsLeft({ limits, now }: NodeServices, { startedAt }: NodeIO): number {
  return startedAt === undefined
    ? limits.turnSeconds
    : limits.turnSeconds - (now() - startedAt) / 1_000;
}

function recordCall({ role }: Question, { usage, call }: ModelAnswer): CallRecord {
  if (call === undefined) return { node: role, usage };
  const { mended, learned: _learned, ...figures } = call;
  return { node: role, usage, ...figures, mended: mended.length };
}

/** The prompt of one call, as it is sent. */
interface SentPrompt {
  readonly messages: readonly PromptMessage[];
  /** The tools, or the schema of the answer. */
  readonly schemas: readonly NamedSchema[];
}

/** The part of the turn's time that a call which hung may take once more. */
const SECOND_SHARE = 1 / 2;
/** Seconds without which a call is not made once more. */
const LEAST_SECOND_SECONDS = 1;

/**
 * Asks; null where the turn's budget was used up meanwhile. A call that hung is made once more where the
 * turn cannot do without it and has time left.
 */
async function complete<T>(
  question: Question,
  prompt: SentPrompt,
  ask: Ask<T>,
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
async function completeInTime<T>(
  question: Question,
  { messages, schemas, seconds }: SentPrompt & { readonly seconds: number },
  ask: Ask<T>,
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
    accept: (given: AcceptedAnswer) => findProblems(given, ask),
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

/** Says what is wrong with an answer that is not a text. */
function findProblems<T>({ json, toolCalls }: AcceptedAnswer, ask: Ask<T>): readonly string[] {
  if (ask.schema === null && ask.tools.length === 0) return [];
  const usage = { input: 0, cached: 0, output: 0 };
  const reading = ask.read({ text: "", json, toolCalls, truncated: false, usage });
  return reading.kind === "value" ? [] : reading.problems;
}

interface ReadStructuredOptions<T> extends Pick<
  AskForAnswerOptions<T>,
  "schema" | "check" | "salvage"
> {
  readonly ids: ShownIds;
}

function readStructured<T>(answer: ModelAnswer, ask: ReadStructuredOptions<T>): Reading<T> {
  if (answer.json === undefined) return { kind: "problems", problems: ["it was not JSON"] };
  const given = ask.schema.parse(answer.json);
  if (!given.success) {
    const problems = given.error.issues.map(
      (issue) => `${issue.path.join(".") || "answer"}: ${issue.message}`,
    );
    return { kind: "problems", problems };
  }
  const unknown = checkIds(answer.json, ask.schema.named, ask.ids);
  const problems = [...unknown.map(({ problem }) => problem), ...ask.check(given.data)];
  const kept = ask.schema.parse(dropIds(answer.json, unknown));
  const usable = kept.success ? ask.salvage?.(kept.data, given.data) : null;
  return toReading(given.data, problems, usable);
}

interface ReadToolCallsOptions extends Pick<
  AskForToolCallsOptions,
  "tools" | "select" | "check" | "salvage"
> {
  readonly ids: ShownIds;
}

function readToolCalls(
  calls: readonly ToolCall[],
  { tools, ids, ...ask }: ReadToolCallsOptions,
): Reading<readonly ToolCall[]> {
  const selected = new Set(ask.select(calls));
  const checked = calls.map((call) => {
    const tool = selected.has(call) ? tools.find(({ name }) => name === call.name) : undefined;
    return { call, unknown: tool === undefined ? [] : checkIds(call.args, tool, ids) };
  });
  const unknown = checked.flatMap(({ call, unknown }) =>
    unknown.map(({ problem }) => `${call.name}: ${problem}`),
  );
  const kept = checked.map(({ call, unknown }) => dropUnknown(call, unknown));
  return toReading(calls, [...unknown, ...ask.check(calls)], ask.salvage?.(kept));
}

function dropUnknown(call: ToolCall, unknown: Parameters<typeof dropIds>[1]): ToolCall {
  return unknown.length === 0 ? call : { ...call, args: dropIds(call.args, unknown) };
}

function toReading<T>(value: T, problems: readonly string[], usable: T | null = null): Reading<T> {
  if (problems.length === 0) return { kind: "value", value };
  return { kind: "problems", problems, ...(usable === null ? {} : { usable }) };
}

/** Last words of what goes back to a model. */
export const REPAIR_CLOSING = "Answer again with that put right.";

/** Returns the refused answer and the reasons, so that the second attempt can correct it. */
function repairMessages(answer: ModelAnswer, problems: readonly string[]): PromptMessage[] {
  const reasons = `This could not be used: ${problems.join("; ")}. ${REPAIR_CLOSING}`;
  if (answer.toolCalls.length === 0) {
    const text = answer.text === "" ? "(empty)" : answer.text;
    return [
      { role: "assistant", text, toolCalls: [] },
      { role: "user", text: reasons },
    ];
  }
  return [
    { role: "assistant", text: answer.text, toolCalls: answer.toolCalls },
    ...answer.toolCalls.map(
      (call) => ({ role: "tool", callId: call.id, name: call.name, text: reasons }) as const,
    ),
  ];
}

function emitPrompt(manifest: Manifest, messages: readonly PromptMessage[], io: NodeIO): void {
  io.emit({
    type: "prompt",
    node: manifest.node,
    messages: messages.map((message) => JSON.parse(JSON.stringify(message))),
    sections: manifest.sections,
    tokens: manifest.tokens,
  });
}

/** A failure in the operator's words. */
interface Failure {
  readonly code: FailureCode;
  readonly text: string;
  readonly seconds?: number | null;
  readonly refusal?: string | null;
}

/**
 * Reports what goes wrong with one question to the turn's audience: an operator reads everything, a
 * user a sentence without the parts of the machine, while the operator's goes to the log.
 */
class FailureReport {
  readonly #question: Question;
  readonly #log: NodeServices["log"];

  constructor(question: Question, log: NodeServices["log"]) {
    this.#question = question;
    this.#log = log;
  }

  fail({ code, text, seconds = null, refusal = null }: Failure) {
    // A notice holds no words of a model.
    const reason = this.#choose(text, () => explainFailure({ code, seconds, refusal: null }));
    const notices: readonly Notice[] = [{ node: this.#question.node, code, text: reason }];
    return { kind: "failed", code, reason, seconds, refusal, notices } as const;
  }

  /** Reports a problem that the turn gets over. */
  note(code: "repair" | "partly-used", text: string): Notice {
    const words = code === "repair" ? "answerAskedAgain" : "answerPartlyUsed";
    return {
      node: this.#question.node,
      code,
      text: this.#choose(text, () => renderSentence(words)),
    };
  }

  /** Returns the notice of a lesson about the endpoint; null where it is nothing for the audience. */
  noteLesson(text: string): Notice | null {
    if (this.#isForOperator()) return { node: this.#question.node, code: "endpoint_learned", text };
    this.#log.info(`Learned about the model's endpoint: ${text}`);
    return null;
  }

  #choose(text: string, forUser: () => string): string {
    if (this.#isForOperator()) return text;
    const { node, run } = this.#question;
    this.#log.warn(`In "${node}" of run ${run.runId}: ${text}`);
    return forUser();
  }

  #isForOperator(): boolean {
    return this.#question.run.audience === "operator";
  }
}
