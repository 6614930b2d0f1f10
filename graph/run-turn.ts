import { AIMessage } from "@langchain/core/messages";
import { EventBodySchema } from "../state/event.ts";
import type { JsonObject } from "../state/json.ts";
import type { Limits } from "../state/limits.ts";
import { RunSchema, type Run } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import { cleanMessage } from "./clean-message.ts";
import type { ConversationStore, WaitingMessage } from "./conversation-store.ts";
import { createEventSequence, type EventSequence, type TurnEvent } from "./events.ts";
import { loadThread } from "./load-thread.ts";
import { describeError, ForeignThreadError } from "./turn-errors.ts";
import { recursionLimitOf, type TurnGraph } from "./turn-graph.ts";

/** A message on its way into a thread. */
export interface SentMessage {
  readonly threadId: string;
  readonly userId: string;
  readonly text: string;
  /** Makes sending idempotent; minted where it is left out. */
  readonly messageId?: string;
  /** `YYYY-MM-DD` in the person's time zone. */
  readonly today: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47. */
  readonly locale: string;
}

/** How sending ended: answered here, or left to the process that holds the thread. */
export type SendOutcome = "worked-off" | "held-elsewhere";

export interface TurnDriver {
  /**
   * Puts a message into its thread and works the thread off, oldest first, until nothing waits:
   * first what an earlier run left unfinished, then this message. Every event of every turn goes
   * to `onEvent`; a turn that fails ends with an `error` event and stays resumable.
   *
   * `stop` stops the turn that runs, cleanly: what it has done is kept and recorded.
   *
   * @throws MessageRefusedError, ForeignThreadError; errors of the database before a turn began.
   */
  send(
    message: SentMessage,
    options: {
      readonly onEvent: (event: TurnEvent) => void;
      readonly stop?: AbortSignal;
      /** False leaves `prompt` events out. Default true. */
      readonly trace?: boolean;
    },
  ): Promise<SendOutcome>;
}

/** What the driver is made of. */
export interface TurnDriverParts {
  readonly graph: TurnGraph;
  readonly store: ConversationStore;
  readonly limits: Limits;
  /** Wall clock, for the events' stamps. */
  readonly now: () => Date;
  /** Mints ids of runs, messages and lease owners. */
  readonly newId: () => string;
  /** Gets what a turn's `error` event has no room for: the error itself, with stack and causes. */
  readonly onFailure?: (error: unknown) => void;
}

/** How long a message waits for a thread that another process works on. */
const LEASE_WAIT_MS = 120_000;

/** Makes the driver that surrounds the graph: inbox, lease, resumption, stopping, pruning. */
export function createTurnDriver(parts: TurnDriverParts): TurnDriver {
  return {
    send: async (message, { onEvent, stop, trace = true }) => {
      const text = cleanMessage(message.text, parts.limits.messageCharacters);
      const { threadId, userId } = message;
      const claim = await parts.store.claimThread({ threadId, userId, title: titleOf(text) });
      if (claim === "foreign") throw new ForeignThreadError(threadId);
      const { today, timeZone, locale } = message;
      await parts.store.enqueue({
        threadId,
        userId,
        messageId: message.messageId ?? parts.newId(),
        text,
        run: { runId: parts.newId(), threadId, userId, today, timeZone, locale },
      });
      const held = await parts.store.holdLease(
        { threadId, owner: parts.newId(), waitMs: LEASE_WAIT_MS, signal: stop ?? null },
        async (lease) => workOff({ threadId, parts, onEvent, stop, trace, lost: lease.signal }),
      );
      return held.held ? "worked-off" : "held-elsewhere";
    },
  };
}

interface WorkOptions {
  readonly threadId: string;
  readonly parts: TurnDriverParts;
  readonly onEvent: (event: TurnEvent) => void;
  readonly stop: AbortSignal | undefined;
  readonly trace: boolean;
  /** Aborts with the caller's stop, or when the lease is lost. */
  readonly lost: AbortSignal;
}

