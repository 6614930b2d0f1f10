const TICKS = 6;

/** A signal for work that may take some time, and the end of its clock. */
export interface Deadline {
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/**
 * Aborts after some milliseconds, counted in ticks: while a program loads its modules, nothing that
 * has arrived is read, and that time must not count. The reason is a `TimeoutError`.
 */
export function abortAfter(ms: number): Deadline {
  const controller = new AbortController();
  let left = TICKS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    controller.abort(new DOMException("No answer in time", "TimeoutError"));
  }, ms / TICKS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
