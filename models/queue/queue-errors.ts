/**
 * A call waited for a slot of its endpoint for as long as it may, and none was free.
 *
 * Contract: `seconds` is an estimate of when a slot will be free, from the calls that wait and
 * the time that the last ones took; null while none has ended.
 */
export class QueueBusyError extends Error {
  override readonly name = "QueueBusyError";
  readonly seconds: number | null;

  constructor({ waitedSeconds, waiting, seconds }: QueueBusyDetails) {
    super(
      `Cannot begin a model call: none of the endpoint's slots was free within ${waitedSeconds} s, and ${waiting} other calls wait; try again ${seconds === null ? "later" : `in about ${seconds} s`}, or raise the limit endpointCalls`,
    );
    this.seconds = seconds;
  }
}

interface QueueBusyDetails {
  readonly waitedSeconds: number;
  readonly waiting: number;
  readonly seconds: number | null;
}

/**
 * A call had no answer when its time was over, waiting and retries included.
 *
 * Contract: `seconds` is the time that it had.
 */
export class CallTimeoutError extends Error {
  override readonly name = "CallTimeoutError";
  readonly seconds: number;

  constructor(seconds: number) {
    super(
      `Cannot complete a model call: no answer within ${seconds} s, waiting and retries included; try again, or raise the limit modelSeconds`,
    );
    this.seconds = seconds;
  }
}

/**
 * An endpoint wants no call for longer than this one can wait.
 *
 * Contract: `seconds` is the time until the endpoint may be called again; `cause` is the
 * last error of this call, absent where it had none: another one met the limit.
 */
export class RateLimitedError extends Error {
  override readonly name = "RateLimitedError";
  readonly seconds: number;

  constructor(seconds: number, options: { cause?: unknown } = {}) {
    super(
      `Cannot make a model call: the endpoint allows no further one for ${seconds} s, longer than this one may wait; try again in ${seconds} s`,
      options,
    );
    this.seconds = seconds;
  }
}
