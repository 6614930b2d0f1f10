import type { Pool } from "pg";
import type { TurnDriver, WorkOutcome } from "../driver/run-turn.ts";
import { describeError } from "../driver/turn-errors.ts";
import type { Notifications } from "../storage/postgres/notifications.ts";
import { retryWhileUnavailable } from "../storage/postgres/retry-while-unavailable.ts";
import { UNTOUCHED_SECONDS } from "../storage/runs/job-tables.ts";
import type { DeadLetter, JobQueue, ThreadJob } from "../storage/runs/jobs.ts";
import type { Log } from "../state/log.ts";
import { asUser } from "../storage/users/user-data.ts";
import { createCancels } from "./cancels.ts";
import { createRunRecorder } from "./run-recorder.ts";
import { settleRuns } from "./settle-runs.ts";
import { startTicking } from "./tick.ts";

/** The parts of a worker. */
export interface WorkerParts {
  readonly pool: Pool;
  readonly driver: Pick<TurnDriver, "work">;
  /** The driver's, for runs whose messages were worked off where no runs are kept. Default: they end without events. */
  readonly replayTurn?: TurnDriver["replayTurn"];
  readonly jobs: JobQueue;
  readonly notifications: Pick<Notifications, "listen">;
  readonly log: Log;
  /** Mints ids of runs. */
  readonly newId: () => string;
  /** Receives the error of a job, with stack and causes. Default: the log has its sentence. */
  readonly onFailure?: (error: unknown) => void;
  /** Receives each job that failed for good. Default: the log has its sentence. */
  readonly onDead?: (job: DeadLetter) => void;
  readonly settings?: Partial<WorkerSettings>;
}

