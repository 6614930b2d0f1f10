import { renderParts } from "../../prompts/part.ts";
import { BUDGET_WARNING } from "../../state/budget.ts";
import type { CallRecord } from "../../state/call-record.ts";
import type { EnvelopePart, Manifest } from "../../state/envelope.ts";
import { ModelError } from "../../state/model.ts";
import type {
  AcceptedAnswer,
  ModelAnswer,
  ModelRole,
  NamedSchema,
  PromptMessage,
  ToolCall,
} from "../../state/model.ts";
import type { Notice } from "../../state/turn-summary.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { completeWithinTurn, secondsLeft } from "./complete-in-time.ts";
import { EchoFilter, hasEcho, listBeginnings } from "./echo-filter.ts";
import { fitPrompt, shortenPrompt } from "./fit-prompt.ts";
import { buildManifest } from "./prompt-manifest.ts";
import { OPTIONAL_ROLES, type Question } from "./question.ts";
import {
  readStructured,
  readToolCalls,
  toReading,
  type AnswerChecks,
  type CallChecks,
  type CheckedAnswer,
} from "./read-checked.ts";
import { FailureReport, type AskFailure, type AskProblem } from "./report-failure.ts";
import { measureTurn, TURN_BUDGET } from "./turn-meter.ts";

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

interface AskForAnswerOptions<T> extends AnswerChecks<T> {
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
    read: (answer) => readStructured(answer, ask, question.ids ?? {}),
  });
}

interface AskForToolCallsOptions extends CallChecks {
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
    read: ({ toolCalls }) => readToolCalls(toolCalls, ask, question.ids ?? {}),
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
 * Asks for plain text, streamed to `onText` as it arrives. A text that is empty, repeats its
 * instructions or is refused by `check` goes back once.
 */
export async function askForText(
  question: Question,
  ask: AskForTextOptions,
): Promise<Asked<string>> {
  const beginnings = listBeginnings(promptMessages(question, question.parts));
  const check = (text: string): readonly string[] => {
    if (text.trim() === "") return ["the answer was empty"];
    if (hasEcho(text, beginnings)) return ["it repeated its instructions"];
    return ask.check?.(text) ?? [];
  };
  const { onText, onRestart } = ask;
  const filter = onText && new EchoFilter(beginnings, onText);
  const restart = (): void => {
    filter?.restart();
    onRestart?.();
  };
  return askWithRepair(question, {
    ...ask,
    onText: filter && ((delta) => filter.push(delta)),
    ...(onRestart && { onRestart: restart }),
    onRepair: restart,
    schema: null,
    tools: [],
    read: ({ text }) => toReading(text, check(text)),
  });
}

interface Ask<T> {
  readonly schema: NamedSchema | null;
  readonly tools: readonly NamedSchema[];
  readonly onText: ((delta: string) => void) | null;
  readonly onRestart?: () => void;
  /** Called before an answer that cannot be used is asked for anew. */
  readonly onRepair?: () => void;
  readonly read: (answer: ModelAnswer) => CheckedAnswer<T>;
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/** envelope → gate → render with manifest → call → read, repair → record. */
async function askWithRepair<T>(question: Question, ask: Ask<T>): Promise<Asked<T>> {
  const { services, io } = ask;
  const report = new FailureReport(question, services.log);
  const fail = (problem: AskProblem) => report.fail(problem);
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

    const setup = { ...ask, findProblems: (given: AcceptedAnswer) => findProblems(given, ask) };
    const answer = await completeWithinTurn(question, { messages, schemas }, setup);
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
    ask.onRepair?.();
  }
}

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

/** Says what is wrong with an answer that is not a text. */
function findProblems<T>({ json, toolCalls }: AcceptedAnswer, ask: Ask<T>): readonly string[] {
  if (ask.schema === null && ask.tools.length === 0) return [];
  const usage = { input: 0, cached: 0, output: 0 };
  const reading = ask.read({ text: "", json, toolCalls, truncated: false, usage });
  return reading.kind === "value" ? [] : reading.problems;
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

function recordCall({ role }: Question, { usage, call }: ModelAnswer): CallRecord {
  if (call === undefined) return { node: role, usage };
  const { mended, learned: _learned, ...figures } = call;
  return { node: role, usage, ...figures, mended: mended.length };
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
