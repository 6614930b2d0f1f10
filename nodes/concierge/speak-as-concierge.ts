import { noteDealtWith } from "../../prompts/concierge-sections.ts";
import {
  detectMachineryLeakage,
  type KnownMachinery,
} from "../../output-filter/detect-machinery-leakage.ts";
import {
  createOutputGate,
  type OutputGate,
  type OutputNames,
} from "../../output-filter/output-gate.ts";
import { postProcess } from "../../output-filter/post-process.ts";
import {
  removeThoughts,
  ThoughtFilter,
  type TakeBack,
} from "../../output-filter/thought-filter.ts";
import { orderParts, renderParts } from "../../prompts/part.ts";
import { renderSentence } from "../../text/sentences.ts";
import { shorten } from "../../registry/shorten.ts";
import { viewConversation } from "../../prompts/view.ts";
import { createSignalGate, readBlocks } from "../../control-blocks/gate.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import type { CountTokens } from "../../state/model.ts";
import type { ConciergeThread, Phase, PlanQuestion, ThreadMessage } from "../../state/phase.ts";
import type { TurnState, TurnUpdate } from "../../state/turn.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { askForText } from "../ask/ask-model.ts";
import { explainFailure, type AskFailure } from "../ask/report-failure.ts";
import type { SignalKind } from "../../prompts/signal-request.ts";
import { askForSignal } from "./ask-for-signal.ts";
import { correctPlanWords } from "./correct-plan-words.ts";
import { denyPlanClaim } from "./deny-plan-claim.ts";
import { addConciergeNames, collectKnownMachinery } from "./known-machinery.ts";
import { asPromptMessage } from "./concierge-thread.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { findKept } from "../read-plan-answer.ts";
import { CONCIERGE_SILENT } from "../reply/collect-receipts.ts";
import { nextReplyId } from "../reply/create-reply.ts";
import { wordMissingAnswer } from "../reply/word-missing-answer.ts";
import { collectTurnNames } from "../reply/output-names.ts";
import { requireRun } from "../require-run.ts";

/** The next message to a concierge's instance. */
export interface ConciergeMessage {
  readonly phase: Phase;
  readonly parts: readonly EnvelopePart[];
  /** True where a fresh instance gets it; else the instance continues its transcript. */
  readonly fresh: boolean;
  /** Kinds of parts without which the model is not asked. */
  readonly required: readonly string[];
  /** The decision that may follow the answer; left out where none may. */
  readonly signal?: SignalKind;
  /** Returns the reply for an answer that is only a control block; null for a block that is not valid. */
  readonly replyForBlockAlone?: (raw: string) => string | null;
}

/** An answer that came. */
export interface ConciergeReply {
  readonly kind: "answered";
  /** As the model wrote it, blocks and all, without its thoughts; with the block that it was asked for. */
  readonly raw: string;
  /** The text that the person sees. */
  readonly shown: string;
  readonly thread: ConciergeThread;
  readonly contextId: string;
}

/** The reply, the calls it took, and the notices. */
export type SpeechUpdate = Pick<
  TurnUpdate,
  "passedOnReply" | "calls" | "notices" | "unansweredMessages"
>;

/** The result of asking a concierge. */
export type Speech = (ConciergeReply | { readonly kind: "silent" }) & {
  readonly update: SpeechUpdate;
};

/** Adds notices to the update. */
export function withNotices(update: SpeechUpdate, added: readonly Notice[]): SpeechUpdate {
  return { ...update, notices: [...(update.notices ?? []), ...added] };
}

/** Characters by which the end of an answer is known. */
const CUT_CHARACTERS = 20;

interface SpeakOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
}

/**
 * Lets a concierge speak: its thread, the new message, the answer streamed through the gate. An
 * answer of which the person would see nothing is asked for once more. No answer is an apology
 * that keeps the message.
 */