export interface WorkerSettings {
  /** Threads that are worked on at once. Default 16. */
  readonly slots: number;
  /** Time that one run may take before it is stopped, in milliseconds. Default 15 minutes. */
  readonly runMs: number;
  /** Time that runs may go on once the worker stops, in milliseconds. Default 20,000. */
  readonly drainMs: number;
  /** Interval of polling for work without a notification, in milliseconds. Default 2,000. */
  readonly pollMs: number;
  /** Interval of the heartbeat for its jobs, and of recovering those of dead workers, in milliseconds. Default 3,000. */
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

export interface Worker {
  /**
   * Stops fetching, lets running turns finish for a while, then leaves them where they are, for
   * another worker to go on with. Resolves when nothing is worked on any more; calling it again
   * waits for the same.
   */
  stop(): Promise<void>;
  /** Returns the number of threads that are worked on now. */
  busy(): number;
}

/** Starts a worker: fetches jobs at notifications and by polling, as many as there are free slots. */
export function startWorker(parts: WorkerParts): Worker {
  const { pool, driver, jobs, notifications, log } = parts;
  const settings = { ...DEFAULTS, ...parts.settings };
  const onFailure =
    parts.onFailure ?? ((error: unknown) => log.warn(`A worker failed: ${describeFailure(error)}`));
  const onDead = parts.onDead ?? ((job: DeadLetter) => log.warn(describeDeadLetter(job)));
  const cancels = createCancels();
  /** The pending work of each thread, one job after the other. */
  const threads = new Map<string, Promise<void>>();
  const held = new Set<string>();
  const leaveRuns = new AbortController();
  let stopping: Promise<void> | null = null;
  let fetching: Promise<void> | null = null;
  let mayBeMore = false;

  function poll(): void {
    mayBeMore = true;
    fetchNext();
  }

  function fetchNext(): void {
    if (!mayFetch()) return;
    fetching ??= fetchAll().finally(() => {
      fetching = null;
      fetchNext();
    });
  }

  function mayFetch(): boolean {
    return mayBeMore && stopping === null && threads.size < settings.slots;
  }

  async function fetchAll(): Promise<void> {
    while (mayFetch()) {
      mayBeMore = false;
      try {
        const free = settings.slots - threads.size;
        const fetched = await jobs.fetch(free);
        fetched.forEach(start);
        // Jobs that came meanwhile have sent a notification.
        mayBeMore ||= fetched.length >= free;
      } catch (error) {
        onFailure(error);
        return;
      }
    }
  }

  function start(job: ThreadJob): void {
    held.add(job.id);
    const before = threads.get(job.threadId) ?? Promise.resolve();
    const done = before
      .then(() => drainThread(job))
      .catch(onFailure)
      .finally(() => {
        held.delete(job.id);
        if (threads.get(job.threadId) === done) threads.delete(job.threadId);
        fetchNext();
      });
    threads.set(job.threadId, done);
  }

  async function drainThread(job: ThreadJob): Promise<void> {
    if (stopping !== null) return handOver(job);
    const thread = { threadId: job.threadId, userId: job.userId };
    const { newId } = parts;
    const recorder = createRunRecorder({
      pool,
      thread,
      cancels,
      newId,
      runMs: settings.runMs,
      onFailure,
    });
    try {
      const outcome = await driver.work(thread, {
        observer: recorder,
        stop: leaveRuns.signal,
        waitMs: settings.leaseWaitMs,
      });
      if (outcome === "worked-off") await settleRuns(thread, { pool, retell: parts.replayTurn });
      await releaseJob(() => complete(job, outcome));
    } catch (error) {
      onFailure(error);
      await releaseJob(() => jobs.retry(job.id, describeError(error)));
    } finally {
      await recorder.close();
    }
  }

  /**
   * Gives a job back, and waits for a database that is away: without that the job's heartbeat would
   * have to run out before another worker gets it.
   */
  function releaseJob(give: () => Promise<void>): Promise<void> {
    return retryWhileUnavailable(give, {
      forMs: UNTOUCHED_SECONDS * 1_000,
      mayWait: () => stopping === null,
    });
  }

  async function complete(job: ThreadJob, outcome: WorkOutcome): Promise<void> {
    switch (outcome) {
      case "worked-off":
      case "failed":
        return jobs.complete(job.id);
      case "left":
        return handOver(job);
      case "held-elsewhere":
        return jobs.retry(job.id, { code: outcome, message: "Another process holds the thread" });
      case "lost":
        return jobs.retry(job.id, { code: outcome, message: "The thread went to another process" });
      case "interrupted":
        return jobs.retry(job.id, { code: outcome, message: "The database was away" });
      default:
        return outcome satisfies never;
    }
  }

  /** Another worker is to go on at once, not after the wait of a job that failed. */
  async function handOver(job: ThreadJob): Promise<void> {
    await asUser(pool, { userId: job.userId }, (tx) => jobs.send(tx, job));
    await jobs.complete(job.id);
  }

  async function recover(): Promise<void> {
    await jobs.recover();
    poll();
    for (const job of await jobs.takeDeadLetters()) onDead(job);
  }

  const unlisten = [
    notifications.listen("work", poll),
    notifications.listen("cancel", (runId) => cancels.notify(runId)),
  ];
  const fetchTick = startTicking(settings.pollMs, async () => poll());
  const touchTick = startTicking(settings.heartbeatMs, () => jobs.heartbeat([...held]), onFailure);
  const recoverTick = startTicking(settings.heartbeatMs, recover, onFailure);
  poll();

  async function stop(): Promise<void> {
    await Promise.all([fetchTick(), recoverTick()]);
    await fetching;
    const limit = setTimeout(
      () => leaveRuns.abort(new Error("The worker is stopping")),
      settings.drainMs,
    );
    while (threads.size > 0) await Promise.all(threads.values());
    clearTimeout(limit);
    await touchTick();
    unlisten.forEach((stopListening) => stopListening());
  }

  return {
    stop: () => (stopping ??= Promise.resolve().then(stop)),
    busy: () => threads.size,
  };
}

function describeDeadLetter({ threadId, reason }: DeadLetter): string {
  return `The work on thread "${threadId}" failed for good: ${reason ?? "the reason is unknown"}; its messages wait until the next one is sent`;
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
