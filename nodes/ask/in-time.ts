/** The bounds of a piece of work. */
interface Deadline {
  readonly ms: number;
  /** Aborts the work from outside. */
  readonly signal: AbortSignal | null;
}

/** The longest time that a timer can wait. */
export const LONGEST_MS = 2_147_483_647;

/**
 * Runs work until a deadline; null where it took longer, whether or not it heeds its signal, which
 * aborts then.
 *
 * @throws what `work` throws in time, or once `signal` has aborted.
 */
export async function runInTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, signal }: Deadline,
): Promise<T | null> {
  const own = new AbortController();
  const signals = signal === null ? own.signal : AbortSignal.any([own.signal, signal]);
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), Math.min(ms, LONGEST_MS));
  const working = work(signals).catch((error: unknown) => {
    if (own.signal.aborted && signal?.aborted !== true) return null;
    throw error;
  });
  try {
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
    own.abort();
  }
}