async function workOff(options: WorkOptions): Promise<void> {
  const { parts, threadId } = options;
  for (;;) {
    const message = await parts.store.nextMessage(threadId);
    if (message === null) return;
    const finished = await runMessage(message, options);
    if (!finished) return;
  }
}

/** Runs one message's turn to its end; false when it failed and stays to be tried again. */
async function runMessage(message: WaitingMessage, options: WorkOptions): Promise<boolean> {
  const { parts, threadId } = options;
  const { values, stage } = await loadThread(parts.graph, threadId);
  const taken = values.input?.messageId === message.messageId;
  if (taken && stage === "rested") {
    // The turn ended and only the inbox did not hear of it.
    await parts.store.finishMessage({ ...message, outcome: "answered" });
    return true;
  }
  const run = RunSchema.parse(message.run);
  const sequence = createEventSequence({
    thread: threadId,
    turn: (values.turn ?? 0) + (taken && stage === "begun" ? 0 : 1),
    run: run.runId,
    now: parts.now,
    resumed: taken,
  });
  const emit = (events: readonly TurnEvent[]): void => events.forEach(options.onEvent);

  emit(sequence.next({ type: "turn-start", message: message.text }));
  try {
    if (stage !== "rested" && !taken) await finishOlder(options);
    const attempts = await parts.store.countAttempt(message);
    if (attempts > parts.limits.attemptsPerMessage) {
      await giveUp(message, { options, sequence, taken });
      return true;
    }
    await stream(taken ? null : inputOf(message, run), { options, sequence });
    await finishTurn(message, { options, sequence, outcome: "answered" });
    return true;
  } catch (error) {
    return failTurn(error, { message, options, sequence });
  }
}

/** Stops a turn that was told to stop, and says of any other why it failed; false when it stays to be tried again. */
async function failTurn(
  error: unknown,
  turn: {
    readonly message: WaitingMessage;
    readonly options: WorkOptions;
    readonly sequence: EventSequence;
  },
): Promise<boolean> {
  const { message, options, sequence } = turn;
  let cause = error;
  if (options.stop?.aborted === true) {
    try {
      await stopTurn(message, { options, sequence });
      return true;
    } catch (failure) {
      cause = failure;
    }
  }
  options.parts.onFailure?.(cause);
  sequence.end({ type: "error", ...describeError(cause) }).forEach(options.onEvent);
  return false;
}

/** An older turn that never reached its end, and for which no message waits, ends before a new one begins. */
async function finishOlder(options: WorkOptions): Promise<void> {
  try {
    await stream(null, { options, sequence: null });
  } catch (error) {
    if (options.lost.aborted) throw error;
    options.parts.onFailure?.(error);
    await abandon(options);
  }
}

/** Leaves an unfinished turn as it is: what it would have done next is forgotten. */
async function abandon(options: WorkOptions): Promise<void> {
  await options.parts.graph.updateState(configOf(options), {}, "finish");
}

type GraphInput = Parameters<TurnGraph["stream"]>[0];

function inputOf(message: WaitingMessage, run: Run): GraphInput {
  return { input: { messageId: message.messageId, text: message.text }, run };
}

function configOf(options: WorkOptions): { configurable: JsonObject & { stop?: AbortSignal } } {
  return { configurable: { thread_id: options.threadId } };
}

/** Runs the graph until it rests; its events go out stamped, or nowhere without a sequence. */
async function stream(
  input: GraphInput,
  {
    options,
    sequence,
    stoppable = true,
  }: {
    readonly options: WorkOptions;
    readonly sequence: EventSequence | null;
    readonly stoppable?: boolean;
  },
): Promise<void> {
  const chunks = await options.parts.graph.stream(input, {
    configurable: {
      thread_id: options.threadId,
      ...(stoppable ? { stop: options.lost } : {}),
    },
    streamMode: "custom",
    durability: "sync",
    recursionLimit: recursionLimitOf(options.parts.limits),
  });
  for await (const chunk of chunks) {
    if (sequence === null) continue;
    const body = EventBodySchema.parse(chunk);
    if (body.type === "prompt" && !options.trace) continue;
    sequence.next(body).forEach(options.onEvent);
  }
}

