import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { TurnEventSchema, type TurnEvent } from "../../state/event.ts";
import { isEnded, type GraphMode, type RunEvent, type RunRecord } from "../../state/run.ts";
import type { TurnContext } from "../../state/turn.ts";
import { openNotifications, type Notifications } from "../../storage/postgres/notifications.ts";
import type { Database } from "../../storage/postgres/database.ts";
import { enqueueMessage } from "../../storage/conversations/inbox.ts";
import { openJobQueue, type JobQueue } from "../../storage/runs/jobs.ts";
import { silentLog } from "../../state/log.ts";
import { readRunWithEvents } from "../../storage/runs/run-events.ts";
import { findRun, insertRun, listRuns } from "../../storage/runs/runs.ts";
import { claimThread } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import type { UndoEffectsOfRun } from "../../worker/rollback.ts";
import { startWorker, type Worker, type WorkerSettings } from "../../worker/worker.ts";
import type { TestDatabase } from "./database.ts";
import { newRun } from "./stored-run.ts";
import { namesIn } from "./fresh-kitchen.ts";
import { openThread, type TestThread, type ThreadParts } from "./test-thread.ts";

/** The queue and notifications of a process. */
export interface Work {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly notifications: Notifications;
}

/** Opens the queue and notifications; closed after the test. */
export async function openWork(database: Database): Promise<Work> {
  const jobs = await openJobQueue(database.pool, silentLog);
  const notifications = await openNotifications(database, silentLog);
  onTestFinished(async () => {
    await notifications.close();
    await jobs.close();
  });
  return { database, jobs, notifications };
}

/** A worker of threads of any user, whose models behave alike. */
export interface ThreadWorker {
  readonly worker: Worker;
  /** The thread of its driver, for reading states. */
  readonly thread: TestThread;
  readonly failures: readonly unknown[];
  /** Resolves with the first of them. */
  readonly failed: Promise<void>;
}

/** Starts a worker; stopped after the test. */
export function workOn(
  work: Work,
  parts: ThreadParts & {
    readonly run: TurnContext;
    readonly settings?: Partial<WorkerSettings>;
    readonly undoEffects?: UndoEffectsOfRun;
  },
): ThreadWorker {
  const thread = openThread(work.database, parts);
  const failures: unknown[] = [];
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  const { driver } = thread;
  const worker = startWorker({
    pool: work.database.pool,
    driver,
    replayTurn: (message, onEvent) => driver.replayTurn(message, onEvent),
    jobs: work.jobs,
    notifications: work.notifications,
    log: silentLog,
    newId: randomUUID,
    onFailure(error) {
      failures.push(error);
      fail();
    },
    ...(parts.undoEffects === undefined ? {} : { undoEffects: parts.undoEffects }),
    settings: { drainMs: 0, ...parts.settings },
  });
  onTestFinished(() => worker.stop());
  return { worker, thread, failures, failed };
}

/** Puts a message and its run into a thread, as the server does; returns the run's id. */
export async function submit(
  { database, jobs }: Work,
  {
    run,
    text,
    modes = [],
  }: { readonly run: TurnContext; readonly text: string; readonly modes?: readonly GraphMode[] },
): Promise<string> {
  const { threadId, userId, today, timeZone, locale } = run;
  const [runId, messageId] = [randomUUID(), `message-${randomUUID()}`];
  await asUser(database.pool, { userId }, async (tx) => {
    await claimThread(tx, { threadId, title: text });
    await enqueueMessage(tx, {
      threadId,
      messageId,
      text,
      run: { runId, threadId, userId, today, timeZone, locale },
    });
    await insertRun(
      tx,
      newRun({ runId, threadId, messageId, streamModes: [...modes], metadata: { from: "test" } }),
    );
    await jobs.send(tx, { threadId, userId });
  });
  return runId;
}

/** Waits until a run is as wanted, looking at every notification; null: it is gone. */
export async function untilRun(
  { database, notifications }: Work,
  {
    run,
    runId,
    is,
  }: {
    readonly run: TurnContext;
    readonly runId: string;
    readonly is: (run: RunRecord | null) => boolean;
  },
): Promise<RunRecord | null> {
  const look = (): Promise<RunRecord | null> =>
    asUser(database.pool, { userId: run.userId }, (tx) => findRun(tx, runId));
  for (;;) {
    const rung = Promise.withResolvers<void>();
    const stop = notifications.listen("run", () => rung.resolve());
    try {
      const found = await look();
      if (is(found)) return found;
      await rung.promise;
    } finally {
      stop();
    }
  }
}

/** Waits until a run has ended. */
export async function untilEnded(
  work: Work,
  wanted: { readonly run: TurnContext; readonly runId: string },
): Promise<RunRecord> {
  const ended = await untilRun(work, {
    ...wanted,
    is: (run) => run !== null && isEnded(run.status),
  });
  if (ended === null) throw new Error("Cannot wait for a run that is gone");
  return ended;
}

/** Everything that is kept of what a run told. */
export async function readEvents(
  { database }: Work,
  { run, runId }: { readonly run: TurnContext; readonly runId: string },
): Promise<{ readonly rows: readonly RunEvent[]; readonly events: readonly TurnEvent[] }> {
  const story = await asUser(database.pool, { userId: run.userId }, (tx) =>
    readRunWithEvents(tx, { runId, after: 0, limit: 10_000 }),
  );
  const rows = story?.events ?? [];
  const own = rows.filter(({ mode }) => mode === "custom").map(({ data }) => data);
  return { rows, events: TurnEventSchema.array().parse(own) };
}

/** A thread's runs, the oldest first. */
export async function readRuns(
  { database }: Work,
  { threadId, userId }: TurnContext,
): Promise<readonly RunRecord[]> {
  const runs = await asUser(database.pool, { userId }, (tx) =>
    listRuns(tx, { threadId, limit: 100, offset: 0 }),
  );
  return runs.toReversed();
}

/** Puts a message and its run into a thread, and waits until the run has ended. */
export async function runToEnd(
  work: Work,
  message: { readonly run: TurnContext; readonly text: string },
): Promise<RunRecord> {
  return untilEnded(work, { run: message.run, runId: await submit(work, message) });
}

/** Loads what the database holds of a thread: its messages, turns, shopping list and lease. */
export async function loadStored(
  database: TestDatabase,
  { threadId, userId }: Pick<TurnContext, "threadId" | "userId">,
) {
  const { rows } = await database.owner.query<{
    inbox: string[];
    turns: string[];
    held: boolean;
  }>(
    `select array(select text || ': ' || coalesce(outcome, 'waits') from inbox
                   where thread_id = $1 order by seq) as inbox,
            array(select user_message || ': ' ||
                         array_to_string(array(select jsonb_path_query(replies, '$[*].text') #>> '{}'), ' ')
                    from turns where thread_id = $1 order by turn) as turns,
            exists (select from leases where thread_id = $1 and owner is not null) as held`,
    [threadId],
  );
  const { inbox = [], turns = [], held = false } = rows[0] ?? {};
  const items = await namesIn(database, { table: "shopping_list", userId });
  return { inbox, turns, items, held };
}
