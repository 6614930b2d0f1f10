import { randomUUID } from "node:crypto";
import { afterAll } from "vitest";
import { openModels } from "../../app/open-models.ts";
import { mealsDomain } from "../../meals/index.ts";
import { createConciergeGraph } from "../../graph/create-concierge-graph.ts";
import { countTokens } from "../../models/tokens.ts";
import { createApp } from "../../server/app.ts";
import { createAuthenticate, type AuthenticateOptions } from "../../server/access/authenticate.ts";
import type { RouteParts, ServerMetrics, ServerParts } from "../../server/parts.ts";
import {
  DEFAULT_SERVER_LIMITS,
  type AccessSettings,
  type ServerLimits,
  type ServerSettings,
} from "../../server/settings.ts";
import { createOpenStreams } from "../../server/stream/open-streams.ts";
import { createRunFeed } from "../../server/stream/run-feed.ts";
import { DEFAULT_LIMITS } from "../../state/limits.ts";
import { openNotifications, type Notifications } from "../../storage/postgres/notifications.ts";
import { createCheckpointer } from "../../storage/checkpoints/checkpointer.ts";
import { openJobQueue, type JobQueue } from "../../storage/runs/jobs.ts";
import { createTurnArchive } from "../../storage/conversations/turn-archive.ts";
import { testDatabase, type TestDatabase, type TestDatabaseOptions } from "./database.ts";

export interface ServerPartsOptions extends Partial<AuthenticateOptions> {
  readonly database: TestDatabase;
  /** Default: off. */
  readonly access?: AccessSettings;
  readonly limits?: Partial<ServerLimits>;
  readonly settings?: Partial<ServerSettings>;
}

/** Errors, warnings and counts of a server while it ran. */
export interface Noted {
  /** Errors it had not foreseen. */
  readonly errors: unknown[];
  readonly warnings: string[];
  readonly requests: Parameters<ServerMetrics["requestEnded"]>[0][];
  /** Number of open streams, after each change. */
  readonly streams: number[];
}

/** A server's collaborators on a test's database: real ones, but for metrics and log, which are kept. */
export interface TestServerParts extends ServerParts {
  readonly noted: Noted;
  close(): Promise<void>;
}

/** Opens them. To be closed before the database. */
export async function openServerParts(options: ServerPartsOptions): Promise<TestServerParts> {
  const { database, access = { kind: "off" } } = options;
  const noted: Noted = { errors: [], warnings: [], requests: [], streams: [] };
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string) => void noted.warnings.push(message),
    error: (error: unknown) => void noted.errors.push(error),
  };
  const notifications: Notifications = await openNotifications(database, log);
  const jobs: JobQueue = await openJobQueue(database.pool, log);
  const checkpointer = createCheckpointer(database.pool);
  const archive = createTurnArchive(database.pool);
  const graph = createConciergeGraph({
    domain: mealsDomain,
    ...(await openModels({ kind: "simulated" })),
    countTokens,
    storage: { checkpointer, archive, userData: database.userData },
  });
  const settings: ServerSettings = {
    version: "0.0.0-test",
    origins: [],
    trustedProxies: [],
    ...options.settings,
    access,
    limits: { ...DEFAULT_SERVER_LIMITS, ...options.limits },
  };
  return {
    noted,
    pool: database.pool,
    admin: database.admin,
    notifications,
    jobs,
    graph,
    checkpointer,
    archive,
    limits: DEFAULT_LIMITS,
    settings,
    log,
    metrics: {
      render: async () => "# nothing is counted\n",
      requestEnded: (request) => void noted.requests.push(request),
      openStreams: (count) => void noted.streams.push(count),
    },
    authenticate: createAuthenticate(access, {
      findKeyOwner: options.findKeyOwner ?? (async () => null),
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    }),
    now: () => new Date("2026-01-12T09:30:00Z"),
    newId: randomUUID,
    async close() {
      await jobs.close();
      await notifications.close();
    },
  };
}

/** Returns the collaborators of the routes, for an app that is asked without a socket. */
export function routeParts(parts: ServerParts): RouteParts {
  return {
    ...parts,
    feed: createRunFeed(parts),
    streams: createOpenStreams({
      perUser: parts.settings.limits.streamsPerCaller,
      stalledMs: parts.settings.limits.stalledSeconds * 1_000,
      heartbeatMs: parts.settings.limits.heartbeatSeconds * 1_000,
      bufferBytes: parts.settings.limits.streamBufferBytes,
      stopping: new AbortController().signal,
    }),
  };
}

/** Opens an app that one file's tests ask without a socket, on a database of theirs. */
export async function openTestApp(
  options: Omit<ServerPartsOptions, "database"> & TestDatabaseOptions = {},
) {
  const database = await testDatabase(options);
  const parts = await openServerParts({ ...options, database });
  afterAll(() => parts.close());
  const app = createApp(routeParts(parts));
  return { database, parts, app, ask: askWith(app) };
}

/** Returns a function that sends a request, with a JSON body where one is given. */
export function askWith(app: ReturnType<typeof createApp>) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    app.request(path, {
      method,
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Returns what a problem says to programs. */
export async function readProblem(
  response: Response,
): Promise<[status: number, code: string, field: string | undefined]> {
  const { code, field } = (await response.json()) as { code: string; field?: string };
  return [response.status, code, field];
}
