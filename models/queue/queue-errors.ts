/**
 * A call waited for a slot of its endpoint for as long as it may, and none was free.
 *
 * Contract: `seconds` is an estimate of when a slot will be free, from the calls that wait and
 * the time that the last ones took; null while none has ended.
 */
export class QueueBusyError extends Error {
  override readonly name = "QueueBusyError";
  readonly seconds: number | null;

  constructor(seconds: number | null) {
    super("Cannot begin a model call: no slot of the endpoint was free in time");
    this.seconds = seconds;
  }
}

/** A call had no answer when its time was over, waiting and retries included. */
export class CallTimeoutError extends Error {
  override readonly name = "CallTimeoutError";

  constructor() {
    super("Cannot complete a model call: no answer in time");
  }
}

/**
 * An endpoint wants no call for longer than this one can wait.
 *
 * Contract: `seconds` is the time until the endpoint may be called again.
 */
export class RateLimitedError extends Error {
  override readonly name = "RateLimitedError";
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Cannot make a model call: the endpoint allows none for ${seconds} s`);
    this.seconds = seconds;
  }
}
