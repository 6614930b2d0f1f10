import type { Writable } from "node:stream";
import { pino } from "pino";
import { findDatabaseFault } from "../driver/turn-errors.ts";
import type { DeadLetter } from "../storage/runs/jobs.ts";
import type { Log } from "../state/log.ts";
import type { RequestLine } from "../server/parts.ts";
import type { RunLine } from "../telemetry/log-runs.ts";
import type { Config } from "./config.ts";

/** The program's log, for storage and for the entry points. */
export interface AppLog extends Log {
  /** Logs an error with its stack and causes. An expected error takes one line; its stack is for debugging only. */
  error(error: unknown, message: string): void;
  /** Logs that a message was received; its text only where the configuration allows it. */
  noteMessage(message: { readonly threadId: string; readonly text: string }): void;
}

/** The log of a program that serves many users. */
export interface ServiceLog extends AppLog {
  /** Logs an answered request. */
  noteRequest(line: RequestLine): void;
  /** Logs that a run ended; its texts only where the configuration allows it. */
  noteRun(line: RunLine): void;
  /** Warns that the work on a thread has failed for good. */
  noteDeadLetter(job: DeadLetter): void;
}

/**
 * Makes the log of a configuration: one JSON object a line on standard error, or where `output`
 * leads.
 */
export function createLog(
  config: Pick<Config, "logLevel" | "logMessages">,
  output: Writable = process.stderr,
): ServiceLog {
  const logger = pino({ level: config.logLevel, base: null }, output);
  return {
    debug: (message) => logger.debug(message),
    info: (message) => logger.info(message),
    warn: (message) => logger.warn(message),
    error(error, message) {
      const expected = findExpected(error);
      if (expected === null) {
        logger.error({ error: describeForLog(error) }, message);
        return;
      }
      logger.warn({ ...expected }, message);
      logger.debug({ error: describeForLog(error) }, message);
    },
    noteMessage: ({ threadId, text }) =>
      logger.info(
        { thread: threadId, characters: text.length, ...(config.logMessages ? { text } : {}) },
        "A message was received",
      ),
    noteRequest: (line) => logger.info(line, "A request was answered"),
    noteRun: ({ text, ...line }) =>
      logger.info({ ...line, ...(config.logMessages ? { text } : {}) }, "A run ended"),
    noteDeadLetter: ({ threadId, userId, reason }) =>
      logger.warn(
        { thread: threadId, user: userId, reason },
        "A job failed for good; the messages of its thread wait for the next message",
      ),
  };
}

/** Makes the log of a conversation in a terminal: one sentence for each warning and unexpected error. */
export function createPlainLog(write: (line: string) => void): AppLog {
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: write,
    error(error, message) {
      // The turn's own event reports an expected error.
      if (findExpected(error) !== null) return;
      const reason = error instanceof Error ? error.message : String(error);
      write(`${message}: ${reason} (CONCIERGE_LOG=error logs the details)`);
    },
    noteMessage: () => undefined,
  };
}

/** Codes of errors that any long-running program meets and that are not bugs. */
const EXPECTED_CODES: ReadonlySet<string> = new Set(["database_unavailable", "lease_lost"]);

/** Returns the line for an expected error; null for any other. */
function findExpected(error: unknown): { readonly code: string; readonly reason: string } | null {
  const known = findDatabaseFault(error) ?? error;
  if (!(known instanceof Error && "code" in known && typeof known.code === "string")) return null;
  return EXPECTED_CODES.has(known.code) ? { code: known.code, reason: known.message } : null;
}

/** The parts of an error that a developer needs. Other properties may hold rows or requests and are left out. */
interface LoggedError {
  readonly code: string | null;
  readonly stack: string;
  readonly cause: LoggedError | null;
}

const DEEPEST_CAUSE = 5;

function describeForLog(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { code: null, stack: typeof error, cause: null };
  const { cause } = error;
  return {
    code: "code" in error && typeof error.code === "string" ? error.code : null,
    stack: error.stack ?? error.message,
    cause: cause === undefined || depth === DEEPEST_CAUSE ? null : describeForLog(cause, depth + 1),
  };
}
