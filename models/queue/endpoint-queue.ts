import PQueue from "p-queue";
import type { ModelRole } from "../../state/model.ts";
import { EndpointPace } from "./endpoint-pace.ts";
import { QueueBusyError, RateLimitedError } from "./queue-errors.ts";
import { WaitingCall, type AttemptOutcome } from "./waiting-call.ts";

/** Bounds of a queue; limits of the same names in `state/limits.ts` fit. */
export interface QueueLimits {
  /** Calls at once at the start, at least 1. */
  readonly endpointCalls: number;
  /** Calls at once that adaptation never exceeds. */
  readonly mostCalls: number;
  /** Attempts after the first. */
  readonly retriesPerCall: number;
  /** For which a call may wait for a slot; a pause of the endpoint does not count. */
  readonly queueSeconds: number;
  /** For a whole call, waiting and retries included. */
  readonly modelSeconds: number;
}

/** Advice on a failed attempt: not again; again after a moment; or once the endpoint allows calls again. */
export type Retry =
  | { readonly kind: "no" }
  | { readonly kind: "retry" }
  /** `seconds`: as the endpoint names them, null where it does not. */
  | { readonly kind: "rate-limit"; readonly seconds: number | null };

/** Reason for which a call is not being made yet. */
export interface Wait {
  readonly reason: "queue" | "rate-limit";
  /** Whole seconds that this wait lasts at most; null where no bound is known. */
  readonly most: number | null;
}

/** One call of a model, as the queue makes it. */
export interface QueuedCall<T> {
  /** Makes one attempt, and stops when `signal` aborts. Never called while an earlier one goes on. */
  readonly attempt: (signal: AbortSignal) => Promise<T>;
  /** Priority: reply and concierge, understand, think, act, mapper, expert, summarize; then age. */
  readonly role: ModelRole;
  /** The caller's. */
  readonly signal: AbortSignal | null;
  /** Judges by its error whether a failed attempt may be repeated. Pure. */
  readonly classify: (error: unknown) => Retry;
  /** Called when a wait begins or its bound changes, and with null when the call is made after one. */
  readonly onWait: ((wait: Wait | null) => void) | null;
}

/** Longest wait for an endpoint that allows no call. */
const MOST_WAIT_SECONDS = 120;
/**
 * Longest pause of the queue. A call is made once an hour however long the endpoint wants none:
 * an allowance may have been raised, and a date may be wrong.
 */
const MOST_PAUSE_SECONDS = 3_600;
/** Longest time that is believed of one refusal: a longer one may be a mistake, which would stop everybody. */
const BELIEVED_SECONDS = 300;
/** Seconds after which one call finds out whether a longer time is meant. */
const DOUBT_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 1;
const FIRST_RETRY_SECONDS = 0.5;
/** Part by which a wait of our own choice may grow, so that calls do not come back all at once. */
const JITTER = 0.25;

interface EndpointQueueOptions {
  readonly limits: QueueLimits;
  /** From 0 to below 1, for the jitter. Default: `Math.random`. */
  readonly random?: () => number;
}

/**
 * The calls of one endpoint and key: so many at once, by priority, with a pause for all of them
 * when the endpoint allows no more (models.md §1, "One queue for each endpoint").
 *
 * Contract: an attempt holds a slot until it ends. One whose call is settled (by the caller's
 * abort or its deadline) and which does not stop loses its slot after ten seconds; the caller
 * never waits for it. No attempt begins before the time that the endpoint named is over, up to an
 * hour. A time of more than five minutes is believed only when a second refusal names one, too: until
 * then calls end at once, and after a minute one alone is made.
 */
export class EndpointQueue {
  readonly #limits: QueueLimits;
  readonly #random: () => number;
  readonly #queue: PQueue;
  readonly #pace: EndpointPace;
  readonly #calls = new Set<WaitingCall>();
  #callCount = 0;
  /** Milliseconds of `performance.now`; null where the endpoint allows calls. */
  #pausedUntil: number | null = null;
  /** Milliseconds of `performance.now` until which the endpoint wants no call, believed or not. */
  #namedUntil = 0;
  /** True once a time was named that one refusal does not prove, until an answer comes. */
  #isDoubted = false;
  #pauseTimer: NodeJS.Timeout | undefined;

