import type { Pool } from "pg";
import { RESULTS, type ThreadResult } from "../driver/results.ts";
import type { TurnDriver } from "../driver/turn-driver.ts";
import { describeError } from "../driver/turn-errors.ts";
import type { Notifications } from "../storage/postgres/notifications.ts";
import { retryWhileUnavailable } from "../storage/postgres/retry-while-unavailable.ts";
import { UNTOUCHED_SECONDS } from "../storage/runs/job-tables.ts";
import type { DeadLetter, JobQueue, ThreadJob } from "../storage/runs/jobs.ts";
import type { Log } from "../state/log.ts";
import { asUser } from "../storage/users/user-data.ts";
import { CancelWatch } from "./cancel-watch.ts";
import { endSupersededRuns } from "./end-superseded-runs.ts";
import { StoredRuns } from "./stored-runs.ts";
import type { UndoEffectsOfRun } from "./rollback.ts";
import { startTicking } from "./tick.ts";

/** The parts of a worker. */
export interface WorkerParts {
  readonly pool: Pool;
  readonly driver: Pick<TurnDriver, "processThread">;
  /** Replays the turn of a message that a program without runs processed. Default: such runs end without events. */
  readonly replayTurn?: TurnDriver["replayTurn"];
  /** Undoes the effects of a run that is rolled back. Default: a run with effects is kept. */
  readonly undoEffects?: UndoEffectsOfRun;
  readonly jobs: JobQueue;
  readonly notifications: Pick<Notifications, "listen">;
  readonly log: Log;
  /** Mints ids of runs. */
  readonly newId: () => string;
  /** Receives the error of a job, with stack and causes. Default: its message is logged. */
  readonly onFailure?: (error: unknown) => void;
  /** Receives each job that failed for good. Default: a sentence is logged. */
  readonly onDeadLetter?: (letter: DeadLetter) => void;
  readonly settings?: Partial<WorkerSettings>;
}

export interface WorkerSettings {
  /** Threads processed at once. Default 16. */
  readonly slots: number;
  /** Time limit of one run, in milliseconds. Default 15 minutes. */
  readonly runMs: number;
  /** Time that runs have to finish when the worker stops, in milliseconds. Default 20,000. */
  readonly drainMs: number;
  /** Interval of polling for work without a notification, in milliseconds. Default 2,000. */
  readonly pollMs: number;
  /** Interval of heartbeats for its jobs, and of recovering jobs of dead workers, in milliseconds. Default 3,000. */
  readonly heartbeatMs: number;
  /** Time that a job waits for a thread that another process holds, in milliseconds. Default 1,000. */
  readonly leaseWaitMs: number;
}

const DEFAULTS: WorkerSettings = {
  slots: 16,
  runMs: 15 * 60_000,
  drainMs: 20_000,
  pollMs: 2_000,
  heartbeatMs: 3_000,
  leaseWaitMs: 1_000,
};

/** Starts a worker: fetches jobs at notifications and by polling, as many as there are free slots. */
export function startWorker(parts: WorkerParts): Worker {
  return new Worker(parts);
}

