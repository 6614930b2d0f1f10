import type { Pool } from "pg";
import type { TurnGraph } from "../graph/turn-graph.ts";
import type { Archive } from "../state/archive.ts";
import type { Limits } from "../state/limits.ts";
import type { Bells } from "../storage/postgres/notifications.ts";
import type { PostgresCheckpointer } from "../storage/checkpoints/checkpointer.ts";
import type { JobQueue } from "../storage/runs/jobs.ts";
import type { Log } from "../state/log.ts";
import type { ServerSettings } from "./settings.ts";
import type { OpenStreams } from "./stream/open-streams.ts";
import type { RunFeed } from "./stream/run-feed.ts";

/** Who asks, and how that is known. */
export interface Caller {
  readonly userId: string;
  readonly via: "loopback" | "api-key" | "jwt";
  /** The id of the key that it came with, where it did with one that is kept. */
  readonly keyId?: string;
}

/**
 * Finds out who asks; null where the request does not say, or says it wrongly.
 *
 * @throws Problem `keys_unavailable` or DatabaseUnavailableError while that cannot be found out.
 */
export type Authenticate = (request: {
  header(name: string): string | undefined;
}) => Promise<Caller | null>;

/** Where the server says what it does. Never with message texts, keys or tokens in it. */
export interface ServerLog extends Log {
  /** Notes an error with its stack and causes. */
  error(error: unknown, message: string): void;
  /** Notes that a request was answered. Default: it does not. */
  request?(line: RequestLine): void;
}

/** What one line says of a request: who, what, how it went; never a path, a query or a body. */
export interface RequestLine {
  readonly request: string;
  /** Null where nobody said who asks, or need to. */
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

/** What the server counts. */
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
  /** How many streams this process has open now. */
  openStreams(count: number): void;
}

/** What the server is made of. */
export interface ServerParts {
  readonly pool: Pool;
  readonly bells: Bells;
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
