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

/** The thread was written by a newer version of the program. */
export class StateVersionError extends Error {
  override readonly name = "StateVersionError";
  readonly code = "state_too_new";

  constructor(threadId: string, version: number) {
    super(
      `Cannot open thread "${threadId}": it was written by a newer version (state ${version}); update the program, nothing was changed`,
    );
  }
}

/** An error as an event tells it: a stable code and one sentence. The stack stays in the log. */
export function describeError(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof Error) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "internal";
    return { code, message: error.message };
  }
  return { code: "internal", message: String(error) };
}
