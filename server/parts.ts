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
  /** The id of the key that it came with, where it did with one that is kept. */
  readonly keyId?: string;
}

/**
 * Returns the caller of a request; null for one without a valid key or token.
 *
 * @throws Problem `keys_unavailable` or DatabaseUnavailableError while that cannot be found out.
 */
export type Authenticate = (request: {
  header(name: string): string | undefined;
}) => Promise<Caller | null>;

/** The server's log. Never contains message texts, keys or tokens. */
export interface ServerLog extends Log {
  /** Notes an error with its stack and causes. */
  error(error: unknown, message: string): void;
  /** Notes that a request was answered. Default: it does not. */
  noteRequest?(line: RequestLine): void;
}

/** The log line of a request: caller, route and result; never a path, a query or a body. */
export interface RequestLine {
  readonly request: string;
  /** Null for a request that was not authenticated. */
  readonly user: string | null;
  readonly method: string;
  /** The pattern. */
  readonly route: string;
  readonly status: number;
  /** Of a stream: until it began. */
  readonly ms: number;
  readonly thread: string | null;
  readonly run: string | null;
}

/** The server's counters. */
export interface ServerMetrics {
  /** Everything counted so far, as Prometheus reads it (text format 0.0.4). */
  render(): Promise<string>;
  /** A request was answered. `route` is the pattern, never the path: paths have ids. */
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

/** The same, with what one server keeps while it runs: what routes are given. */
export interface RouteParts extends ServerParts {
  readonly feed: RunFeed;
  readonly streams: OpenStreams;
}
