/** The interval between checks, in milliseconds. */
const CHECK_MS = 500;

/**
 * Calls `onGone` once when the process that started this one is gone. Returns a function that stops
 * the watch.
 *
 * npm starts programs through a shell that a signal kills without forwarding it, so the end of
 * `npm start` must end the program.
 */
export function watchParent(
  readParent: () => number,
  options: { readonly onGone: () => void; readonly everyMs?: number },
): () => void {
  const first = readParent();
  const timer = setInterval(() => {
    if (readParent() === first) return;
    clearInterval(timer);
    options.onGone();
  }, options.everyMs ?? CHECK_MS).unref();
  return () => clearInterval(timer);
}
