import type { ModelRole } from "../../state/model.ts";
import type { QueuedCall, Retry, Wait } from "./endpoint-queue.ts";
import { CallTimeoutError } from "./queue-errors.ts";

/** The first to be called comes first; roles of one list are equals, and age decides. */
const ORDER: readonly (readonly ModelRole[])[] = [
  ["reply", "concierge"],
  ["understand"],
  ["think"],
  ["act"],
  ["mapper"],
  ["expert"],
  ["summarize"],
];
/** Further apart than two calls of one role can be in age. */
const RANK_DISTANCE = 2 ** 40;
/**
 * Seconds for which an attempt that does not stop keeps its slot. A client that heeds the signal
 * closes its connection at once; one that never ends must not block the endpoint for good.
 */
const ABANDON_SECONDS = 10;

/** Parts of a call that do not depend on the type of its answer; an attempt returns what delivers it. */
interface WaitingCallOptions extends QueuedCall<() => void> {
  /** Grows with each call of the queue. */
  readonly number: number;
  readonly reject: (error: unknown) => void;
  /** Called once, when the caller has its answer or error. */
  readonly onSettled: () => void;
  readonly queueSeconds: number;
  readonly modelSeconds: number;
}

/** Outcome of one attempt. */
export type AttemptOutcome =
  | { readonly kind: "answer"; readonly deliver: () => void }
  | { readonly kind: "failure"; readonly error: unknown; readonly retry: Retry };

/**
 * One call from its arrival to its answer or error: deadline, time in the queue, the caller's abort.
 *
 * Contract: settles exactly once; no timer and no listener outlives the call and its attempt.
 */
export class WaitingCall {
  /** Milliseconds of `performance.now` at which the call times out. */
  readonly deadline: number;
  /** Repeated attempts so far. */
  retries = 0;
  /** Attempts that ended with a rate limit. */
  rateLimits = 0;
  readonly #options: WaitingCallOptions;
  readonly #stop = new AbortController();
  readonly #deadlineTimer: NodeJS.Timeout;
  readonly #abort = (): void => this.fail(this.#options.signal?.reason);
  #stage: "waiting" | "attempting" | "settled" = "waiting";
  /** Leaves the queue of those who wait for a slot. */
  #leave: AbortController | null = null;
  readonly #abandoned = Promise.withResolvers<null>();
  #abandonTimer: NodeJS.Timeout | undefined;
  #queueMsLeft: number;
  #queuedSince: number | null = null;
  #queueTimer: NodeJS.Timeout | undefined;
  #retryTimer: NodeJS.Timeout | undefined;
  #isWaitReported = false;

  constructor(options: WaitingCallOptions) {
    this.#options = options;
    this.#queueMsLeft = options.queueSeconds * 1_000;
    const modelMs = options.modelSeconds * 1_000;
    this.deadline = performance.now() + modelMs;
    this.#deadlineTimer = setTimeout(() => this.fail(new CallTimeoutError()), modelMs);
    options.signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** Order among the calls that wait: role, then age. The highest goes first. */
  get priority(): number {
    const { role, number } = this.#options;
    const rank = ORDER.findIndex((roles) => roles.includes(role));
    return (ORDER.length - rank) * RANK_DISTANCE - number;
  }

  /** True from the arrival to the first attempt, and between attempts. */
  get isWaiting(): boolean {
    return this.#stage === "waiting";
  }

  /** True while it stands in the queue, as opposed to the moment before a retry. */
  get isQueued(): boolean {
    return this.#leave !== null;
  }

  /** Milliseconds that it may still wait for a slot. */
  get queueMsLeft(): number {
    const waitedMs = this.#queuedSince === null ? 0 : performance.now() - this.#queuedSince;
    return this.#queueMsLeft - waitedMs;
  }

  /** Marks the call as queued; the signal aborts when it leaves without an attempt. */
  enterQueue(): AbortSignal {
    this.#leave = new AbortController();
    return this.#leave.signal;
  }

  /** Runs the time that a call may wait for a slot; `onLate` is called when it is over. */
  startQueueTime(onLate: () => void): void {
    if (this.#queuedSince !== null) return;
    this.#queuedSince = performance.now();
    this.#queueTimer = setTimeout(onLate, Math.max(0, this.#queueMsLeft));
  }

  /** Stops that time: a pause of the endpoint does not count. */
  stopQueueTime(): void {
    this.#queueMsLeft = this.queueMsLeft;
    this.#queuedSince = null;
    clearTimeout(this.#queueTimer);
  }

  /** Calls `again` after a moment, unless the call is settled by then. */
  retryAfter(ms: number, again: () => void): void {
    this.#stage = "waiting";
    this.#retryTimer = setTimeout(again, ms);
  }

  /** Reports that the call waits now, or (null) that it is being made after it has waited. */
  reportWait(wait: Wait | null): void {
    if (wait === null && !this.#isWaitReported) return;
    this.#isWaitReported = wait !== null;
    try {
      this.#options.onWait?.(wait);
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Makes one attempt.
   *
   * @returns its outcome, or null where the call was settled and the attempt did not end in time.
   * @throws what `classify` throws.
   */
  async makeAttempt(): Promise<AttemptOutcome | null> {
    this.stopQueueTime();
    this.#leave = null;
    this.#stage = "attempting";
    this.reportWait(null);
    try {
      if (this.#stop.signal.aborted) return null;
      return await Promise.race([this.#runAttempt(), this.#abandoned.promise]);
    } finally {
      clearTimeout(this.#abandonTimer);
    }
  }

  /** Ends the attempt of a call that goes on. */
  endAttempt(): void {
    if (this.#stage === "attempting") this.#stage = "waiting";
  }

  /** Settles the call with an answer. */
  succeed(deliver: () => void): void {
    if (this.#settle()) deliver();
  }

  /** Settles the call with an error: at once, whatever an attempt is doing. */
  fail(error: unknown): void {
    const wasAttempting = this.#stage === "attempting";
    if (!this.#settle()) return;
    this.#options.reject(error);
    this.#leave?.abort();
    this.#leave = null;
    this.#stop.abort(error);
    if (wasAttempting) this.#abandonSoon();
  }

  #abandonSoon(): void {
    const abandon = (): void => this.#abandoned.resolve(null);
    this.#abandonTimer = setTimeout(abandon, ABANDON_SECONDS * 1_000).unref();
  }

  async #runAttempt(): Promise<AttemptOutcome> {
    try {
      return { kind: "answer", deliver: await this.#options.attempt(this.#stop.signal) };
    } catch (error) {
      return { kind: "failure", error, retry: this.#options.classify(error) };
    }
  }

  #settle(): boolean {
    if (this.#stage === "settled") return false;
    this.#stage = "settled";
    clearTimeout(this.#deadlineTimer);
    clearTimeout(this.#queueTimer);
    clearTimeout(this.#retryTimer);
    this.#options.signal?.removeEventListener("abort", this.#abort);
    this.#options.onSettled();
    return true;
  }
}