export async function speakAsConcierge(
  state: TurnState,
  message: ConciergeMessage,
  { services, io }: SpeakOptions,
): Promise<Speech> {
  const { registry } = viewConversation(state, services);
  const turnNames = collectTurnNames(state, { registry, domain: services.domain });
  const names = addConciergeNames(turnNames, state);
  const extract = (text: string): string => extractVisibleText(text, message, names);
  const opening = listOwnParagraphs(state)
    .map((paragraph) => `${paragraph}\n\n`)
    .join("");
  const withOpening = (text: string): string => `${opening}${text}`;
  const stream = createReplyStream(nextReplyId(state), { opening, names, io });
  const asked = await askConcierge(state, message, {
    services,
    io,
    extract,
    onText: stream.push,
    onRestart: stream.restart,
  });
  if (asked.kind === "failed") {
    const calls = [...state.calls, ...asked.calls];
    const { notice, text: apology } = apologize(message.phase, asked);
    const text = withOpening(asked.refusal ?? wordMissingAnswer(apology, state));
    stream.finish(text);
    return {
      kind: "silent",
      update: {
        passedOnReply: { text },
        calls,
        notices: [...state.notices, ...asked.notices, notice],
        // In a turn of two answers the first one has heard the message.
        ...(state.lanesServed.includes("concierge")
          ? {}
          : { unansweredMessages: [...state.unansweredMessages, keepUnanswered(state)] }),
      },
    };
  }
  // A thought is no part of what a concierge said, for its own next prompt either.
  const answer = removeThoughts(asked.value).trim();
  const words = extract(answer);
  // What was cut behind the last of these words was a block, which is no part of what the person reads.
  const isCut = asked.truncated && answer.endsWith(words.slice(-CUT_CHARACTERS));
  const question = findPlanQuestion(state);
  const waiting = question ?? findKept(state);
  const below = [
    isCut ? renderSentence("replyCutShort") : "",
    denyPlanClaim(words, state),
    correctPlanWords(words, state),
    question?.question ?? "",
  ];
  const withOwn = (text: string): string =>
    [text, ...below.filter((own) => own !== "")].join("\n\n");
  const shown = withOwn(words);
  stream.finish(withOpening(shown));
  const earlier = message.fresh ? [] : state.conciergeThread.messages;
  const sent = [...earlier, ...toThreadMessages(orderParts(message.parts))];
  const signal = await findSignal(state, { message, sent, answer, services, io });
  const raw = signal.block === null ? answer : `${answer}\n\n${signal.block}`;
  const calls = [...state.calls, ...asked.calls, ...signal.calls];
  const contextId = message.fresh
    ? `${message.phase}@turn-${state.turn}`
    : (state.concierge.conciergeContextId ?? `${message.phase}@turn-${state.turn}`);
  return {
    kind: "answered",
    raw,
    shown,
    contextId,
    thread: {
      contextId,
      model: services.models.concierge.name,
      messages: [...sent, { role: "assistant", text: withOwn(raw) }],
      throughTurn: state.turn,
      // Now that it was sent: the prompt has brought the newest version, if there was one to bring.
      planVersion: state.journeyPlan?.version ?? 0,
      ...(waiting === undefined ? {} : { asked: waiting }),
    },
    update: {
      passedOnReply: { text: withOpening(shown) },
      calls,
      notices: [
        ...state.notices,
        ...asked.notices,
        ...signal.notices,
        ...findLeaks(message.phase, shown, collectKnownMachinery(state, services.experts)),
      ],
      unansweredMessages: [],
    },
  };
}

/** The message as a later prompt shows it. */
function keepUnanswered(state: TurnState): string {
  return noteDealtWith(readInputText(state), state.planNews?.report ?? "");
}

/** Code's own paragraphs: they are true whatever the concierge says, and even if it says nothing. */
function listOwnParagraphs({ journeyNews, planNews, lanesServed }: TurnState): string[] {
  // The first of the turn's two answers has brought them.
  if (lanesServed.includes("concierge")) return [];
  return [journeyNews?.text ?? "", planNews?.report ?? ""].filter((text) => text !== "");
}

/** Code's question below the answer, which a yes in the next turn answers. */
function findPlanQuestion({ planNews, lanesServed }: TurnState): PlanQuestion | undefined {
  return lanesServed.includes("concierge") ? undefined : planNews?.asked;
}

interface FindSignalOptions extends SpeakOptions {
  readonly message: ConciergeMessage;
  /** The instance's messages, without the answer. */
  readonly sent: readonly ThreadMessage[];
  readonly answer: string;
}

/** Asks a small model for the control block that may follow its answer, unless it has written one. */
async function findSignal(
  state: TurnState,
  { message, sent, answer, services, io }: FindSignalOptions,
) {
  const { signal: kind } = message;
  const isAsked = services.tier === "small" && kind !== undefined;
  if (!isAsked || readBlocks(answer).blocks.length > 0) {
    return { block: null, calls: [], notices: [] };
  }
  const before = fitMessages([...sent, { role: "assistant", text: answer }], {
    tokens: services.limits.conciergeThreadTokens,
    countTokens: services.countTokens,
  });
  return askForSignal(state, { kind, before: before.map(asPromptMessage), services, io });
}

/** Messages of less are left out rather than shortened. */
const LEAST_MESSAGE_TOKENS = 100;

/** Fits messages into a number of tokens: the system's stay, and of the others the newest; the first without room is shortened. */
function fitMessages(
  messages: readonly ThreadMessage[],
  { tokens, countTokens }: { readonly tokens: number; readonly countTokens: CountTokens },
): readonly ThreadMessage[] {
  const system = messages.filter(isSystem);
  let room = system.reduce((left, { text }) => left - countTokens(text), tokens);
  const kept: ThreadMessage[] = [];
  for (const message of messages.filter((one) => !isSystem(one)).toReversed()) {
    if (room < LEAST_MESSAGE_TOKENS) break;
    const text = shorten(message.text, { tokens: room, countTokens });
    kept.unshift({ ...message, text });
    room = text === message.text ? room - countTokens(text) : 0;
  }
  return [...system, ...kept];
}

