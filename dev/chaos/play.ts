import { setTimeout as delay } from "node:timers/promises";
import { createApiKey } from "../../storage/users/api-keys.ts";
import type { Queryable } from "../../state/store.ts";
import { checkThread, type ThreadLog } from "./check-thread.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { followRun, postMessage, type Client, type FollowedRun } from "./follow-run.ts";
import type { RestartablePostgres } from "./postgres.ts";
import { startSlowModel, type SlowModel } from "./slow-model.ts";

/** The parts that may be disturbed, and the end of the play. */
export interface Stage {
  readonly fleet: Pick<Fleet, "killWorker" | "startWorker">;
  readonly model: Pick<SlowModel, "asked">;
  readonly restart: () => Promise<void>;
  /** Aborts when everything is answered. */
  readonly over: AbortSignal;
}

export interface ChaosOptions {
  readonly postgres: RestartablePostgres;
  /** The folder with the bundled programs. */
  readonly programs: string;
  readonly threads: number;
  /** Of each thread. */
  readonly messages: number;
  /** A thread is silent for as long at most, after every few messages. */
  readonly pauseMs: number;
  /** Milliseconds that a model takes for an answer. */
  readonly modelMs: number;
  /** Milliseconds after which clients give up. */
  readonly limitMs: number;
  readonly disturb: (stage: Stage) => Promise<void>;
}

export interface ChaosReport {
  /** One sentence each; empty when every promise was kept. */
  readonly problems: readonly string[];
  readonly runs: number;
  /** Number of times that clients came back to a stream. */
  readonly returns: number;
  readonly kills: number;
  readonly restarts: number;
  /** The longest that a stream paused after a worker was killed, or the database was back, in milliseconds. */
  readonly longestPauseMs: number;
  /** The longest that a stream paused in which that happened at all, however often, in milliseconds. */
  readonly longestSilenceMs: number;
  /** The largest number of tries at one message that counted. */
  readonly mostAttempts: number;
  readonly seconds: number;
}

/** Messages that a client sends without waiting for their answers. */
const AT_ONCE = 3;
const ITEMS = [
  "pears",
  "leeks",
  "kale",
  "plums",
  "rice",
  "quinoa",
  "tofu",
  "walnuts",
  "yeast",
  "basil",
];

/** Lets two servers and two workers answer many threads while they are disturbed, and checks the results. */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { postgres, modelMs } = options;
  const database = await postgres.createDatabase();
  const model = await startSlowModel(modelMs);
  try {
    const fleet = await startFleet({
      databaseUrl: database.url,
      modelUrl: model.url,
      servers: 2,
      workers: 2,
      programs: options.programs,
    });
    try {
      const users = await Promise.all(
        Array.from({ length: options.threads }, async (_, number) => {
          const userId = `user-${number}`;
          const made = { userId, label: "chaos", expiresAt: null };
          return { number, userId, key: (await createApiKey(database.owner, made)).key };
        }),
      );
      const moments = createMoments(fleet, postgres);
      const over = new AbortController();
      const began = performance.now();
      const asked = (count: number): Promise<void> =>
        waitUnlessOver(over.signal, model.asked(count));
      const disturbing = options.disturb({ ...moments, model: { asked }, over: over.signal });
      disturbing.catch(() => undefined);
      const signal = AbortSignal.timeout(options.limitMs);
      const played = await Promise.allSettled(
        users.map((user) => playThread({ ...user, urls: fleet.urls, signal }, options)),
      );
      const seconds = (performance.now() - began) / 1_000;
      over.abort(new Error("every message was answered before"));
      const [disturbed] = await Promise.allSettled([disturbing]);
      const fallen = fleet.countFallen();
      const ends = await fleet.stop();
      const had = played.flatMap((log) => (log.status === "fulfilled" ? [log.value] : []));
      const givenUp = played.flatMap((log) => (log.status === "rejected" ? [log.reason] : []));
      const checked = await Promise.all(had.map((log) => checkThread(database.owner, log)));
      const followed = had.flatMap(({ exchanges }) =>
        exchanges.map((exchange) => exchange.followed),
      );
      return {
        problems: [
          ...(fallen === 0 ? [] : [`${fallen} processes ended without being killed`]),
          ...(disturbed.status === "fulfilled"
            ? []
            : [`The disturbance failed: ${String(disturbed.reason)}`]),
          ...givenUp.map((reason) => `A client gave up: ${String(reason)}`),
          ...ends,
          ...checked.flat(),
        ],
        runs: followed.length,
        returns: followed.reduce((sum, { returns }) => sum + returns, 0),
        kills: moments.killedAt.length,
        restarts: moments.backAt.length,
        ...measurePauses(followed, [...moments.killedAt, ...moments.backAt]),
        mostAttempts: await countMostAttempts(database.owner),
        seconds,
      };
    } finally {
      fleet.abandon();
    }
  } finally {
    await model.close();
    await database.close();
  }
}

