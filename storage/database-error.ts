import { errorCode } from "./error-code.ts";

/**
 * The database cannot be reached, or was lost in the middle of something.
 *
 * Contract: the message is one sentence that says what to do and holds no password; a transaction
 * that was running is rolled back by the server, unless it was already committed. The original
 * error is the `cause`.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  readonly code = "database_unavailable";
}

/**
 * Turns an error of the database driver into a `DatabaseUnavailableError` where it means that the
 * connection failed; every other value comes back as it is.
 *
 * Contract: causes are not looked into, so another component's wrapped network error stays its own.
 */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  const problem = findProblem(error);
  if (problem === null) return error;
  return new DatabaseUnavailableError(`Cannot reach the database: ${problem}`, { cause: error });
}

const NOT_THERE =
  "nothing answers where it should be; start the program again where it brings its own server, else check the server in DATABASE_URL";
const LOST = "the connection was lost; check that the server runs, then send the message again";
const STOPPING = "the server is stopping or starting; try again in a moment";

/** By the driver's and the system's `code`, or by SQLSTATE. */
const PROBLEMS_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: NOT_THERE,
  ENOTFOUND: "its host name is not known; check DATABASE_URL",
  EAI_AGAIN: "its host name cannot be looked up right now; check the network and DATABASE_URL",
  EHOSTUNREACH: NOT_THERE,
  ENETUNREACH: NOT_THERE,
  ETIMEDOUT: NOT_THERE,
  ECONNRESET: LOST,
  EPIPE: LOST,
  "57P01": STOPPING,
  "57P02": STOPPING,
  "57P03": STOPPING,
  "57P05": LOST,
  "25P03": LOST,
  "25P04": LOST,
  "53300": "the server takes no more connections; close others or raise its max_connections",
  "53100": "the server's disk is full; free some space on it",
  "58030": "the server cannot read or write its disk; check that disk",
  "3D000": "that database does not exist; create it or check DATABASE_URL",
  "28000": "the server refuses this user; check DATABASE_URL",
  "28P01": "the server refuses this user or password; check DATABASE_URL",
};

/** The driver's errors that bear no code. */
const PROBLEMS_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/^Connection terminated due to connection timeout/, NOT_THERE],
  [/^timeout exceeded when trying to connect/, "no connection became free in time; try again"],
  [/^timeout expired/, NOT_THERE],
  [/^Connection terminated/, LOST],
  [/^Client has encountered a connection error/, LOST],
  [/^Client was closed and is not queryable/, LOST],
];

function findProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // A host name with two addresses fails with one error for each.
  if (error instanceof AggregateError) return findProblem(error.errors[0]);
  const code = errorCode(error);
  return (
    PROBLEMS_BY_CODE[code] ??
    (code.startsWith("08") ? LOST : undefined) ??
    (isMissingSocket(error) ? NOT_THERE : undefined) ??
    PROBLEMS_BY_MESSAGE.find(([sign]) => sign.test(error.message))?.[1] ??
    null
  );
}

/** Not just any file that is missing. */
function isMissingSocket(error: Error): boolean {
  return errorCode(error) === "ENOENT" && "syscall" in error && error.syscall === "connect";
}