function isSystem({ role }: ThreadMessage): boolean {
  return role === "system";
}

interface AskConciergeOptions {
  readonly services: NodeServices;
  readonly io: NodeIO;
  /** Returns the part of an answer that the person sees. */
  readonly extract: (text: string) => string;
  readonly onText: (delta: string) => void;
  /** Called where the answer begins anew. */
  readonly onRestart: () => void;
}

async function askConcierge(
  state: TurnState,
  message: ConciergeMessage,
  { services, io, extract, onText, onRestart }: AskConciergeOptions,
) {
  return askForText(
    {
      node: message.phase,
      role: "concierge",
      run: requireRun(state),
      turn: state.turn,
      parts: message.parts,
      required: message.required,
      before: message.fresh ? [] : state.conciergeThread.messages.map(asPromptMessage),
      thread: [],
      earlier: state.notices,
      maxOutputTokens: services.limits.conciergeOutputTokens,
    },
    {
      onText,
      onRestart,
      check: (text) =>
        extract(removeThoughts(text).trim()) === ""
          ? ["the person would see nothing: write the answer before the block"]
          : [],
      services,
      io,
    },
  );
}

/** Returns the part of an answer that the person sees; empty where there is none. */
function extractVisibleText(
  raw: string,
  { replyForBlockAlone }: ConciergeMessage,
  names: OutputNames,
): string {
  const shown = createConciergeGate(names).end(raw).trim();
  return shown === "" ? (replyForBlockAlone?.(raw) ?? "") : shown;
}

/** The gate of a concierge's words: thoughts go before blocks are read, and refs last. */
function createConciergeGate(names: OutputNames, takeBack: TakeBack = () => undefined): OutputGate {
  const begin = () => ({
    blocks: createSignalGate({ postProcess }),
    words: createOutputGate(names),
  });
  let { blocks, words } = begin();
  const thoughts = new ThoughtFilter(() => {
    ({ blocks, words } = begin());
    takeBack();
  });
  return {
    push: (chunk) => {
      const passed = thoughts.push(chunk);
      return words.push(blocks.push(passed));
    },
    end: (chunk) => {
      const passed = thoughts.end(chunk);
      return words.end(blocks.push(passed) + blocks.end());
    },
  };
}

interface ReplyStreamOptions {
  /** The words of code above the answer; they stand whatever is taken back. */
  readonly opening: string;
  readonly names: OutputNames;
  readonly io: NodeIO;
}

/** Creates the stream of a reply. Where the final text differs from what was streamed, it replaces it. */
function createReplyStream(reply: string, { opening, names, io }: ReplyStreamOptions) {
  let shown = "";
  let held = "";
  // White space at either end is no part of the reply.
  const show = (text: string): void => {
    const all = shown === "" ? (held + text).trimStart() : held + text;
    const delta = all.trimEnd();
    held = all.slice(delta.length);
    if (delta === "") return;
    shown += delta;
    io.emit({ type: "text-delta", reply, text: delta });
  };
  show(opening);
  const before = { shown, held };
  const takeBack = (): void => {
    const isReset = shown !== before.shown;
    ({ shown, held } = before);
    if (!isReset) return;
    io.emit({ type: "reply-reset", reply });
    if (shown !== "") io.emit({ type: "text-delta", reply, text: shown });
  };
  let gate = createConciergeGate(names, takeBack);
  return {
    push: (delta: string) => show(gate.push(delta)),
    restart: () => {
      gate = createConciergeGate(names, takeBack);
      takeBack();
    },
    finish: (text: string) => {
      show(gate.end());
      if (shown === text) return;
      if (shown !== "") io.emit({ type: "reply-reset", reply });
      shown = "";
      held = "";
      io.emit({ type: "text-delta", reply, text });
    },
  };
}

/** Builds the apology for a missing answer. Details of an unusable answer go only into the notice. */
function apologize(
  phase: Phase,
  failure: AskFailure,
): { readonly text: string; readonly notice: Notice } {
  return {
    text: explainFailure(failure),
    notice: { node: phase, code: CONCIERGE_SILENT, text: failure.reason },
  };
}

function findLeaks(phase: Phase, shown: string, known: KnownMachinery): Notice[] {
  return detectMachineryLeakage(shown, known).map(({ kind, text }) => ({
    node: phase,
    code: "leak",
    text: `${kind}: "${text}"`,
  }));
}

/** The message as it was sent, so that the next prompt begins with the same bytes. */
function toThreadMessages(parts: readonly EnvelopePart[]): ThreadMessage[] {
  return renderParts(parts).flatMap((message) =>
    message.role === "system" || message.role === "user"
      ? [{ role: message.role, text: message.text }]
      : [],
  );
}

function readInputText(state: TurnState): string {
  return state.input?.text ?? "";
}
