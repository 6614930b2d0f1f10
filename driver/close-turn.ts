import { AIMessage } from "@langchain/core/messages";
import type { RunError } from "../state/run.ts";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { MessageOutcome } from "../state/conversation-store.ts";
import { isNumbered, loadThread, type LoadedThread } from "./load-thread.ts";
import {
  discardPendingTasks,
  threadConfig,
  streamTurn,
  emitEvents,
  toUserThread,
  type RunningTurn,
} from "./thread-work.ts";
import { findDatabaseFault, isLeaseLost } from "./turn-errors.ts";

/**
 * Reports a turn that has finished: the replies not sent yet, the record as its last event, then
 * the end of its run. With it, or after it, never before, its message is done with: a process
 * that dies before leaves it to the next one, which finds the turn rested. Old checkpoints go.
 */
export async function finishTurn(turn: RunningTurn, outcome: MessageOutcome): Promise<void> {
  const { work, sequence } = turn;
  const { parts, lease } = work;
  const { values } = await loadThread(parts.graph, work);
  const record = values.turnExecutionSummaries?.at(-1);
  if (record === undefined || record.turnNumber !== values.turn) {
    throw new Error(`Cannot report turn ${values.turn ?? 0}: it ended without a record`);
  }
  emitEvents(turn, sequence.emitMissingReplies(values.replies ?? []));
  emitEvents(turn, sequence.end({ type: "turn-end", record }));
  const error = { code: outcome, message: values.replies?.at(-1)?.text ?? "" };
  await endRun(turn, { outcome, turn: values.turn, error });
  // As many as are kept may be there: nothing can be too old.
  if (values.turn > parts.limits.checkpointTurns) {
    await parts.store.prune({ ...toUserThread(work), lease, turns: parts.limits.checkpointTurns });
  }
  await work.cleaning.afterTurn(work.userId);
}

/** Reads the outcome of a finished turn from its record. */
export function readTurnOutcome({
  turnExecutionSummaries = [],
}: Partial<TurnState>): MessageOutcome {
  const notices = turnExecutionSummaries.at(-1)?.notices ?? [];
  const isNoted = ({ node, code }: Notice): boolean =>
    notices.some((notice) => notice.node === node && notice.code === code);
  if (isNoted(STOPPED)) return "stopped";
  return isNoted(GIVEN_UP) ? "given-up" : "answered";
}

/**
 * Stops a turn: what has been done is kept and recorded, and the next message goes on from there.
 * If the observer rolls the turn back instead, no event is emitted.
 */
export async function stopTurn(turn: RunningTurn): Promise<void> {
  const { message, work } = turn;
  if (await tryUndo(turn)) {
    const { lease, parts } = work;
    return parts.store.finishMessage({ ...message, lease, outcome: "stopped", turn: null });
  }
  const closed = await finalizeEarly(turn, STOPPING);
  if (closed) return finishTurn(turn, "stopped");
  return reportWithoutTurn(turn, {
    outcome: "stopped",
    message: "Stopped before the turn had begun; nothing was done",
  });
}

async function tryUndo({ message, work, plan: { runId } }: RunningTurn): Promise<boolean> {
  const { observer, parts } = work;
  if (observer.undo === undefined) return false;
  const loaded = await loadThread(parts.graph, work);
  return observer.undo({ runId, turn: findTurnNumber(loaded, message.messageId) });
}

/** The number of the turn that was begun for a message; null where none was. */
function findTurnNumber({ values, stage }: LoadedThread, messageId: string): number | null {
  if (values.input?.messageId !== messageId || !isNumbered(stage)) return null;
  return values.turn ?? null;
}

/** Ends a turn whose message was stopped while nobody worked on it. False when it had not begun. */
export async function finalizeStopped(turn: RunningTurn): Promise<boolean> {
  return finalizeEarly(turn, STOPPING);
}

