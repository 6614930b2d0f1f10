import { z } from "zod";
import {
  ServerEnvironmentSchema,
  toServerSettings,
  type ServerSettings,
} from "../server/settings.ts";

/** The settings of servers and workers. */
export interface ServiceConfig {
  readonly host: string;
  readonly port: number;
  /** The port, on the same host, for the status of a process that is only a worker; null for none. */
  readonly workerPort: number | null;
  /** Without the version, which is the program's and not in the environment. */
  readonly settings: Omit<ServerSettings, "version">;
  /** The maximum number of database connections of one process. */
  readonly poolSize: number;
  readonly worker: {
    /** The number of threads that it works on at once. */
    readonly slots: number;
    /** The time limit of one run, in milliseconds. */
    readonly runMs: number;
    /** The time that runs get after a request to stop, in milliseconds. */
    readonly drainMs: number;
  };
  /** Retention in hours and days, as `removeOldRows` takes them; null keeps rows for ever. */
  readonly retention: {
    readonly eventsHours: number;
    readonly runsDays: number;
    readonly checkpointsDays: number | null;
    readonly archiveDays: number | null;
  };
}

/** The default port, which is also the default of LangGraph's clients. */
export const DEFAULT_PORT = 8123;

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

const MOST_DAYS = 36_500;

/** The least and the greatest number that a setting may have. */
interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** A range, and the value of a variable that is not set. */
interface SettingRange extends NumberRange {
  readonly fallback: number;
}

/** Reads a whole number; `fallback` if the variable is not set. */
function whole(range: SettingRange) {
  return text.transform((value, context): number => {
    const number = readWhole(value ?? String(range.fallback), range);
    if (number !== null) return number;
    context.addIssue(`must be a whole number from ${range.min} to ${range.max}`);
    return z.NEVER;
  });
}

/** Reads a number of days, or "never"; `fallback` if the variable is not set. */
function days(fallback: number | null) {
  return text.transform((value, context): number | null => {
    if (value === undefined) return fallback;
    if (value.toLowerCase() === "never") return null;
    const number = readWhole(value, { min: 1, max: MOST_DAYS });
    if (number !== null) return number;
    context.addIssue(`must be a whole number of days from 1 to ${MOST_DAYS}, or "never"`);
    return z.NEVER;
  });
}

/** Returns null if the value is not a whole number in the range. */
function readWhole(value: string, { min, max }: NumberRange): number | null {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

/** Tests for a name or address without a port. */
export function isHost(value: string): boolean {
  return /^[\w.:-]{1,253}$/.test(value);
}

const host = text.refine((value) => value === undefined || isHost(value), {
  message: "must be a name or an address to listen on, as in 127.0.0.1 or ::1",
});

const port = { min: 0, max: 65_535 };

/** Variables of servers and workers, besides what callers may do. Empty values count as absent. */
export const OperationEnvironmentSchema = z.object({
  CONCIERGE_HOST: host,
  CONCIERGE_PORT: whole({ ...port, fallback: DEFAULT_PORT }),
  CONCIERGE_WORKER_PORT: text.transform((value, context): number | null => {
    if (value === undefined) return null;
    const number = readWhole(value, port);
    if (number !== null) return number;
    context.addIssue("must be a whole number from 0 to 65535");
    return z.NEVER;
  }),
  CONCIERGE_POOL_SIZE: whole({ min: 2, max: 500, fallback: 20 }),
  CONCIERGE_WORKER_SLOTS: whole({ min: 1, max: 500, fallback: 16 }),
  CONCIERGE_RUN_MINUTES: whole({ min: 1, max: 1_440, fallback: 15 }),
  CONCIERGE_DRAIN_SECONDS: whole({ min: 0, max: 3_600, fallback: 20 }),
  CONCIERGE_KEEP_EVENTS_HOURS: whole({ min: 1, max: 24 * MOST_DAYS, fallback: 24 }),
  CONCIERGE_KEEP_RUNS_DAYS: whole({ min: 1, max: MOST_DAYS, fallback: 30 }),
  CONCIERGE_KEEP_CHECKPOINTS_DAYS: days(30),
  CONCIERGE_KEEP_ARCHIVE_DAYS: days(null),
});

/**
 * Makes the service's configuration of parsed variables.
 *
 * @throws TypeError, one sentence, where settings do not go together.
 */
export function toServiceConfig(
  env: z.infer<typeof OperationEnvironmentSchema> & z.infer<typeof ServerEnvironmentSchema>,
  repetitionDays: number,
): ServiceConfig {
  const { version: _, ...settings } = toServerSettings(env, "");
  const archiveDays = env.CONCIERGE_KEEP_ARCHIVE_DAYS;
  if (archiveDays !== null && archiveDays < repetitionDays) {
    throw new TypeError(
      `Cannot use CONCIERGE_KEEP_ARCHIVE_DAYS "${archiveDays}": the archive must be kept at least as long as the limit repetitionDays, which is ${repetitionDays} days; raise the one or lower the other`,
    );
  }
  return {
    host: env.CONCIERGE_HOST ?? "127.0.0.1",
    port: env.CONCIERGE_PORT,
    workerPort: env.CONCIERGE_WORKER_PORT,
    settings,
    poolSize: env.CONCIERGE_POOL_SIZE,
    worker: {
      slots: env.CONCIERGE_WORKER_SLOTS,
      runMs: env.CONCIERGE_RUN_MINUTES * 60_000,
      drainMs: env.CONCIERGE_DRAIN_SECONDS * 1_000,
    },
    retention: {
      eventsHours: env.CONCIERGE_KEEP_EVENTS_HOURS,
      runsDays: env.CONCIERGE_KEEP_RUNS_DAYS,
      checkpointsDays: env.CONCIERGE_KEEP_CHECKPOINTS_DAYS,
      archiveDays,
    },
  };
}
