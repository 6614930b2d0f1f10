import type { Pool } from "pg";
import type { TurnDriver, WorkOutcome } from "../driver/run-turn.ts";
import { describeError } from "../driver/turn-errors.ts";
import type { Bells } from "../storage/postgres/bell.ts";
import { giveBack } from "../storage/postgres/give-back.ts";
import { UNTOUCHED_SECONDS } from "../storage/runs/job-tables.ts";
import type { DeadJob, JobQueue, ThreadJob } from "../storage/runs/jobs.ts";
import type { Log } from "../state/log.ts";
import { asUser } from "../storage/users/user-data.ts";
import { createCancels } from "./cancels.ts";
import { createRunRecorder } from "./run-recorder.ts";
import { settleRuns } from "./settle-runs.ts";
import { startTicking } from "./tick.ts";

/** What a worker is made of. */
export interface WorkerParts {
  readonly pool: Pool;
  readonly driver: Pick<TurnDriver, "work">;
  /** The driver's, for runs whose messages were worked off where no runs are kept. Default: they end without events. */
  readonly retell?: TurnDriver["retell"];
  readonly jobs: JobQueue;
  readonly bells: Pick<Bells, "listen">;
  readonly log: Log;
  /** Mints ids of runs. */
  readonly newId: () => string;
  /** Gets what befell a job, with stack and causes. Default: the log has its sentence. */
  readonly onFailure?: (error: unknown) => void;
  /** Hears of each job that is tried no more. Default: the log has its sentence. */
  readonly onDead?: (job: DeadJob) => void;
  readonly settings?: Partial<WorkerSettings>;
}

export interface WorkerSettings {
  /** Threads that are worked on at once. Default 16. */
  readonly slots: number;
  /** How long one run may take before it is stopped, in milliseconds. Default 15 minutes. */
  readonly runMs: number;
  /** How long runs may go on once the worker is told to stop, in milliseconds. Default 20,000. */
  readonly drainMs: number;
  /** How often it looks for work that no bell told of, in milliseconds. Default 2,000. */
  readonly pollMs: number;
  /** How often it says that it still works on its jobs, and looks for those of dead workers. Default 3,000. */
  readonly touchMs: number;
  /** How long a job waits for a thread that another process holds, in milliseconds. Default 1,000. */
  readonly leaseWaitMs: number;
}

const DEFAULTS: WorkerSettings = {
  slots: 16,
  runMs: 15 * 60_000,
  drainMs: 20_000,
  pollMs: 2_000,
  touchMs: 3_000,
  leaseWaitMs: 1_000,
};

export interface Worker {
  /**
   * Stops fetching, lets running turns finish for a while, then leaves them where they are, for
   * another worker to go on with. Resolves when nothing is worked on any more; calling it again
   * waits for the same.
   */
  stop(): Promise<void>;
  /** How many threads are worked on right now. */
  busy(): number;
}

/** Starts working threads off: fetches jobs as bells ring and now and then, so many at once. */
export function startWorker(parts: WorkerParts): Worker {
  const { pool, driver, jobs, bells, log } = parts;
  const settings = { ...DEFAULTS, ...parts.settings };
  const onFailure =
    parts.onFailure ?? ((error: unknown) => log.warn(`A worker failed: ${textOf(error)}`));
  const onDead = parts.onDead ?? ((job: DeadJob) => log.warn(obituaryOf(job)));
  const cancels = createCancels();
  /** What is done for each thread, one job after the other. */
  const threads = new Map<string, Promise<void>>();
  const held = new Set<string>();
  const leaveRuns = new AbortController();
  let stopping: Promise<void> | null = null;
  let fetching: Promise<void> | null = null;
  let mayBeMore = false;

  function look(): void {
    mayBeMore = true;
    goOn();
  }

  function goOn(): void {
    if (!mayFetch()) return;
    fetching ??= fetchAll().finally(() => {
      fetching = null;
      goOn();
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
        fetched.forEach(take);
        // A bell tells of those that came meanwhile.
        mayBeMore ||= fetched.length >= free;
      } catch (error) {
        onFailure(error);
        return;
      }
    }
  }

  function take(job: ThreadJob): void {
    held.add(job.id);
    const before = threads.get(job.threadId) ?? Promise.resolve();
    const done = before
      .then(() => workOff(job))
      .catch(onFailure)
      .finally(() => {
        held.delete(job.id);
        if (threads.get(job.threadId) === done) threads.delete(job.threadId);
        goOn();
      });
    threads.set(job.threadId, done);
  }

  async function workOff(job: ThreadJob): Promise<void> {
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
      if (outcome === "worked-off") await settleRuns(thread, { pool, retell: parts.retell });
      await giveJobBack(() => settle(job, outcome));
    } catch (error) {
      onFailure(error);
      await giveJobBack(() => jobs.retry(job.id, describeError(error)));
    } finally {
      await recorder.close();
    }
  }

  /**
   * A job that cannot be given back is touched no more: then it is given to another worker. So that
   * nobody waits for as long as for a dead one's, a database that is away is waited for.
   */
  function giveJobBack(give: () => Promise<void>): Promise<void> {
    return giveBack(give, { forMs: UNTOUCHED_SECONDS * 1_000, mayWait: () => stopping === null });
  }

  async function settle(job: ThreadJob, outcome: WorkOutcome): Promise<void> {
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
    look();
    for (const job of await jobs.takeDead()) onDead(job);
  }

  const unlisten = [
    bells.listen("work", look),
    bells.listen("cancel", (runId) => cancels.heard(runId)),
  ];
  const fetchTick = startTicking(settings.pollMs, async () => look());
  const touchTick = startTicking(settings.touchMs, () => jobs.touch([...held]), onFailure);
  const recoverTick = startTicking(settings.touchMs, recover, onFailure);
  look();

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

function obituaryOf({ threadId, reason }: DeadJob): string {
  return `The work on thread "${threadId}" is tried no more: ${reason ?? "nobody knows why"}; its messages wait for the next one`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
