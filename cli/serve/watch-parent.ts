/** How often it is looked at, in milliseconds. */
const LOOK_MS = 500;

/**
 * Calls `onGone` once where the process that started this one is gone. Returns how to stop.
 *
 * npm starts programs through a shell that dies of a signal without passing it on: whoever ends
 * `npm start` means the program.
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
  }, options.everyMs ?? LOOK_MS).unref();
  return () => clearInterval(timer);
}
