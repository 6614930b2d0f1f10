import { AIMessage } from "@langchain/core/messages";
import type { TurnState } from "../state/turn.ts";
import type { Notice } from "../state/turn-summary.ts";
import type { MessageOutcome, WaitingMessage } from "./conversation-store.ts";
import type { EventSequence } from "./events.ts";
import { loadThread } from "./load-thread.ts";
import { abandonTurn, configOf, streamTurn, threadOf, type ThreadWork } from "./thread-work.ts";
import { databaseFaultIn, isLeaseLost } from "./turn-errors.ts";

/** A turn that is being ended: its message, the thread's work, and the events it has told so far. */
export interface EndingTurn {
  readonly message: WaitingMessage;
  readonly work: ThreadWork;
  readonly sequence: EventSequence;
}

/** Reports a turn that has rested: its message is done with, old checkpoints go, the record is the last event. */
export async function finishTurn(
  { message, work, sequence }: EndingTurn,
  outcome: MessageOutcome,
): Promise<void> {
  const { parts, lease } = work;
  const { values } = await loadThread(parts.graph, work);
  await parts.store.finishMessage({ ...message, lease, outcome, turn: values.turn ?? null });
  await parts.store.prune({ ...threadOf(work), lease, turns: parts.limits.checkpointTurns });
  const record = values.turnExecutionSummaries?.at(-1);
  if (record === undefined || record.turnNumber !== values.turn) {
    throw new Error(`Cannot report turn ${values.turn ?? 0}: it ended without a record`);
  }
  sequence.end({ type: "turn-end", record }).forEach(work.onEvent);
  if (values.turn % CLEAN_UP_TURNS === 1) await cleanUp(work);
}

/** How many turns of a thread share one cleaning. */
const CLEAN_UP_TURNS = 20;

/** The turn has been told by now: what is left over does not undo it. */
async function cleanUp({ parts, userId }: ThreadWork): Promise<void> {
  try {
    await parts.store.cleanUp({ userId, days: parts.limits.repetitionDays });
  } catch (error) {
    parts.onFailure?.(error);
  }
}

/** Stops a turn: what has been done is kept and recorded; the next message goes on from there. */
export async function stopTurn(turn: EndingTurn): Promise<void> {
  const text = "Stopped before it was finished.";
  const closed = await closeTurn(turn, { notice: STOPPED, text });
  if (closed) return finishTurn(turn, "stopped");
  const message = "Stopped before the turn had begun; nothing was done";
  return leaveTurn(turn, { outcome: "stopped", message });
}

/** Gives a turn up that failed too often. One that cannot even be recorded is left as it is. */
export async function giveUpTurn(turn: EndingTurn): Promise<void> {
  const { parts, lost } = turn.work;
  const { attemptsPerMessage } = parts.limits;
  const tries = attemptsPerMessage === 1 ? "once" : `${attemptsPerMessage} times`;
  const text = `I tried ${tries} and could not finish this. I will not try again by myself; please send it again, or put it another way.`;
  try {
    const closed = await closeTurn(turn, { notice: GIVEN_UP, text });
    if (closed) return await finishTurn(turn, "given-up");
  } catch (error) {
    if (lost.aborted || isLeaseLost(error) || databaseFaultIn(error) !== null) throw error;
    parts.onFailure?.(error);
    await abandonTurn(turn.work);
  }
  return leaveTurn(turn, { outcome: "given-up", message: text });
}

/** The message is done with, and no turn came of it. */
async function leaveTurn(
  { message, work, sequence }: EndingTurn,
  end: { readonly outcome: "given-up" | "stopped"; readonly message: string },
): Promise<void> {
  const { lease, parts } = work;
  await parts.store.finishMessage({ ...message, lease, outcome: end.outcome, turn: null });
  const error = { type: "error", code: end.outcome, message: end.message } as const;
  sequence.end(error).forEach(work.onEvent);
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

/**
 * Ends a turn that will not be carried on: says so as its reply, then records and archives it.
 * False when the turn had not begun; then it never will.
 */
async function closeTurn(
  { message, work, sequence }: EndingTurn,
  end: { readonly notice: Notice; readonly text: string },
): Promise<boolean> {
  const { values, stage } = await loadThread(work.parts.graph, work);
  if (values.input?.messageId !== message.messageId) return false;
  if (stage === "rested") return true;
  if (stage === "taken" || values.turn === undefined) {
    await abandonTurn(work);
    return false;
  }
  const notices = [...(values.notices ?? []), end.notice];
  // What the person was not told yet of what was asked for is not asked for any longer.
  const dropped = { pendingCalls: [], signal: null, batchInfo: null, spoken: null, notices };
  const { replies = [] } = values;
  if (replies.length === 0) {
    const reply = { id: `t${values.turn}-a1`, text: lastWords(end.text, values.effects ?? []) };
    await work.parts.graph.updateState(
      configOf(work),
      {
        ...dropped,
        replies: [reply],
        messages: [new AIMessage({ id: reply.id, content: reply.text })],
      },
      "reply",
    );
    sequence.restate({ reply: reply.id, text: reply.text }).forEach(work.onEvent);
  } else if (isBetweenAnswers(values)) {
    await work.parts.graph.updateState(configOf(work), dropped, "reply");
  }
  await streamTurn(null, { work, sequence, stoppable: false });
  return true;
}

/** Whether a batch or another answer was still to come after what was said. */
function isBetweenAnswers({ signal, batchInfo, turn, ...values }: Partial<TurnState>): boolean {
  if (signal !== null && signal !== undefined) return true;
  const recorded = values.turnExecutionSummaries?.at(-1)?.turnNumber === turn;
  return batchInfo !== null && batchInfo !== undefined && !recorded;
}

function lastWords(text: string, effects: TurnState["effects"]): string {
  if (effects.length === 0) return text;
  const stored = effects.map(({ action, label }) => `- ${action}: ${label}`);
  return [text, "What was stored until then:", ...stored].join("\n");
}
