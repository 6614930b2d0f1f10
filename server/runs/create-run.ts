import { cleanMessage } from "../../driver/clean-message.ts";
import { MessageRefusedError } from "../../driver/turn-errors.ts";
import { createTitle } from "../../driver/thread-title.ts";
import { isEnded, type RunRecord } from "../../state/run.ts";
import type { Limits } from "../../state/limits.ts";
import type { Queryable } from "../../state/store.ts";
import {
  enqueueMessage,
  hasOtherText,
  nextMessage,
  type NewMessage,
} from "../../storage/conversations/inbox.ts";
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
import { isDecision, type Sent } from "../protocol/decision.ts";
import { assertThreadId } from "../protocol/ids.ts";
import type { AskedRun } from "../protocol/run-body.ts";
import type { SentInput } from "../protocol/run-input.ts";
import { selectGraphModes } from "../protocol/stream-modes.ts";
import { wordDecision } from "../../text/word-decision.ts";
import { readAsked, type ReadableStates } from "../threads/read-state.ts";
import { getThread, toUserEntry, threadNotFound } from "../threads/own-thread.ts";
import { currentTraceparent } from "../trace-requests.ts";
import { cancelInThread } from "./cancel-run.ts";

/** A request for a run, and the thread it is for. */
export interface RunRequest extends Omit<AskedRun, "onDisconnect" | "onCompletion"> {
  readonly threadId: string;
  /** Deletes the thread, which is made for this run only, after the run's end. Default: it stays. */
  readonly isTemporary?: boolean;
}

/** The parts of the server that creating a run needs. */
export type RunParts = Pick<ServerParts, "pool" | "jobs" | "limits" | "newId"> & ReadableStates;

/**
 * Creates a run for a message, a decision or unfinished work, and its job, in one transaction that locks
 * the thread. A message that was sent before is not sent again: its run is returned.
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
  const { limits } = parts;
  const { userId } = caller;
  const words = message === null ? null : await readWords(parts, caller, { threadId, message });
  return asUser(parts.pool, { userId, entry: toUserEntry(caller) }, async (tx) => {
    const claim = await holdThread(
      tx,
      {
        ...request,
        title: words === null ? null : createTitle(words.text, limits.titleCharacters),
      },
      limits,
    );
    const enqueueJob = (): Promise<void> => parts.jobs.send(tx, { threadId, userId });
    if (message === null || words === null) {
      const resumed = await resume(tx, parts, request);
      await enqueueJob();
      return resumed;
    }
    const messageId = message.messageId?.value ?? parts.newId();
    const asked = { ...request, userId, ...words, messageId };
    // In a new thread nothing was sent before, and no run is active.
    const known = claim === "created" ? null : await findExistingRun(tx, asked);
    if (known === null && claim !== "created") await applyMultitaskStrategy(tx, request);
    // At once: they are sent together.
    const [run] = await Promise.all([known ?? enqueueRun(tx, parts, asked), enqueueJob()]);
    return run;
  });
}

/** A message as it is stored: its text, and the decision that this stands for. */
type Words = Pick<NewMessage, "text" | "decision">;

/** Puts a decision into words for the conversation. @throws Problem as `createRun`; StateVersionError. */
async function readWords(
  parts: RunParts,
  caller: Caller,
  { threadId, message }: { readonly threadId: string; readonly message: Sent },
): Promise<Words> {
  if (!isDecision(message)) return { text: readText(message, parts.limits.messageCharacters) };
  await getThread(parts, caller, threadId);
  const { language, confirmation } = await readAsked(parts, threadId);
  const { type } = message;
  return {
    text: wordDecision(type, language),
    decision: { confirmation: message.confirmation ?? confirmation, type },
  };
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

/** Locks the caller's thread until the transaction ends, and creates it where the request allows that. */
async function holdThread(
  tx: Queryable,
  request: RunRequest & { readonly title: string | null },
  limits: Pick<Limits, "temporaryThreadSeconds">,
): Promise<"created" | "owned"> {
  const { threadId, ifMissing, message, title } = request;
  const mayMake = ifMissing === "create" && message !== null;
  // A request for a thread that does not exist must not leave a row behind.
  if (!mayMake && (await findThread(tx, threadId)) === null) throw threadNotFound(threadId);
  // Clients search by these for the threads of an assistant.
  const metadata = { graph_id: GRAPH_ID, assistant_id: ASSISTANT_ID };
  const claim = await claimThread(tx, { threadId, metadata, ...(title === null ? {} : { title }) });
  // A thread that was deleted meanwhile is not created again, empty.
  if (claim === "foreign" || (claim === "created" && !mayMake)) throw threadNotFound(threadId);
  if (claim === "created") assertThreadId(threadId);
  if (claim === "created" && request.isTemporary === true) {
    await makeTemporary(tx, threadId, limits.temporaryThreadSeconds);
  }
  if (claim === "owned") await tagWithAssistant(tx, threadId, metadata);
  return claim;
}

/** Adds the assistant to the metadata of a thread that was created without one. */
async function tagWithAssistant(
  tx: Queryable,
  threadId: string,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const thread = await findThread(tx, threadId);
  const known: Readonly<Record<string, unknown>> = thread?.metadata ?? {};
  const isTagged = Object.entries(metadata).every(([name, value]) => known[name] === value);
  if (!isTagged) await patchThread(tx, { threadId, metadata });
}

/** A request for a run with a message. */
type AskedMessage = RunRequest &
  Words & {
    readonly userId: string;
    readonly messageId: string;
  };

/** Returns the run of a message that was sent before; null for a new message. */
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
  const { threadId, userId, messageId, text, decision, person } = request;
  const run = { ...newRun(parts, request), messageId };
  // At once: they are sent together.
  const [{ repeated }, inserted] = await Promise.all([
    enqueueMessage(tx, {
      threadId,
      messageId,
      text,
      decision,
      run: { ...person, runId: run.runId, threadId, userId },
    }),
    insertRun(tx, run),
  ]);
  if (repeated) throw alreadySent(request);
  return inserted;
}

/** Starts a run for the oldest waiting message, or returns the active run of that message. */
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

/** Applies the strategy to the active runs. Those that end with this transaction make room at once. */
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
    detail: `Cannot start a run in thread "${threadId}": another one is active; wait for it, or choose another multitask_strategy`,
    field: "/multitask_strategy",
  });
}

/** The problem of a run without a message, where no message waits. */
export function nothingToResume(): Problem {
  return new Problem("nothing_to_resume", {
    detail: "Cannot resume without a message: this thread has no unfinished work; send a message",
    field: "/input",
  });
}

function messageIdTaken(asked: AskedMessage): Problem {
  return new Problem("message_id_taken", {
    detail: `Cannot send message "${asked.messageId}" again with another text: its run answers the first text; give the new message another id`,
    ...fieldOfId(asked),
  });
}

function alreadySent(asked: AskedMessage): Problem {
  return new Problem("run_exists", {
    detail: `Cannot send message "${asked.messageId}" again: it was sent before, and its run is no longer stored; give the new one another id`,
    ...fieldOfId(asked),
  });
}

function fieldOfId({ message }: AskedMessage): { readonly field?: string } {
  const field = message?.messageId?.field;
  return field === undefined ? {} : { field };
}
