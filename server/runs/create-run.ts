import { cleanMessage } from "../../driver/clean-message.ts";
import { MessageRefusedError } from "../../driver/turn-errors.ts";
import { createTitle } from "../../driver/thread-title.ts";
import { isEnded, type RunRecord } from "../../state/run.ts";
import type { Queryable } from "../../state/store.ts";
import { enqueueMessage, hasOtherText, nextMessage } from "../../storage/conversations/inbox.ts";
import {
  isWorkedOnWithoutRun,
  lockNewestRun,
  lockRunOfWaiting,
} from "../../storage/runs/message-runs.ts";
import { insertRun, listUnfinishedRuns, type NewRun } from "../../storage/runs/runs.ts";
import { makeTemporary } from "../../storage/conversations/temporary-threads.ts";
import { findThread, patchThread } from "../../storage/conversations/thread-records.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";
import { ASSISTANT_ID, GRAPH_ID } from "../protocol/assistant-id.ts";
import { assertThreadId } from "../protocol/ids.ts";
import type { AskedRun } from "../protocol/run-body.ts";
import type { SentInput } from "../protocol/run-input.ts";
import { selectGraphModes } from "../protocol/stream-modes.ts";
import { toUserEntry, threadNotFound } from "../threads/own-thread.ts";
import { currentTraceparent } from "../trace-requests.ts";
import { cancelInThread } from "./cancel-run.ts";

/** A run that is asked for, and the thread it is asked for in. */
export interface RunRequest extends Omit<AskedRun, "onDisconnect" | "onCompletion"> {
  readonly threadId: string;
  /** Deletes the thread, which is made for this run alone, after its end. Default: it stays. */
  readonly isTemporary?: boolean;
}

/** The parts of the server that creating a run needs. */
export type RunParts = Pick<ServerParts, "pool" | "jobs" | "limits" | "newId">;

/**
 * Creates a run for a message, or for unfinished work, and its job, in one transaction that locks the
 * thread. A message that was sent before is not sent again: its run
 * is the answer.
 *
 * @throws Problem `thread_not_found`, `thread_busy` (strategy `reject`), `nothing_to_resume`,
 * `run_exists`, `message_id_taken`, `message_empty`, `message_too_long`, `invalid_request` where the
 * thread cannot have that id; KeyGoneError; UserBusyError; DatabaseUnavailableError.
 */
export async function createRun(
  parts: RunParts,
  caller: Caller,
  request: RunRequest,
): Promise<RunRecord> {
  const { threadId, message } = request;
  const text = message === null ? null : readText(message, parts.limits.messageCharacters);
  const { userId } = caller;
  return asUser(parts.pool, { userId, entry: toUserEntry(caller) }, async (tx) => {
    const claim = await holdThread(tx, {
      request,
      title: text === null ? null : createTitle(text),
    });
    const enqueueJob = (): Promise<void> => parts.jobs.send(tx, { threadId, userId });
    if (message === null || text === null) {
      const resumed = await resume(tx, parts, request);
      await enqueueJob();
      return resumed;
    }
    const messageId = message.messageId?.value ?? parts.newId();
    const asked = { ...request, userId, text, messageId };
    // In a new thread nothing was sent before, and nothing is under way.
    const known = claim === "created" ? null : await findExistingRun(tx, asked);
    if (known === null && claim !== "created") await applyMultitaskStrategy(tx, request);
    // At once: they are sent together.
    const [run] = await Promise.all([known ?? enqueueRun(tx, parts, asked), enqueueJob()]);
    return run;
  });
}

/** Returns the message's text as it is stored. @throws Problem that points at it in the body. */
function readText({ text, field }: SentInput, longest: number): string {
  try {
    return cleanMessage(text, longest);
  } catch (error) {
    if (!(error instanceof MessageRefusedError)) throw error;
    throw new Problem(error.code, { detail: error.message, field, cause: error });
  }
}

/** The thread is the caller's, and nobody else changes it until the transaction ends. */
async function holdThread(
  tx: Queryable,
  { request, title }: { readonly request: RunRequest; readonly title: string | null },
): Promise<"created" | "owned"> {
  const { threadId, ifMissing, message } = request;
  const mayMake = ifMissing === "create" && message !== null;
  // Who asks for what is not there is not to leave a row, not even a dead one.
  if (!mayMake && (await findThread(tx, threadId)) === null) throw threadNotFound(threadId);
  // Clients look for the threads of an assistant by these.
  const metadata = { graph_id: GRAPH_ID, assistant_id: ASSISTANT_ID };
  const claim = await claimThread(tx, { threadId, metadata, ...(title === null ? {} : { title }) });
  // One that was deleted meanwhile does not come back to life, empty.
  if (claim === "foreign" || (claim === "created" && !mayMake)) throw threadNotFound(threadId);
  if (claim === "created") assertThreadId(threadId);
  if (claim === "created" && request.isTemporary === true) await makeTemporary(tx, threadId);
  if (claim === "owned") await tagWithAssistant(tx, { threadId, metadata });
  return claim;
}