/** Gives a turn up that failed too often. One that cannot even be recorded is left as it is. */
export async function failPermanently(turn: RunningTurn): Promise<void> {
  const { parts, leaseLost } = turn.work;
  const { attemptsPerMessage } = parts.limits;
  const tries = attemptsPerMessage === 1 ? "once" : `${attemptsPerMessage} times`;
  const text = `I tried ${tries} and could not finish this. I will not try again by myself; please send it again, or put it another way.`;
  try {
    const closed = await finalizeEarly(turn, { notice: GIVEN_UP, text });
    if (closed) return await finishTurn(turn, "given-up");
  } catch (error) {
    const isTold = turn.sequence.isEnded();
    if (isTold || leaseLost.aborted || isLeaseLost(error) || findDatabaseFault(error) !== null) {
      throw error;
    }
    parts.onFailure?.(error);
    await discardPendingTasks(turn.work);
  }
  return reportWithoutTurn(turn, { outcome: "given-up", message: text });
}

/** The message is done with, and no turn came of it. */
async function reportWithoutTurn(
  turn: RunningTurn,
  end: { readonly outcome: "given-up" | "stopped"; readonly message: string },
): Promise<void> {
  const { outcome } = end;
  const error = { code: outcome, message: end.message };
  emitEvents(turn, turn.sequence.end({ type: "error", ...error }));
  await endRun(turn, { outcome, turn: null, error });
}

/** Outcome of a run; `error` is stored only if it was given up. */
interface EndedRun {
  readonly outcome: MessageOutcome;
  readonly turn: number | null;
  readonly error: RunError;
}

/** Ends the run, and takes its message out of the queue with it or after it. */
async function endRun({ message, work, plan }: RunningTurn, end: EndedRun): Promise<void> {
  const { outcome, turn, error } = end;
  const isDone = await work.observer.end({
    runId: plan.runId,
    outcome,
    turn,
    ...(outcome === "given-up" ? { error } : {}),
  });
  if (!isDone)
    await work.parts.store.finishMessage({ ...message, lease: work.lease, outcome, turn });
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

const STOPPING = { notice: STOPPED, text: "Stopped before it was finished." };

/**
 * Ends a turn that will not be carried on: says so as its reply, then records and archives it.
 * False when the turn had not begun; then it never will.
 */
async function finalizeEarly(
  turn: RunningTurn,
  end: { readonly notice: Notice; readonly text: string },
): Promise<boolean> {
  const { message, work, sequence } = turn;
  const { values, stage } = await loadThread(work.parts.graph, work);
  if (values.input?.messageId !== message.messageId) return false;
  if (stage === "idle") return true;
  if (!isNumbered(stage) || values.turn === undefined) {
    await discardPendingTasks(work);
    return false;
  }
  const notices = [...(values.notices ?? []), end.notice];
  // Pending tool calls and batches are dropped, or the resumed graph would still run them.
  const dropped = { pendingCalls: [], signal: null, batchInfo: null, spoken: null, notices };
  const { replies = [] } = values;
  if (replies.length === 0) {
    const reply = {
      id: `t${values.turn}-a1`,
      text: renderClosingReply(end.text, values.effects ?? []),
    };
    await work.parts.graph.updateState(
      threadConfig(work),
      {
        ...dropped,
        replies: [reply],
        messages: [new AIMessage({ id: reply.id, content: reply.text })],
      },
      "reply",
    );
    emitEvents(turn, sequence.resend({ reply: reply.id, text: reply.text }));
  } else if (isAwaitingAnswer(values)) {
    await work.parts.graph.updateState(threadConfig(work), dropped, "reply");
  }
  await streamTurn(null, { turn, stoppable: false });
  return true;
}

/** Checks for a batch or another answer still to come after the last reply. */
function isAwaitingAnswer({ signal, batchInfo, turn, ...values }: Partial<TurnState>): boolean {
  if (signal !== null && signal !== undefined) return true;
  const recorded = values.turnExecutionSummaries?.at(-1)?.turnNumber === turn;
  return batchInfo !== null && batchInfo !== undefined && !recorded;
}

function renderClosingReply(text: string, effects: TurnState["effects"]): string {
  if (effects.length === 0) return text;
  const stored = effects.map(({ action, label }) => `- ${action}: ${label}`);
  return [text, "What was stored until then:", ...stored].join("\n");
}