/** Processes threads that have a job: several threads at once, the jobs of each one after another. */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #settings: WorkerSettings;
  readonly #cancels = new CancelWatch();
  /** The pending work of each thread, one job after the other. */
  readonly #threads = new Map<string, Promise<void>>();
  readonly #heldJobs = new Set<string>();
  readonly #handOff = new AbortController();
  readonly #stopFetching: () => Promise<void>;
  readonly #stopHeartbeat: () => Promise<void>;
  readonly #unlisten: readonly (() => void)[];
  #stopping: Promise<void> | null = null;
  #fetching: Promise<void> | null = null;
  #mayBeMore = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#settings = { ...DEFAULTS, ...parts.settings };
    const { jobs, notifications } = parts;
    const { pollMs, heartbeatMs } = this.#settings;
    const onFailure = (error: unknown): void => this.#reportFailure(error);
    this.#unlisten = [
      notifications.listen("work", () => this.#poll()),
      notifications.listen("cancel", (runId) => this.#cancels.notify(runId)),
    ];
    const ticks = [
      startTicking(pollMs, async () => this.#poll()),
      startTicking(heartbeatMs, () => this.#recover(), onFailure),
    ];
    this.#stopFetching = async () => void (await Promise.all(ticks.map((stop) => stop())));
    this.#stopHeartbeat = startTicking(
      heartbeatMs,
      () => jobs.heartbeat([...this.#heldJobs]),
      onFailure,
    );
    this.#poll();
  }

  /** Returns the number of threads being processed. */
  busy(): number {
    return this.#threads.size;
  }

  /**
   * Stops fetching, gives running turns time to finish, then hands the unfinished ones to another
   * worker. Resolves when no thread is being processed; calling it again returns the same promise.
   */
  stop(): Promise<void> {
    this.#stopping ??= Promise.resolve().then(() => this.#drain());
    return this.#stopping;
  }

  async #drain(): Promise<void> {
    await this.#stopFetching();
    await this.#fetching;
    const { drainMs } = this.#settings;
    const leaving = new Error("The worker is stopping");
    const limit = setTimeout(() => this.#handOff.abort(leaving), drainMs);
    while (this.#threads.size > 0) await Promise.all(this.#threads.values());
    clearTimeout(limit);
    await this.#stopHeartbeat();
    for (const unlisten of this.#unlisten) unlisten();
  }

  #poll(): void {
    this.#mayBeMore = true;
    this.#fetchNext();
  }

  #fetchNext(): void {
    if (!this.#mayFetch()) return;
    this.#fetching ??= this.#fetchAll().finally(() => {
      this.#fetching = null;
      this.#fetchNext();
    });
  }

  #mayFetch(): boolean {
    return this.#mayBeMore && this.#stopping === null && this.#threads.size < this.#settings.slots;
  }

  async #fetchAll(): Promise<void> {
    while (this.#mayFetch()) {
      this.#mayBeMore = false;
      try {
        const free = this.#settings.slots - this.#threads.size;
        const fetched = await this.#parts.jobs.fetch(free);
        for (const job of fetched) this.#start(job);
        // Jobs that came meanwhile have sent a notification.
        this.#mayBeMore ||= fetched.length >= free;
      } catch (error) {
        this.#reportFailure(error);
        return;
      }
    }
  }

  #start(job: ThreadJob): void {
    this.#heldJobs.add(job.id);
    const before = this.#threads.get(job.threadId) ?? Promise.resolve();
    const done = before
      .then(() => this.#process(job))
      .catch((error: unknown) => this.#reportFailure(error))
      .finally(() => {
        this.#heldJobs.delete(job.id);
        if (this.#threads.get(job.threadId) === done) this.#threads.delete(job.threadId);
        this.#fetchNext();
      });
    this.#threads.set(job.threadId, done);
  }

  async #process(job: ThreadJob): Promise<void> {
    if (this.#stopping !== null) return this.#handOver(job);
    const { pool, driver, jobs, newId, replayTurn, undoEffects } = this.#parts;
    const { runMs, leaseWaitMs: waitMs } = this.#settings;
    const thread = { threadId: job.threadId, userId: job.userId };
    const cancels = this.#cancels;
    const onFailure = (error: unknown): void => this.#reportFailure(error);
    const runs = new StoredRuns({ pool, thread, cancels, newId, runMs, undoEffects, onFailure });
    try {
      const handOff = this.#handOff.signal;
      const result = await driver.processThread(thread, { runs, handOff, waitMs });
      if (result === "processed") await endSupersededRuns(thread, { pool, replayTurn });
      await this.#release(() => this.#complete(job, result));
    } catch (error) {
      onFailure(error);
      await this.#release(() => jobs.retry(job.id, describeError(error, "operator")));
    } finally {
      await runs.close();
    }
  }

  /**
   * Releases a job, and retries while the database is unavailable: otherwise another worker would get
   * the job only after its heartbeat has expired.
   */
  #release(release: () => Promise<void>): Promise<void> {
    return retryWhileUnavailable(release, {
      forMs: UNTOUCHED_SECONDS * 1_000,
      mayWait: () => this.#stopping === null,
    });
  }

  /** Completes, retries or hands over the job, as the table of results says. */
  async #complete(job: ThreadJob, result: ThreadResult): Promise<void> {
    const { jobs } = this.#parts;
    const outcome = RESULTS[result].job;
    if (outcome === "hand-over") return this.#handOver(job);
    if (outcome === "complete") return jobs.complete(job.id);
    return jobs.retry(job.id, { code: result, message: RETRY_REASONS[result] ?? result });
  }

  /** Sends a new job for the thread: another worker continues at once, not after the pause of a retry. */
  async #handOver(job: ThreadJob): Promise<void> {
    const { pool, jobs } = this.#parts;
    await asUser(pool, { userId: job.userId }, (tx) => jobs.send(tx, job));
    await jobs.complete(job.id);
  }

  async #recover(): Promise<void> {
    const { jobs, log } = this.#parts;
    const { onDeadLetter = (letter: DeadLetter) => log.warn(describeDeadLetter(letter)) } =
      this.#parts;
    await jobs.recover();
    this.#poll();
    for (const letter of await jobs.takeDeadLetters()) onDeadLetter(letter);
  }

  #reportFailure(error: unknown): void {
    const { log } = this.#parts;
    if (this.#parts.onFailure !== undefined) this.#parts.onFailure(error);
    else log.warn(`A worker failed: ${describeFailure(error)}`);
  }
}

const RETRY_REASONS: Readonly<Partial<Record<ThreadResult, string>>> = {
  "held-elsewhere": "Another process holds the thread",
  "lease-lost": "The thread went to another process",
  unavailable: "The database was unavailable",
};

function describeDeadLetter({ threadId, reason }: DeadLetter): string {
  return `The work on thread "${threadId}" failed for good: ${reason ?? "the reason is unknown"}; its messages wait until the next one is sent`;
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