/** A thread that was made elsewhere is this assistant's from its first run on. */
async function tagWithAssistant(
  tx: Queryable,
  noted: { readonly threadId: string; readonly metadata: Readonly<Record<string, string>> },
): Promise<void> {
  const thread = await findThread(tx, noted.threadId);
  const known: Readonly<Record<string, unknown>> = thread?.metadata ?? {};
  const isNoted = Object.entries(noted.metadata).every(([name, value]) => known[name] === value);
  if (!isNoted) await patchThread(tx, noted);
}

/** A run that is asked for with a message. */
type AskedMessage = RunRequest & {
  readonly userId: string;
  readonly text: string;
  readonly messageId: string;
};

/** The run of a message that was sent before; null where it was not. */
async function findExistingRun(tx: Queryable, asked: AskedMessage): Promise<RunRecord | null> {
  const { threadId, messageId, text } = asked;
  const known = await lockNewestRun(tx, { threadId, messageId });
  if (known === null) return null;
  if (await hasOtherText(tx, { threadId, messageId, text })) throw messageIdTaken(asked);
  return known;
}

async function enqueueRun(
  tx: Queryable,
  parts: RunParts,
  request: AskedMessage,
): Promise<RunRecord> {
  const { threadId, userId, messageId, text, person } = request;
  const run = { ...newRun(parts, request), messageId };
  // At once: they are sent together.
  const [{ repeated }, inserted] = await Promise.all([
    enqueueMessage(tx, {
      threadId,
      messageId,
      text,
      run: { ...person, runId: run.runId, threadId, userId },
    }),
    insertRun(tx, run),
  ]);
  if (repeated) throw alreadySent(request);
  return inserted;
}

/** Goes on with the oldest message that waits and that no run is under way for. */
async function resume(tx: Queryable, parts: RunParts, request: RunRequest): Promise<RunRecord> {
  const { threadId } = request;
  const waiting = await nextMessage(tx, threadId);
  if (waiting === null) throw nothingToResume();
  const { messageId } = waiting;
  const last = await lockRunOfWaiting(tx, { threadId, messageId });
  const isAlone = request.strategy === "reject";
  if (last !== null && !isEnded(last.status)) {
    if (isAlone) throw busy(threadId);
    return last;
  }
  if (isAlone && (await isWorkedOnWithoutRun(tx, threadId))) throw busy(threadId);
  return insertRun(tx, {
    ...newRun(parts, request),
    messageId,
    metadata: { ...request.metadata, ...(last === null ? {} : { retryOf: last.runId }) },
  });
}

/** Applies the strategy to the runs that are under way. Those that end with this transaction give their place at once. */
async function applyMultitaskStrategy(
  tx: Queryable,
  { threadId, strategy }: RunRequest,
): Promise<void> {
  if (strategy === "enqueue") return;
  const unfinished = await listUnfinishedRuns(tx, threadId);
  if (strategy === "reject") {
    if (unfinished.length > 0 || (await isWorkedOnWithoutRun(tx, threadId))) throw busy(threadId);
    return;
  }
  for (const { runId } of unfinished) await cancelInThread(tx, { runId, action: strategy });
}

function newRun(parts: RunParts, request: RunRequest): Omit<NewRun, "messageId"> {
  const { threadId, strategy, modes, subgraphs, trace, metadata, person } = request;
  const traceparent = currentTraceparent();
  return {
    runId: parts.newId(),
    threadId,
    multitaskStrategy: strategy,
    streamModes: selectGraphModes(modes),
    trace,
    metadata,
    kwargs: {
      stream_mode: [...modes],
      stream_subgraphs: subgraphs,
      context: { ...person, trace },
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  };
}

function busy(threadId: string): Problem {
  return new Problem("thread_busy", {
    detail: `Cannot start a run in thread "${threadId}": another is under way; wait for it, or choose another multitask_strategy`,
    field: "/multitask_strategy",
  });
}

/** The problem of a run without a message, where no message waits. */
export function nothingToResume(): Problem {
  return new Problem("nothing_to_resume", {
    detail: "Cannot go on without a message: nothing is unfinished here; send one",
    field: "/input",
  });
}

function messageIdTaken(asked: AskedMessage): Problem {
  return new Problem("message_id_taken", {
    detail: `Cannot send message "${asked.messageId}" again in other words: its run answers the first ones; give the new message another id`,
    ...fieldOfId(asked),
  });
}

function alreadySent(asked: AskedMessage): Problem {
  return new Problem("run_exists", {
    detail: `Cannot send message "${asked.messageId}" again: it was sent before, and its run is not kept; give the new one another id`,
    ...fieldOfId(asked),
  });
}

function fieldOfId({ message }: AskedMessage): { readonly field?: string } {
  const field = message?.messageId?.field;
  return field === undefined ? {} : { field };
}