  constructor({ limits, random = Math.random }: EndpointQueueOptions) {
    this.#limits = limits;
    this.#random = random;
    this.#pace = new EndpointPace(limits);
    this.#queue = new PQueue({ concurrency: this.#pace.slots });
  }

  /** Calls at once, as the endpoint bears them now. */
  get slots(): number {
    return this.#pace.slots;
  }

  /** Calls that are not being made: for want of a slot, in a pause, or between two attempts. */
  get waiting(): number {
    return [...this.#calls].filter((call) => call.isWaiting).length;
  }

  /** Milliseconds that the last successful attempts took, as a mean of at most 8; null where there is none. */
  get callMs(): number | null {
    return this.#pace.callMs;
  }

  /**
   * Makes a call when its turn has come, and again where its error allows it.
   *
   * @throws QueueBusyError where no slot was free in time.
   * @throws CallTimeoutError where the call had no answer in time, waiting and retries included.
   * @throws RateLimitedError where the endpoint allows no call for longer than this one may wait.
   * @throws the reason of the caller's signal; what `onWait` or `classify` throws; else the last
   *   attempt's error.
   */
  run<T>(call: QueuedCall<T>): Promise<T> {
    if (call.signal?.aborted === true) return Promise.reject(call.signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#callCount += 1;
    const waiting = new WaitingCall({
      ...call,
      number: this.#callCount,
      attempt: async (signal) => {
        const answer = await call.attempt(signal);
        return () => resolve(answer);
      },
      reject,
      onSettled: () => this.#calls.delete(waiting),
      queueSeconds: this.#limits.queueSeconds,
      modelSeconds: this.#limits.modelSeconds,
    });
    this.#calls.add(waiting);
    this.#enqueue(waiting);
    return promise;
  }

  #enqueue(call: WaitingCall): void {
    const signal = call.enterQueue();
    const job = async (): Promise<void> => this.#makeAttempt(call);
    // Rejects only where the call has left, and then its own error says so.
    this.#queue.add(job, { priority: call.priority, signal }).catch(() => undefined);
    this.#updateWait(call);
  }

  /** Occupies a slot for as long as it runs. */
  async #makeAttempt(call: WaitingCall): Promise<void> {
    const began = performance.now();
    const { period } = this.#pace;
    try {
      const outcome = await call.makeAttempt();
      if (outcome === null) return;
      this.#adapt(outcome, { call, period, ms: performance.now() - began });
      this.#finish(outcome, call);
    } catch (error) {
      call.endAttempt();
      call.fail(error);
    }
  }

