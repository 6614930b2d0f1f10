import { AIMessage } from "@langchain/core/messages";
import type { EndedMessage, MessageOutcome, WaitingMessage } from "../state/conversation-store.ts";
import { JsonObjectSchema } from "../state/json.ts";
import { createReplyId } from "../state/message-ids.ts";
import type { RunError } from "../state/run.ts";
import { AudienceSchema, TurnContextSchema, type Audience, type TurnState } from "../state/turn.ts";
import { readTurnEnd, type Notice } from "../state/turn-summary.ts";
import { renderSentence } from "../text/sentences.ts";
import { composeReply } from "../registry/receipts.ts";
import { reduceTurn, startTurn } from "../view/reduce-turn.ts";
import type { TurnView } from "../view/turn-view.ts";
import { collectClosingReceipts, wordGivenUp } from "../graph/closing-receipts.ts";
import { createEventSequence, type EventSequence } from "./events.ts";
import type { TurnEvent } from "../state/event.ts";
import type { GraphInput } from "../graph/stream-chunks.ts";
import type { LeasedThread } from "./leased-thread.ts";
import { isNumbered, type LoadedThread } from "./load-thread.ts";
import { listInterrupts, withInterrupts } from "../graph/interrupts.ts";
import { publicValues } from "../graph/public-state.ts";
import { publicChunk } from "../graph/public-chunk.ts";
import type { BegunTurn, OpenedRun } from "./run-source.ts";
import { findDatabaseFault, isLeaseLost, type ErrorReport } from "./turn-errors.ts";
import type { DriverParts } from "./driver-parts.ts";

/** A message, the run that answers it, and the turn it has or gets. */
export interface OpenedTurn {
  readonly message: WaitingMessage;
  readonly run: OpenedRun;
  /** The turn's number. */
  readonly number: number;
  /** True if a process has begun it before. */
  readonly resumed: boolean;
}

/** One message's turn in progress: it runs the graph, emits the events in order, and closes the turn in one of its four ways. */
export class MessageTurn {
  readonly message: WaitingMessage;
  /** The reader of its errors. */
  readonly audience: Audience;
  readonly number: number;
  /** True once this attempt is counted. */
  isCounted = false;
  readonly #run: OpenedRun;
  readonly #thread: LeasedThread;
  readonly #parts: DriverParts;
  readonly #events: EventSequence;
  /** The view of the events that were emitted so far, in earlier attempts of the run too. */
  #view: TurnView;

