/** The runs that this process works on, for whoever cancels one. */
export interface Cancels {
  /** Calls `look` when the run may have been cancelled, until the returned function is called. */
  watch(runId: string, look: () => void): () => void;
  /** A bell was heard: the run's id, or null where some may have been missed. */
  heard(runId: string | null): void;
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
    heard(runId) {
      if (runId === null) watched.forEach((look) => look());
      else watched.get(runId)?.();
    },
  };
}
