import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** So many a minute for each key, in this process. */
export interface RateLimit {
  /** Counts one more. 0 where it is allowed, else the seconds until the next is. */
  take(key: string): Promise<number>;
  /** The same without counting. */
  wait(key: string): Promise<number>;
}

/** Makes a limit of `perMinute`, counted from a key's first use on. Keys are forgotten after their minute. */
export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return {
    async take(key) {
      try {
        await limiter.consume(key);
        return 0;
      } catch (error) {
        // What it throws when the points are used up is no error.
        if (error instanceof RateLimiterRes) return secondsOf(error);
        throw error;
      }
    },
    async wait(key) {
      const state = await limiter.get(key);
      return state === null || state.consumedPoints < perMinute ? 0 : secondsOf(state);
    },
  };
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