  constructor(opened: OpenedTurn, thread: LeasedThread, parts: DriverParts) {
    const { message, run, number, resumed } = opened;
    const { runId, sentEvents, sentReplies } = run.plan;
    this.message = message;
    this.audience = AudienceSchema.catch("user").parse(message.run["audience"]);
    this.number = number;
    this.#run = run;
    this.#thread = thread;
    this.#parts = parts;
    this.#view = (sentEvents ?? []).reduce(reduceTurn, startTurn(message.text));
    this.#events = createEventSequence({
      thread: thread.threadId,
      turn: number,
      run: runId,
      now: parts.now,
      resumed,
      ...(sentEvents === null ? {} : { sentEvents }),
      ...(sentReplies === undefined ? {} : { sentReplies }),
    });
  }

  /** True once a stop was requested and the turn's last event is still to come. */
  get isToBeStopped(): boolean {
    return this.#run.plan.stop?.aborted === true && !this.#events.isEnded();
  }

  /** @throws the reason of a requested stop. */
  throwIfStopped(): void {
    this.#run.plan.stop?.throwIfAborted();
  }

  /** Builds the graph's input for a message that is not in the thread's state yet. */
  createInput(): GraphInput {
    const { messageId, text, receivedAt, decision, run } = this.message;
    return {
      input: {
        messageId,
        text,
        ...(receivedAt === undefined ? {} : { receivedAt }),
        ...(decision === undefined ? {} : { decision }),
      },
      run: { ...TurnContextSchema.parse(run), runId: this.#run.plan.runId },
    };
  }

  start(): void {
    const { messageId, text: message } = this.message;
    this.#emit(this.#events.next({ type: "turn-start", messageId, message }));
  }

  /** Runs the graph until it is idle and emits its events; null continues where it stopped. */
  async stream(input: GraphInput, { stoppable = true } = {}): Promise<void> {
    const { plan, sink } = this.#run;
    await this.#thread.runGraph(input, {
      modes: plan.modes,
      stop: plan.stop,
      stoppable,
      onEvent: (body) => {
        if (body.type !== "prompt" || plan.trace) this.#emit(this.#events.next(body));
      },
      onChunk: (mode, chunk) => {
        const data = publicChunk(mode, chunk);
        if (data !== null) sink.onChunk({ mode, namespace: [], data });
      },
      waitForRoom: sink.waitForRoom === undefined ? undefined : () => sink.waitForRoom?.() ?? DONE,
    });
  }

  /**
   * Closes a turn that has finished: emits the replies not sent yet and the summary as its last event,
   * then ends its run, and with or after it, never before, its message: a process that dies before
   * leaves the message to the next one, which finds the turn idle.
   */
  async finish<Outcome extends MessageOutcome>(outcome: Outcome): Promise<Outcome> {
    const { values } = await this.#thread.load();
    const { turn = 0, replies = [] } = values;
    const summary = values.turnExecutionSummaries?.at(-1);
    if (summary === undefined || summary.turnNumber !== values.turn) {
      throw new Error(`Cannot report turn ${turn}: it ended without a summary`);
    }
    this.#emit(this.#events.emitMissingReplies(replies));
    this.#sendInterrupts(values);
    const end = readTurnEnd(summary);
    this.#emit(this.#events.end({ type: "turn-end", ...end, summary }));
    const message = replies.at(-1)?.text ?? "";
    const error = end.outcome === "failed" ? { code: end.code ?? outcome, message } : null;
    const view = JsonObjectSchema.parse(this.#view);
    await this.#end(
      { outcome, turn, view: { runId: values.run?.runId ?? this.#run.plan.runId, view } },
      error,
    );
    return outcome;
  }

  /** Sends the confirmation that waits, as the last values and the last update of the run. */
  #sendInterrupts(values: Partial<TurnState>): void {
    const interrupts = listInterrupts(values, this.#parts.now());
    if (interrupts.length === 0) return;
    const { plan, sink } = this.#run;
    const chunks = { values: publicValues(values), updates: {} };
    for (const mode of ["updates", "values"] as const) {
      if (!plan.modes.includes(mode)) continue;
      sink.onChunk({ mode, namespace: [], data: withInterrupts(chunks[mode], interrupts) });
    }
  }

  /**
   * Stops the turn: what has been done is kept and recorded, and the next message goes on from there.
   * If its run is rolled back instead, no event is emitted.
   */
  async stop(): Promise<"stopped"> {
    if (await this.#rollBack()) {
      await this.#removeMessage({ outcome: "stopped", turn: null });
      return "stopped";
    }
    if (await this.finalizeStopped()) return this.finish("stopped");
    return this.#reportWithoutTurn("stopped", renderSentence("stoppedBeforeTurn"));
  }

  /** Ends the graph's turn as stopped. False when it had not begun; then it never will. */
  finalizeStopped(): Promise<boolean> {
    return this.#finalizeEarly(STOPPED, renderSentence("stoppedEarly"));
  }

  /** Gives a turn up that failed too often. One that cannot even be recorded is left as it is. */
  async giveUp(): Promise<"given-up"> {
    const { attemptsPerMessage } = this.#parts.limits;
    const text =
      attemptsPerMessage === 1
        ? renderSentence("givenUpOnce")
        : renderSentence("givenUp", { count: attemptsPerMessage });
    try {
      if (await this.#finalizeEarly(GIVEN_UP, text)) return await this.finish("given-up");
    } catch (error) {
      const isLeft = this.#thread.held.lost.aborted || isLeaseLost(error);
      if (this.#events.isEnded() || isLeft || findDatabaseFault(error) !== null) throw error;
      this.#parts.onFailure?.(error);
      await this.#thread.discardPendingTasks();
    }
    return this.#reportWithoutTurn("given-up", text);
  }

  /** Emits an error as the last event. False if the last event was emitted before. */
  reportError(error: ErrorReport): boolean {
    if (this.#events.isEnded()) return false;
    this.#emit(this.#events.end({ type: "error", ...error }));
    return true;
  }

  /** Ends the run as failed; the message waits for another attempt. */
  async endFailed(error: ErrorReport): Promise<void> {
    await this.#run.sink.end({ outcome: "failed", turn: null, error });
  }

  async #rollBack(): Promise<boolean> {
    const { sink } = this.#run;
    if (sink.rollBack === undefined) return false;
    return sink.rollBack(findBegunTurn(await this.#thread.load(), this.message.messageId));
  }

  async #reportWithoutTurn<Outcome extends "given-up" | "stopped">(
    outcome: Outcome,
    message: string,
  ): Promise<Outcome> {
    const error = { code: outcome, message };
    this.reportError(error);
    await this.#end({ outcome, turn: null }, outcome === "given-up" ? error : null);
    return outcome;
  }

  /** Ends the run, and takes its message out of the queue with it or after it. The error is that of a failed turn. */
  async #end(end: EndedMessage, error: RunError | null): Promise<void> {
    const isRemoved = await this.#run.sink.end({ ...end, ...(error === null ? {} : { error }) });
    if (!isRemoved) await this.#removeMessage(end);
  }

  #removeMessage(end: EndedMessage): Promise<void> {
    const { lease } = this.#thread;
    return this.#parts.store.finishMessage({ ...this.message, lease, ...end });
  }

  /**
   * Ends the graph's turn that will not be carried on: says so as its reply, then records and archives
   * it. False when it had not begun; then it never will.
   */
  async #finalizeEarly(notice: Notice, text: string): Promise<boolean> {
    const { values, stage } = await this.#thread.load();
    if (values.input?.messageId !== this.message.messageId) return false;
    if (stage === "idle") return true;
    if (!isNumbered(stage) || values.turn === undefined) {
      await this.#thread.discardPendingTasks();
      return false;
    }
    const notices = [...(values.notices ?? []), notice];
    // Pending tool calls and batches are dropped, or the resumed graph would still run them.
    const dropped = {
      pendingCalls: [],
      signal: null,
      batchInfo: null,
      passedOnReply: null,
      notices,
    };
    if ((values.replies ?? []).length === 0) {
      const id = createReplyId(values.run?.runId ?? this.#run.plan.runId, 1);
      const at = this.#parts.now().toISOString();
      const receipts = collectClosingReceipts(values);
      const registry = values.registry ?? { entries: [] };
      const timeZone = values.run?.timeZone ?? "UTC";
      const body = notice === GIVEN_UP ? wordGivenUp(text, values) : text;
      const reply = composeReply({ id, at, body, receipts, registry, timeZone });
      const additional_kwargs = { turn: values.turn };
      const messages = [new AIMessage({ id, content: reply.text, additional_kwargs })];
      await this.#thread.update({ ...dropped, replies: [reply], messages }, "reply");
      this.#emit(this.#events.resend(reply));
    } else if (isAwaitingAnswer(values)) {
      await this.#thread.update(dropped, "reply");
    }
    await this.stream(null, { stoppable: false });
    return true;
  }

  #emit(events: readonly TurnEvent[]): void {
    for (const event of events) {
      this.#view = reduceTurn(this.#view, event);
      this.#run.sink.onEvent(event);
    }
  }
}

const DONE = Promise.resolve();

/** Reads the outcome of a finished turn from its summary. */
export function readTurnOutcome({
  turnExecutionSummaries = [],
}: Partial<TurnState>): MessageOutcome {
  const notices = turnExecutionSummaries.at(-1)?.notices ?? [];
  const isNoted = ({ node, code }: Notice): boolean =>
    notices.some((notice) => notice.node === node && notice.code === code);
  if (isNoted(STOPPED)) return "stopped";
  return isNoted(GIVEN_UP) ? "given-up" : "answered";
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

/** The turn that was begun for a message; null if none was. */
function findBegunTurn({ values, stage }: LoadedThread, messageId: string): BegunTurn | null {
  const { input, run, turn } = values;
  if (input?.messageId !== messageId || !isNumbered(stage)) return null;
  return turn === undefined || !run ? null : { turn, runId: run.runId };
}

/** Checks for a batch or another answer still to come after the last reply. */
function isAwaitingAnswer({ signal, batchInfo, turn, ...values }: Partial<TurnState>): boolean {
  if (signal !== null && signal !== undefined) return true;
  const recorded = values.turnExecutionSummaries?.at(-1)?.turnNumber === turn;
  return batchInfo !== null && batchInfo !== undefined && !recorded;
}
