import type { Audience } from "../state/turn.ts";
import { renderSentence } from "../text/sentences.ts";

/** Thrown for a message that cannot be accepted; nothing of it was stored. */
export class MessageRefusedError extends Error {
  override readonly name = "MessageRefusedError";
  readonly code: "message_empty" | "message_too_long";

  constructor(code: "message_empty" | "message_too_long", message: string) {
    super(message);
    this.code = code;
  }
}

/** Thrown for a thread of another user. Its message says only that this user has no such thread. */
export class ForeignThreadError extends Error {
  override readonly name = "ForeignThreadError";
  readonly code = "thread_not_found";

  constructor(threadId: string) {
    super(renderSentence("foreignThread", { thread: threadId }));
  }
}

/** Thrown for a thread whose state was written by a version that this one cannot read. */
export class StateVersionError extends Error {
  override readonly name = "StateVersionError";
  readonly code = "state_version";

  constructor(
    thread: string,
    { stored, current }: { readonly stored: number; readonly current: number },
  ) {
    const id = stored > current ? "stateTooNew" : "stateTooOld";
    super(renderSentence(id, { thread, stored, current }));
  }
}

/** Returns true for the error of a lost lease: another process has the thread, and this one must not write to it. */
export function isLeaseLost(error: unknown): error is Error {
  return error instanceof Error && error.name === "LeaseLostError";
}

/** Thrown when a message could not be put into the inbox: nothing of it was stored. `code` names the reason. */
export class MessageNotStoredError extends Error {
  override readonly name = "MessageNotStoredError";
  readonly code: string;

  constructor(cause: unknown, audience: Audience) {
    const { code, message } =
      reportDatabaseFault(cause, audience) ?? reportKnownError(cause, audience) ?? UNEXPECTED;
    super(renderSentence("messageNotStored", { problem: message }), { cause });
    this.code = code;
  }
}

/** A stable code and a sentence for the person who reads it. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
}

const UNEXPECTED: ErrorReport = {
  code: "internal",
  message: renderSentence("storingFailed"),
};

/** The fault itself names servers and settings, which are the operator's. */
function reportDatabaseFault(error: unknown, audience: Audience): ErrorReport | null {
  const fault = findDatabaseFault(error);
  if (fault === null) return null;
  const message = audience === "operator" ? fault.message : renderSentence("databaseAwayForUser");
  return { code: "database_unavailable", message };
}

/** Returns the report of an error whose message is written for the person; null for any other. */
function reportKnownError(error: unknown, audience: Audience): ErrorReport | null {
  if (!(error instanceof Error) || !REPORTABLE.has(error.name)) return null;
  if (audience === "user" && error.name === "ModelError") return null;
  if (!("code" in error) || typeof error.code !== "string") return null;
  return { code: error.code, message: error.message };
}

const DEEPEST_CAUSE = 5;

/**
 * Returns the database error inside `error`, wrapped or not; null for any other error. The turn is
 * not at fault then.
 */
export function findDatabaseFault(error: unknown, depth = 0): Error | null {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return null;
  if (error.name === "DatabaseUnavailableError") return error;
  const within: readonly unknown[] =
    error instanceof AggregateError ? [error.cause, ...error.errors] : [error.cause];
  for (const one of within) {
    const fault = findDatabaseFault(one, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Errors whose messages are written for the user; any other may quote private data. */
const REPORTABLE: ReadonlySet<string> = new Set([
  "LeaseLostError",
  "MessageNotStoredError",
  "ModelError",
  "StateVersionError",
  "UserBusyError",
]);

/**
 * Describes an error for an event: a stable code, what happened, and what happens to the message.
 * A user reads of no server, model or setting; the error itself goes to the log.
 */
export function describeError(error: unknown, audience: Audience): ErrorReport {
  // The message itself could not be stored, whatever happened to the database.
  const fault =
    error instanceof MessageNotStoredError ? null : reportDatabaseFault(error, audience);
  if (fault !== null) {
    return {
      ...fault,
      message: renderSentence("answeredOnceDatabaseIsBack", { problem: fault.message }),
    };
  }
  return (
    reportKnownError(error, audience) ?? {
      code: "internal",
      message: renderSentence("turnFailed"),
    }
  );
}