/** Waits for the work, but not beyond the end of the play. @throws the signal's reason. */
async function waitUnlessOver(over: AbortSignal, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(over.reason);
  over.addEventListener("abort", end, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    over.removeEventListener("abort", end);
  }
}

/** Wraps fleet and database so that the moments of kills and restarts are noted. */
function createMoments(fleet: Fleet, postgres: RestartablePostgres) {
  const killedAt: number[] = [];
  const backAt: number[] = [];
  return {
    killedAt,
    backAt,
    fleet: {
      async killWorker() {
        await fleet.killWorker();
        killedAt.push(performance.now());
      },
      startWorker: () => fleet.startWorker(),
    },
    async restart() {
      await postgres.restart();
      backAt.push(performance.now());
    },
  };
}

interface User extends Client {
  readonly number: number;
  readonly userId: string;
}

async function playThread(
  user: User,
  { messages, pauseMs }: Pick<ChaosOptions, "messages" | "pauseMs">,
): Promise<ThreadLog> {
  const { number, userId, signal } = user;
  const threadId = `thread-${number}`;
  const following: Promise<FollowedRun>[] = [];
  const sent = Array.from({ length: messages }, (_, index) => ({
    messageId: `message-${number}-${index + 1}`,
    item: ITEMS[index % ITEMS.length] ?? "",
  }));
  for (const [index, { messageId, item }] of sent.entries()) {
    const text = `add ${item} to my shopping list`;
    const first = number + index;
    const runId = await postMessage(user, { message: { threadId, messageId, text }, first });
    const leaveAfter = 1 + ((7 * number + 3 * index) % 11);
    const followed = followRun(user, { runId, first: first + 1, leaveAfter });
    followed.catch(() => undefined);
    following.push(followed);
    if (index % AT_ONCE < AT_ONCE - 1) continue;
    await Promise.all(following);
    await delay(pauseMs * spread(number + index), undefined, { signal });
  }
  const followed = await Promise.all(following);
  const exchanges = sent.flatMap((one, index) => {
    const run = followed[index];
    return run === undefined ? [] : [{ ...one, followed: run }];
  });
  return { threadId, userId, exchanges };
}

/** Returns a number from 0 to 1; any count of them is spread evenly (multiples of the golden ratio). */
function spread(nth: number): number {
  return (nth * 0.618_033_988_749_895) % 1;
}

/** Measures the longest silence of a stream that spans one of the moments, whole and after the last of them. */
function measurePauses(
  followed: readonly FollowedRun[],
  moments: readonly number[],
): Pick<ChaosReport, "longestPauseMs" | "longestSilenceMs"> {
  const pauses = followed.flatMap(({ events }) =>
    events.slice(1).flatMap(({ at: until }, index) => {
      const since = events[index]?.at ?? until;
      const inside = moments.filter((moment) => moment > since && moment < until);
      return inside.length === 0
        ? []
        : [{ whole: until - since, after: until - Math.max(...inside) }];
    }),
  );
  return {
    longestPauseMs: Math.max(0, ...pauses.map(({ after }) => after)),
    longestSilenceMs: Math.max(0, ...pauses.map(({ whole }) => whole)),
  };
}

async function countMostAttempts(db: Queryable): Promise<number> {
  const { rows } = await db.query("select coalesce(max(attempts), 0)::int as most from inbox");
  return Number(rows[0]?.["most"]);
}
