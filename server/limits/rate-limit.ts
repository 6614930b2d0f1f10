import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** A number of requests a minute for each key, counted in this process. */
export interface RateLimit {
  /** Counts a request. Returns 0 if it is allowed, else the seconds until the next one is. */
  consume(key: string): Promise<number>;
  /** Returns the same without counting. */
  secondsToWait(key: string): Promise<number>;
}

/** Creates a limit of `perMinute`, counted from a key's first use. Keys are forgotten after their minute. */
export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async consume(key) {
      try {
        await limiter.consume(key);
        return 0;
      } catch (error) {
        // The limiter throws its result when the points are used up.
        if (error instanceof RateLimiterRes) return secondsUntilNext(error);
        throw error;
      }
    },
    async secondsToWait(key) {
      const state = await limiter.get(key);
      return state === null || state.consumedPoints < perMinute ? 0 : secondsUntilNext(state);
    },
  };
}

function secondsUntilNext({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
