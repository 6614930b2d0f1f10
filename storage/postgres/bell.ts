import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Queryable } from "../../state/store.ts";
import { asDatabaseError } from "./database-error.ts";
import type { Database } from "./database.ts";
import type { Log } from "../../state/log.ts";

/** What a bell is about: a thread has work (payload: the thread's id), a run has told something, a run is to be cancelled (the run's id). */
export type BellName = "work" | "run" | "cancel";

const NAMES: readonly BellName[] = ["work", "run", "cancel"];

/**
 * Rings a bell in every process. In a transaction: heard when it commits; the same one twice is heard once.
 *
 * @throws DatabaseUnavailableError when the database is gone.
 */
export async function ringBell(tx: Queryable, name: BellName, payload: string): Promise<void> {
  try {
    await tx.query("select pg_notify($1, $2)", [channelOf(name), payload]);
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/**
 * The same by itself, not in a transaction: it is not waited for until the disk has it. Whoever
 * notifies holds a lock of the whole server until then.
 *
 * @throws DatabaseUnavailableError when the database is gone.
 */
export async function ringBellAlone(db: Queryable, name: BellName, payload: string): Promise<void> {
  try {
    await db.query("select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [
      channelOf(name),
      payload,
    ]);
  } catch (error) {
    throw asDatabaseError(error);
  }
}

/** Hears the payload of a bell, or null where some may have been missed: what it is about is to be looked up. */
export type BellListener = (payload: string | null) => void;

/** Hears what other processes ring. Rows are the truth: a bell only says that it is time to look. */
export interface Bells {
  /**
   * Calls `listener` with each payload, and with null once the connection was lost and is there
   * again: something may have been missed. Returns how to stop.
   */
  listen(name: BellName, listener: BellListener): () => void;
  /** Gives the connection back; nothing is heard any more. Calling it again does nothing. */
  close(): Promise<void>;
}

export interface BellOptions {
  /** How often the connection is asked whether it is still one, in milliseconds. Default 15,000. */
  readonly checkMs?: number;
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Listens on one connection of its own, and connects again for ever when it is lost, waiting longer
 * each time, five seconds at most.
 *
 * @throws DatabaseUnavailableError when nothing answers at first.
 */
export async function openBells(
  database: Pick<Database, "listen">,
  log: Log,
  options: BellOptions = {},
): Promise<Bells> {
  const listeners = new Map<BellName, Set<BellListener>>(NAMES.map((name) => [name, new Set()]));
  const closed = new AbortController();
  const over = aborted(closed.signal);
  const ring = (name: BellName, payload: string | null): void => {
    for (const listener of listeners.get(name) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        log.warn(`A listener to the bell "${name}" failed: ${describe(error)}`);
      }
    }
  };
  const connect = () => subscribe(database, { ring, checkMs: options.checkMs ?? 15_000 });
  let current = await connect();
  const kept = keep();

  async function keep(): Promise<void> {
    while (!closed.signal.aborted) {
      await Promise.race([current.lost, over]);
      await current.end();
      const next = closed.signal.aborted ? null : await reconnect();
      if (next === null) return;
      current = next;
      for (const name of NAMES) ring(name, null);
    }
  }

  async function reconnect(): Promise<Subscription | null> {
    log.warn("The connection that hears of news from the database was lost; connecting again");
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
      // A function of its own: the same listener may come twice, and each is stopped for itself.
      const own: BellListener = (payload) => listener(payload);
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
  /** Resolves when the connection is gone, or answers no more. */
  readonly lost: Promise<void>;
  end(): Promise<void>;
}

async function subscribe(
  database: Pick<Database, "listen">,
  options: { ring: (name: BellName, payload: string) => void; checkMs: number },
): Promise<Subscription> {
  const client = await database.listen();
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  client.on("end", lose);
  client.on("error", () => lose());
  client.on("notification", ({ channel, payload }) => {
    const name = NAMES.find((known) => channelOf(known) === channel);
    if (name !== undefined) options.ring(name, payload ?? "");
  });
  try {
    await client.query(NAMES.map((name) => `listen ${channelOf(name)}`).join("; "));
  } catch (error) {
    await end(client);
    throw error;
  }
  // A connection that was cut off without a word stays open on this side.
  const check = setInterval(() => {
    client.query("select 1").catch(() => lose());
  }, options.checkMs);
  return {
    lost,
    async end() {
      clearInterval(check);
      await end(client);
    },
  };
}

const FAREWELL_MS = 1_000;

/** Without waiting for a server that does not answer. */
async function end(client: Client): Promise<void> {
  client.removeAllListeners("notification");
  const waited = new AbortController();
  const ended = client.end().catch(() => undefined);
  await Promise.race([ended, pause(FAREWELL_MS, waited.signal)]);
  waited.abort();
}

function channelOf(name: BellName): string {
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
