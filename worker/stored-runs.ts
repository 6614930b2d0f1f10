import type { Pool } from "pg";
import type { UserThread, WaitingMessage } from "../state/conversation-store.ts";
import type { OpenedRun, RunPlan, RunSource } from "../driver/run-source.ts";
import type { LeaseClaim } from "../state/store.ts";
import { asUser } from "../storage/users/user-data.ts";
import type { CancelWatch } from "./cancel-watch.ts";
import { claimRun, type ClaimedRun } from "./claim-run.ts";
import type { UndoEffectsOfRun } from "./rollback.ts";
import { StoredRun } from "./stored-run.ts";

export interface StoredRunsOptions {
  readonly pool: Pool;
  readonly thread: UserThread;
  readonly cancels: CancelWatch;
  /** Mints ids of runs. */
  readonly newId: () => string;
  /** Time limit of a run in this process, in milliseconds. */
  readonly runMs: number;
  /** Undoes the effects of a run that is rolled back. Default: a run with effects is kept. */
  readonly undoEffects?: UndoEffectsOfRun | undefined;
  /** Receives errors that delay the storing of events. */
  readonly onFailure: (error: unknown) => void;
}

/** The stored runs of one thread, opened one after another while the driver processes it. */
export class StoredRuns implements RunSource {
  readonly #options: StoredRunsOptions;
  #current: StoredRun | null = null;

  constructor(options: StoredRunsOptions) {
    this.#options = options;
  }

  async open(message: WaitingMessage, lease: LeaseClaim): Promise<OpenedRun | null> {
    await this.close();
    const { pool, thread, newId } = this.#options;
    const { threadId, userId } = thread;
    const claimed = await asUser(pool, { userId, fence: { threadId, lease } }, async (tx) => {
      const run = await claimRun(tx, message, newId);
      if (run === null) return null;
      // Created while the run is locked: a cancel that follows notifies a sink that listens.
      const sink = new StoredRun(run, { ...this.#options, message, lease });
      this.#current = sink;
      return { run, sink };
    });
    if (claimed === null) return null;
    return { plan: createPlan(claimed.run, claimed.sink.stop), sink: claimed.sink };
  }

  /** Releases a run that was left without an end. */
  async close(): Promise<void> {
    await this.#current?.release();
    this.#current = null;
  }
}

function createPlan({ run, sentEvents }: ClaimedRun, stop: AbortSignal): RunPlan {
  const { runId, streamModes: modes, trace, createdAt, kwargs } = run;
  const traceparent = kwargs["traceparent"];
  const span = typeof traceparent === "string" ? { traceparent } : {};
  return { runId, sentEvents, stop, modes, trace, createdAt, ...span };
}
