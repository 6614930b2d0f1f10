/** A message that cannot be taken; nothing was stored of it. */
export class MessageRefusedError extends Error {
  override readonly name = "MessageRefusedError";
  readonly code: "message_empty" | "message_too_long";

  constructor(code: "message_empty" | "message_too_long", message: string) {
    super(message);
    this.code = code;
  }
}

/** The thread is another user's. Says no more than that this user has no such thread. */
export class ForeignThreadError extends Error {
  override readonly name = "ForeignThreadError";
  readonly code = "thread_not_found";

  constructor(threadId: string) {
    super(`Cannot open thread "${threadId}": you have no thread of that name; choose another one`);
  }
}

/** The thread was written by a version of the program whose state this one cannot read. */
export class StateVersionError extends Error {
  override readonly name = "StateVersionError";
  readonly code = "state_version";

  constructor(
    threadId: string,
    { stored, current }: { readonly stored: number; readonly current: number },
  ) {
    const how =
      stored > current
        ? "it was written by a newer version of the program; update this one"
        : "it was written by a version too old to be read; open it with the version before this one";
    super(
      `Cannot open thread "${threadId}" (state ${stored}, readable ${current}): ${how}. Nothing was changed`,
    );
  }
}

/** Whether the thread went to another process, so that nothing here may write in it any more. */
export function isLeaseLost(error: unknown): error is Error {
  return error instanceof Error && error.name === "LeaseLostError";
}

/** The database was away when the message came. */
export class MessageNotTakenError extends Error {
  override readonly name = "MessageNotTakenError";
  readonly code = "database_unavailable";

  constructor(fault: Error) {
    super(`${fault.message}. Your message was not taken; send it again`, { cause: fault });
  }
}

const DEEPEST_CAUSE = 5;

/**
 * What befell the database, where that is what an error is about, be it wrapped; null for any other
 * error. The turn is not at fault then.
 */
export function databaseFaultIn(error: unknown, depth = 0): Error | null {
  if (!(error instanceof Error) || depth > DEEPEST_CAUSE) return null;
  if (error.name === "DatabaseUnavailableError") return error;
  const within: readonly unknown[] =
    error instanceof AggregateError ? [error.cause, ...error.errors] : [error.cause];
  for (const one of within) {
    const fault = databaseFaultIn(one, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Errors whose sentences are written for the person who reads them; any other may quote what is nobody's business. */
const TOLD: ReadonlySet<string> = new Set([
  "LeaseLostError",
  "MessageNotTakenError",
  "ModelError",
  "StateVersionError",
]);

/**
 * An error that befell a message in its thread, as an event tells it: a stable code, what happened
 * and what becomes of the message. The error itself goes to the log.
 */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  const fault = databaseFaultIn(error);
  if (fault !== null && !(error instanceof MessageNotTakenError)) {
    return {
      code: "database_unavailable",
      message: `${fault.message}. Your message is kept; once the database is back, it is answered before the next one`,
    };
  }
  const told = error instanceof Error && TOLD.has(error.name);
  if (told && "code" in error && typeof error.code === "string") {
    return { code: error.code, message: error.message };
  }
  return {
    code: "internal",
    message:
      "Cannot finish the turn: an unexpected error, which is in the log. Your message is kept; send another to try it again",
  };
}
