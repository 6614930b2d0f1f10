/** Successes in a row after which one more call at once is tried. */
const SUCCESSES_FOR_ONE_MORE = 20;
/** Calls whose time is averaged. */
const TIMED_CALLS = 8;

/** Bounds of the calls at once. */
export interface PaceLimits {
  /** At the start, at least 1. */
  readonly endpointCalls: number;
  /** Never exceeded by adaptation. */
  readonly mostCalls: number;
}

/**
 * Number of calls that an endpoint bears at once, learned from its answers (models.md §1).
 *
 * Contract: a rate limit halves it, at least to 1; twenty successes in a row add 1. All rate
 * limits of calls that began before the last halving belong to it and halve nothing: an endpoint
 * refuses a whole burst for one reason.
 */
export class EndpointPace {
  readonly #mostCalls: number;
  readonly #callTimes: number[] = [];
  #slots: number;
  #period = 0;
  #successes = 0;
  #rateLimits = 0;

  constructor({ endpointCalls, mostCalls }: PaceLimits) {
    this.#slots = endpointCalls;
    this.#mostCalls = mostCalls;
  }

  /** Calls at once. */
  get slots(): number {
    return this.#slots;
  }

  /** Grows with each halving; a call keeps the number under which it began. */
  get period(): number {
    return this.#period;
  }

  /** Halvings since the last success. */
  get rateLimits(): number {
    return this.#rateLimits;
  }

  /** Mean of at most the last eight successful calls, in milliseconds; null where there is none. */
  get callMs(): number | null {
    if (this.#callTimes.length === 0) return null;
    return this.#callTimes.reduce((sum, ms) => sum + ms, 0) / this.#callTimes.length;
  }

  /** Counts an answer. */
  recordSuccess({ period, ms }: { readonly period: number; readonly ms: number }): void {
    this.#callTimes.push(ms);
    if (this.#callTimes.length > TIMED_CALLS) this.#callTimes.shift();
    if (period !== this.#period) return;
    this.#rateLimits = 0;
    this.#successes += 1;
    if (this.#successes < SUCCESSES_FOR_ONE_MORE) return;
    this.#successes = 0;
    if (this.#slots < this.#mostCalls) this.#slots += 1;
  }

  /** Counts a refusal for too many calls. */
  recordRateLimit(period: number): void {
    if (period !== this.#period) return;
    this.#period += 1;
    this.#rateLimits += 1;
    this.#successes = 0;
    this.#slots = Math.max(1, Math.floor(this.#slots / 2));
  }
}