async function finishTurn(
  message: WaitingMessage,
  {
    options,
    sequence,
    outcome,
  }: {
    readonly options: WorkOptions;
    readonly sequence: EventSequence;
    readonly outcome: "answered" | "given-up" | "stopped";
  },
): Promise<void> {
  const { parts, threadId } = options;
  const { values } = await loadThread(parts.graph, threadId);
  await parts.store.finishMessage({ ...message, outcome });
  await parts.store.prune(threadId, parts.limits.checkpointTurns);
  const record = values.turnExecutionSummaries?.at(-1);
  if (record === undefined || record.turnNumber !== values.turn) {
    throw new Error(`Cannot report turn ${values.turn ?? 0}: it ended without a record`);
  }
  sequence.end({ type: "turn-end", record }).forEach(options.onEvent);
}

const STOPPED: Notice = {
  node: "driver",
  code: "stopped",
  text: "The person stopped the turn before it was finished",
};
const GIVEN_UP: Notice = {
  node: "driver",
  code: "given-up",
  text: "The turn failed again and again and was given up",
};

/** What has been done is kept and recorded; the next message goes on from there. */
async function stopTurn(
  message: WaitingMessage,
  { options, sequence }: { readonly options: WorkOptions; readonly sequence: EventSequence },
): Promise<void> {
  const closed = await closeTurn(message, {
    options,
    sequence,
    notice: STOPPED,
    text: "Stopped before it was finished.",
  });
  if (closed) {
    await finishTurn(message, { options, sequence, outcome: "stopped" });
    return;
  }
  await options.parts.store.finishMessage({ ...message, outcome: "stopped" });
  sequence
    .end({
      type: "error",
      code: "stopped",
      message: "Stopped before the turn had begun; nothing was done",
    })
    .forEach(options.onEvent);
}

async function giveUp(
  message: WaitingMessage,
  {
    options,
    sequence,
    taken,
  }: {
    readonly options: WorkOptions;
    readonly sequence: EventSequence;
    readonly taken: boolean;
  },
): Promise<void> {
  const { attemptsPerMessage } = options.parts.limits;
  const text = `I tried ${attemptsPerMessage} times and could not finish this. Your message is kept; please send it again, or put it another way.`;
  const closed = taken && (await closeTurn(message, { options, sequence, notice: GIVEN_UP, text }));
  if (closed) {
    await finishTurn(message, { options, sequence, outcome: "given-up" });
    return;
  }
  await options.parts.store.finishMessage({ ...message, outcome: "given-up" });
  sequence.end({ type: "error", code: "given-up", message: text }).forEach(options.onEvent);
}

/** Ends a turn that will not be carried on: says so as its reply, then records and archives it. False when the turn had not begun; then it never will. */
async function closeTurn(
  message: WaitingMessage,
  end: {
    readonly options: WorkOptions;
    readonly sequence: EventSequence;
    readonly notice: Notice;
    readonly text: string;
  },
): Promise<boolean> {
  const { graph } = end.options.parts;
  const { values, stage } = await loadThread(graph, end.options.threadId);
  if (values.input?.messageId !== message.messageId) return false;
  if (stage === "rested") return true;
  if (stage === "taken" || values.turn === undefined) {
    await abandon(end.options);
    return false;
  }
  const spoke = (values.replies ?? []).length > 0;
  if (!spoke) {
    const id = `t${values.turn}-a1`;
    const stored = (values.effects ?? []).map(({ action, label }) => `- ${action}: ${label}`);
    const text = [
      end.text,
      ...(stored.length === 0 ? [] : ["What was stored until then:", ...stored]),
    ].join("\n");
    await graph.updateState(
      configOf(end.options),
      {
        replies: [{ id, text }],
        messages: [new AIMessage({ id, content: text })],
        pendingCalls: [],
        notices: [...(values.notices ?? []), end.notice],
      },
      "reply",
    );
    end.sequence.restate({ reply: id, text }).forEach(end.options.onEvent);
  }
  await stream(null, { options: end.options, sequence: end.sequence, stoppable: false });
  return true;
}

function titleOf(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return [...line].slice(0, 60).join("");
}