  /** Also of an attempt whose caller is gone: what the endpoint answered holds for the others. */
  #adapt(outcome: AttemptOutcome, { call, period, ms }: EndedAttempt): void {
    // Of a call that began before the last refusal, neither answer nor refusal says how that was meant.
    const isLater = period === this.#pace.period;
    if (outcome.kind === "answer") {
      this.#pace.recordSuccess({ period, ms });
      if (isLater) this.#isDoubted = false;
    } else if (outcome.retry.kind === "rate-limit") {
      this.#pace.recordRateLimit(period);
      call.rateLimits += 1;
      this.#pause(outcome.retry.seconds ?? this.#nextPause(call), isLater);
    }
    // After the pause has begun, because it may start calls.
    this.#queue.concurrency = this.#isDoubted ? 1 : this.#pace.slots;
  }

  #finish(outcome: AttemptOutcome, call: WaitingCall): void {
    if (outcome.kind === "answer") {
      call.succeed(outcome.deliver);
      return;
    }
    const { error, retry } = outcome;
    call.endAttempt();
    // Settled already: nobody waits for another attempt.
    if (!call.isWaiting) return;
    if (retry.kind === "no" || call.retries >= this.#limits.retriesPerCall) {
      // A time that no call waits for is named as it holds here, not as the endpoint wrote it.
      call.fail((retry.kind === "rate-limit" ? this.#closedError() : null) ?? error);
      return;
    }
    const retries = call.retries;
    call.retries += 1;
    if (retry.kind === "rate-limit") {
      this.#enqueue(call);
      return;
    }
    const ms = this.#jittered(FIRST_RETRY_SECONDS * 2 ** retries) * 1_000;
    if (performance.now() + ms >= call.deadline) call.fail(error);
    else call.retryAfter(ms, () => this.#enqueue(call));
  }

  /** Seconds, where the endpoint names none: longer with each rate limit without a success between. */
  #nextPause(call: WaitingCall): number {
    const repeated = Math.max(this.#pace.rateLimits, call.rateLimits) - 1;
    const seconds = this.#jittered(FIRST_PAUSE_SECONDS * 2 ** repeated);
    return Math.min(seconds, MOST_WAIT_SECONDS);
  }

  #jittered(seconds: number): number {
    return seconds * (1 + JITTER * this.#random());
  }

  #pause(seconds: number, isLater: boolean): void {
    const now = performance.now();
    const named = now + Math.min(seconds, MOST_PAUSE_SECONDS) * 1_000;
    this.#namedUntil = isLater ? named : Math.max(named, this.#namedUntil);
    const isLong = seconds > BELIEVED_SECONDS;
    const isBelieved = !isLong || (this.#isDoubted && isLater);
    this.#isDoubted ||= isLong;
    const until = isBelieved ? named : now + DOUBT_SECONDS * 1_000;
    if (until <= (this.#pausedUntil ?? now)) return;
    this.#pausedUntil = until;
    this.#queue.pause();
    this.#resumeAt(until);
    this.#updateWaits();
  }

  /** The timer keeps no process alive: calls that wait for it do. */
  #resumeAt(until: number): void {
    clearTimeout(this.#pauseTimer);
    const ms = Math.ceil(until - performance.now());
    this.#pauseTimer = setTimeout(() => this.#resume(), ms).unref();
  }

  #resume(): void {
    if (this.#pausedUntil === null) return;
    // A timer may run a moment early.
    if (performance.now() < this.#pausedUntil) {
      this.#resumeAt(this.#pausedUntil);
      return;
    }
    this.#pausedUntil = null;
    this.#queue.start();
    this.#updateWaits();
  }

  #updateWaits(): void {
    // A caller may make another call when it learns of its wait.
    const calls = [...this.#calls];
    for (const call of calls) this.#updateWait(call);
  }

  #updateWait(call: WaitingCall): void {
    if (!call.isQueued) return;
    if (this.#pausedUntil === null) this.#waitForSlot(call);
    else this.#waitForEndpoint(call, this.#pausedUntil);
  }

  #waitForSlot(call: WaitingCall): void {
    call.startQueueTime(() => call.fail(this.#busyError()));
    const ms = Math.min(call.queueMsLeft, call.deadline - performance.now());
    call.reportWait({ reason: "queue", most: wholeSeconds(ms) });
  }

  #waitForEndpoint(call: WaitingCall, until: number): void {
    const ms = until - performance.now();
    const closed = this.#closedError();
    if (closed !== null || until >= call.deadline) {
      call.fail(closed ?? new RateLimitedError(wholeSeconds(ms)));
      return;
    }
    call.stopQueueTime();
    call.reportWait({ reason: "rate-limit", most: wholeSeconds(ms) });
  }

  /** The error of an endpoint that wants no call for longer than one waits; null of every other. */
  #closedError(): RateLimitedError | null {
    const now = performance.now();
    const isLong = this.#namedUntil - now > MOST_WAIT_SECONDS * 1_000;
    if (this.#pausedUntil === null || !isLong) return null;
    return new RateLimitedError(wholeSeconds(this.#pausedUntil - now));
  }

  #busyError(): QueueBusyError {
    const { callMs, slots, waiting } = this;
    return new QueueBusyError(callMs === null ? null : wholeSeconds((waiting * callMs) / slots));
  }
}

interface EndedAttempt {
  readonly call: WaitingCall;
  /** The pace's, when the attempt began. */
  readonly period: number;
  readonly ms: number;
}

/** Rounded up, at least 1. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
