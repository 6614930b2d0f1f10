/**
 * Calls `work` every so many milliseconds, never twice at once; what it fails with goes to
 * `onFailure`. Returns how to stop, which waits for the call that is under way.
 */
export function startTicking(
  everyMs: number,
  work: () => Promise<void>,
  onFailure: (error: unknown) => void = () => undefined,
): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    underWay ??= work()
      .catch(onFailure)
      .finally(() => {
        underWay = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
