import type { Pool } from "pg";
import type { TurnGraph } from "../graph/turn-graph.ts";
import type { Archive } from "../state/archive.ts";
import type { Limits } from "../state/limits.ts";
import type { Notifications } from "../storage/postgres/notifications.ts";
import type { PostgresCheckpointer } from "../storage/checkpoints/checkpointer.ts";
import type { JobQueue } from "../storage/runs/jobs.ts";
import type { Log } from "../state/log.ts";
import type { ServerSettings } from "./settings.ts";
import type { OpenStreams } from "./stream/open-streams.ts";
import type { RunFeed } from "./stream/run-feed.ts";

/** The sender of a request, and the proof of it. */
export interface Caller {
  readonly userId: string;
  readonly via: "loopback" | "api-key" | "jwt";
  /** Id of the API key that the request was sent with, if any. */
  readonly keyId?: string;
}

/**
 * Returns the caller of a request; null for one without a valid key or token.
 *
 * @throws Problem `keys_unavailable` or DatabaseUnavailableError while the caller cannot be identified.
 */
export type Authenticate = (request: {
  header(name: string): string | undefined;
}) => Promise<Caller | null>;

/** The server's log. Never contains message texts, keys or tokens. */
export interface ServerLog extends Log {
  /** Logs an error with its stack and causes. */
  error(error: unknown, message: string): void;
  /** Logs an answered request. Default: nothing is logged. */
  noteRequest?(line: RequestLine): void;
}

/** The log line of a request: caller, route and result; never a path, a query or a body. */
export interface RequestLine {
  readonly request: string;
  /** Null for a request that was not authenticated. */
  readonly user: string | null;
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  readonly status: number;
  /** Duration; for a stream, until it began. */
  readonly ms: number;
  readonly thread: string | null;
  readonly run: string | null;
}

/** The server's counters. */
export interface ServerMetrics {
  /** Returns all metrics in the text format of Prometheus (0.0.4). */
  render(): Promise<string>;
  /** Counts an answered request. `route` is the pattern, never the path: paths contain ids. */
  requestEnded(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Sets the number of streams that this process has open. */
  openStreams(count: number): void;
}

/** The parts of a server. */
export interface ServerParts {
  readonly pool: Pool;
  /** Connections of the administrator's role, for erasing. */
  readonly admin: Pool;
  readonly notifications: Notifications;
  readonly jobs: JobQueue;
  readonly graph: TurnGraph;
  readonly checkpointer: PostgresCheckpointer;
  readonly archive: Archive;
  readonly limits: Limits;
  readonly settings: ServerSettings;
  readonly log: ServerLog;
  readonly metrics: ServerMetrics;
  readonly authenticate: Authenticate;
  now(): Date;
  /** Mints ids of runs, threads, messages and requests. */
  newId(): string;
}

/** The parts of a running server, as its routes receive them. */
export interface RouteParts extends ServerParts {
  readonly feed: RunFeed;
  readonly streams: OpenStreams;
}
