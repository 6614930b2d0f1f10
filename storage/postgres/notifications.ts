import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Queryable } from "../../state/store.ts";
import { asDatabaseError } from "./database-error.ts";
import type { Database } from "./database.ts";
import type { Log } from "../../state/log.ts";

/** Topic of a notification: a thread has work (payload: its id), a run has new events, a run is to be cancelled (payload: the run's id). */
export type NotificationTopic = "work" | "run" | "cancel";

const TOPICS: readonly NotificationTopic[] = ["work", "run", "cancel"];

/**
 * Notifies every process. In a transaction it is sent on commit, and duplicates are sent once.
 *
 * @throws DatabaseUnavailableError when the database is gone.
 */
export async function notify(
  tx: Queryable,
  name: NotificationTopic,
  payload: string,
): Promise<void> {
  try {
    await tx.query("select pg_notify($1, $2)", [channelName(name), payload]);
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/**
 * Notifies outside a transaction, without waiting for the disk: a notifying transaction holds a lock
 * of the whole server until it is durable.
 *
 * @throws DatabaseUnavailableError when the database is gone.
 */
export async function notifyWithoutTransaction(
  db: Queryable,
  name: NotificationTopic,
  payload: string,
): Promise<void> {
  try {
    await db.query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [
      channelName(name),
      payload,
    ]);
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** Receives a notification's payload, or null if some may have been missed and rows must be checked. */
export type NotificationListener = (payload: string | null) => void;

/** Receives notifications of all processes. Rows are the truth: a notification only prompts a check. */
export interface Notifications {
  /**
   * Calls `listener` with each payload, and with null after a reconnect, since notifications may have
   * been missed. Returns a function that unsubscribes.
   */
  listen(name: NotificationTopic, listener: NotificationListener): () => void;
  /** Closes the connection and drops all listeners. Calling it again does nothing. */
  close(): Promise<void>;
}

export interface NotificationOptions {
  /** Milliseconds between checks of the connection. Default 15,000. */
  readonly checkMs?: number;
}

// Not settings: the pauses only spread the reconnects of many processes.
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Listens on a separate connection and reconnects whenever it is lost, after a pause that grows to
 * five seconds.
 *
 * @throws DatabaseUnavailableError when nothing answers at first.
 */
export async function openNotifications(
  database: Pick<Database, "listen">,
  log: Log,
  options: NotificationOptions = {},
): Promise<Notifications> {
  const listeners = new Map<NotificationTopic, Set<NotificationListener>>(
    TOPICS.map((name) => [name, new Set()]),
  );
  const closed = new AbortController();
  const over = aborted(closed.signal);
  const deliver = (name: NotificationTopic, payload: string | null): void => {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        log.warn(`A listener to the notification "${name}" failed: ${describe(error)}`);
      }
    }
  };
  const connect = () => subscribe(database, deliver, options.checkMs ?? 15_000);
  let current = await connect();
  const kept = keep();

  async function keep(): Promise<void> {
    while (!closed.signal.aborted) {
      await Promise.race([current.lost, over]);
      await current.end();
      const next = closed.signal.aborted ? null : await reconnect();
      if (next === null) return;
      current = next;
      for (const name of TOPICS) deliver(name, null);
    }
  }

  async function reconnect(): Promise<Subscription | null> {
    log.warn(
      "The connection that receives notifications from the database was lost; connecting again",
    );
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        const next = await connect();
        if (!closed.signal.aborted) return next;
        await next.end();
        return null;
      } catch {
        await pause(wait, closed.signal);
        if (closed.signal.aborted) return null;
      }
    }
  }

  return {
    listen(name, listener) {
      // A separate function: the same listener may be added twice, and each is removed separately.
      const own: NotificationListener = (payload) => listener(payload);
      listeners.get(name)?.add(own);
      return () => void listeners.get(name)?.delete(own);
    },
    async close() {
      closed.abort();
      await kept;
      for (const of of listeners.values()) of.clear();
    },
  };
}

interface Subscription {
  /** Resolves when the connection is closed or no longer answers. */
  readonly lost: Promise<void>;
  end(): Promise<void>;
}

async function subscribe(
  database: Pick<Database, "listen">,
  deliver: (name: NotificationTopic, payload: string) => void,
  checkMs: number,
): Promise<Subscription> {
  const client = await database.listen();
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  client.on("end", lose);
  client.on("error", () => lose());
  client.on("notification", ({ channel, payload }) => {
    const name = TOPICS.find((known) => channelName(known) === channel);
    if (name !== undefined) deliver(name, payload ?? "");
  });
  try {
    await client.query(TOPICS.map((name) => `listen ${channelName(name)}`).join("; "));
  } catch (error) {
    await endClient(client);
    throw error;
  }
  // A connection that the network dropped silently looks open on this side.
  const check = setInterval(() => {
    client.query("select 1").catch(() => lose());
  }, checkMs);
  return {
    lost,
    async end() {
      clearInterval(check);
      await endClient(client);
    },
  };
}

/** Not a setting: longer than any server that answers needs. */
const SHUTDOWN_MS = 1_000;

/** Closes the client without waiting for a server that does not answer. */
async function endClient(client: Client): Promise<void> {
  client.removeAllListeners("notification");
  const waited = new AbortController();
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, pause(SHUTDOWN_MS, waited.signal)]);
  waited.abort();
}

function channelName(name: NotificationTopic): string {
  return `concierge_${name}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Ends early when the signal does. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
