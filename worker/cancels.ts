/** The runs that this process works on, watched for cancels. */
export interface Cancels {
  /** Calls `look` when the run may have been cancelled, until the returned function is called. */
  watch(runId: string, look: () => void): () => void;
  /** Receives a notification: the run's id, or null where some may have been missed. */
  notify(runId: string | null): void;
}

/** Makes the register of a process. */
export function createCancels(): Cancels {
  const watched = new Map<string, () => void>();
  return {
    watch(runId, look) {
      watched.set(runId, look);
      return () => {
        if (watched.get(runId) === look) watched.delete(runId);
      };
    },
    notify(runId) {
      if (runId === null) watched.forEach((look) => look());
      else watched.get(runId)?.();
    },
  };
}
