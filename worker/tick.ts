/**
 * Calls `work` every `everyMs` milliseconds, never twice at once; its errors go to `onFailure`. Returns
 * a function that stops it and waits for the running call.
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
