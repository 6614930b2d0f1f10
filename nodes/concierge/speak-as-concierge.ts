import { detectMachineryLeakage } from "../../output-filter/detect-machinery-leakage.ts";
import { postProcess } from "../../output-filter/post-process.ts";
import { orderParts, renderParts } from "../../prompts/part.ts";
import { createSignalGate, gated } from "../../control-blocks/gate.ts";
import type { EnvelopePart } from "../../state/envelope.ts";
import type { ConciergeThread, Phase, ThreadMessage } from "../../state/phase.ts";
import type { TurnState, TurnUpdate } from "../../state/turn.ts";
import type { Notice } from "../../state/turn-summary.ts";
import { askForText } from "../ask/ask-model.ts";
import { asPromptMessage } from "./concierge-thread.ts";
import type { NodeIO, NodeServices } from "../node.ts";
import { runOf } from "../run-of.ts";

/** What a concierge's instance is told next. */
export interface ConciergeMessage {
  readonly phase: Phase;
  readonly parts: readonly EnvelopePart[];
  /** Whether a fresh instance is told it; else it goes on with its thread. */
  readonly fresh: boolean;
  /** Kinds of parts without which it is not asked. */
  readonly required: readonly string[];
  /** What the person is told where an answer is a block alone; null for one that cannot stand. */
  readonly ofBlockAlone?: (raw: string) => string | null;
}

/** An answer that came. */
export interface Spoken {
  readonly kind: "spoken";
  /** As the model wrote it, blocks and all. */
  readonly raw: string;
  /** What the person sees. */
  readonly shown: string;
  readonly thread: ConciergeThread;
  readonly contextId: string;
}

/** What was said, the calls it took, and what is to be noted. */
export type SpeechUpdate = Pick<TurnUpdate, "spoken" | "calls" | "notices" | "unheard">;

/** What came of asking. */
export type Speech = (Spoken | { readonly kind: "silent" }) & { readonly update: SpeechUpdate };

/** The update with more to be noted. */
export function withNotices(update: SpeechUpdate, added: readonly Notice[]): SpeechUpdate {
  return { ...update, notices: [...(update.notices ?? []), ...added] };
}

/**
 * Lets a concierge speak: its thread, the new message, the answer streamed through the gate. An
 * answer of which the person would see nothing is asked for once more. No answer is an apology
 * that keeps the message.
 */
export async function speakAsConcierge(
  state: TurnState,
  message: ConciergeMessage,
  { services, io }: { readonly services: NodeServices; readonly io: NodeIO },
): Promise<Speech> {
  const stream = createReplyStream(`t${state.turn}-a${state.replies.length + 1}`, io);
  const asked = await ask(state, message, { services, io, onText: stream.begin() });
  const calls = [...state.calls, ...asked.calls];
  if (asked.kind === "failed") {
    const { text, notice } = silence(message.phase, asked);
    stream.finish(text);
    return {
      kind: "silent",
      update: {
        spoken: { text },
        calls,
        notices: [...state.notices, ...asked.notices, notice],
        // In a turn of two answers the first one has heard the message.
        ...(state.replies.length > 0 ? {} : { unheard: [...state.unheard, inputOf(state)] }),
      },
    };
  }
  const raw = asked.value.trim();
  const shown = shownOf(raw, message);
  stream.finish(shown);
  const contextId = message.fresh
    ? `${message.phase}@turn-${state.turn}`
    : (state.concierge.conciergeContextId ?? `${message.phase}@turn-${state.turn}`);
  return {
    kind: "spoken",
    raw,
    shown,
    contextId,
    thread: {
      contextId,
      model: services.models.concierge.name,
      messages: [
        ...(message.fresh ? [] : state.conciergeThread.messages),
        ...threadMessagesOf(partsSent(message, services)),
        { role: "assistant", text: raw },
      ],
      throughTurn: state.turn,
    },
    update: {
      spoken: { text: shown },
      calls,
      notices: [...state.notices, ...asked.notices, ...leaks(message.phase, shown)],
      unheard: [],
    },
  };
}

async function ask(
  state: TurnState,
  message: ConciergeMessage,
  {
    services,
    io,
    onText,
  }: {
    readonly services: NodeServices;
    readonly io: NodeIO;
    readonly onText: (delta: string) => void;
  },
) {
  return askForText(
    {
      node: message.phase,
      role: "concierge",
      run: runOf(state),
      turn: state.turn,
      parts: message.parts,
      required: message.required,
      before: message.fresh ? [] : state.conciergeThread.messages.map(asPromptMessage),
      thread: [],
      maxOutputTokens: 3_000,
    },
    {
      onText,
      check: (text) =>
        shownOf(text, message) === ""
          ? ["the person would see nothing: write the answer before the block"]
          : [],
      services,
      io,
    },
  );
}

/** What the person sees of an answer; empty where they would see nothing. */
function shownOf(raw: string, { ofBlockAlone }: ConciergeMessage): string {
  const shown = gated(raw, { postProcess }).trim();
  return shown === "" ? (ofBlockAlone?.(raw) ?? "") : shown;
}

/** What is shown of a reply while it comes; what turns out to be another text replaces it. */
function createReplyStream(reply: string, io: NodeIO) {
  const gate = createSignalGate({ postProcess });
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
  return {
    begin: () => (delta: string) => show(gate.push(delta)),
    finish: (text: string) => {
      show(gate.end());
      if (shown === text) return;
      if (shown !== "") io.emit({ type: "reply-reset", reply });
      io.emit({ type: "text-delta", reply, text });
    },
  };
}

/** What was wrong with an answer that came is for the record alone. */
function silence(
  phase: Phase,
  { code, reason }: { readonly code: string; readonly reason: string },
): { readonly text: string; readonly notice: Notice } {
  const why = code === "invalid" || code === "gate" ? "no answer came that I could use" : reason;
  return {
    text: `I could not answer just now: ${why}.\nYour message is kept; write anything and I will try again.`,
    notice: { node: phase, code: "no-answer", text: reason },
  };
}

function leaks(phase: Phase, shown: string): Notice[] {
  return detectMachineryLeakage(shown).map(({ kind, text }) => ({
    node: phase,
    code: "leak",
    text: `${kind}: "${text}"`,
  }));
}

function partsSent({ phase, parts }: ConciergeMessage, { omitSection }: NodeServices) {
  return orderParts(parts).filter(({ kind }) => omitSection?.(phase, kind) !== true);
}

/** The message as it was sent, so that the next prompt begins with the same bytes. */
function threadMessagesOf(parts: readonly EnvelopePart[]): ThreadMessage[] {
  return renderParts(parts).flatMap((message) =>
    message.role === "system" || message.role === "user"
      ? [{ role: message.role, text: message.text }]
      : [],
  );
}

function inputOf(state: TurnState): string {
  return state.input?.text ?? "";
}
