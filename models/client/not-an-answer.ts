/**
 * An endpoint answered with something that is no chat completion.
 *
 * Contract: holds nothing of what came back.
 */
export class NotAnAnswerError extends Error {
  override readonly name = "NotAnAnswerError";
}

/** A stream came where a whole answer was requested. */
export class StreamedAnswerError extends NotAnAnswerError {}
