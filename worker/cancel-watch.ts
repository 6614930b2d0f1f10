/** Watches the runs of a process for cancels. */
export class CancelWatch {
  readonly #watched = new Map<string, () => void>();

  /** Calls `onCancel` when the run may have been cancelled, until the returned function is called. */
  watch(runId: string, onCancel: () => void): () => void {
    this.#watched.set(runId, onCancel);
    return () => {
      if (this.#watched.get(runId) === onCancel) this.#watched.delete(runId);
    };
  }

  /** Receives a notification: the run's id, or null if some may have been missed. */
  notify(runId: string | null): void {
    if (runId === null) this.#watched.forEach((onCancel) => onCancel());
    else this.#watched.get(runId)?.();
  }
}
