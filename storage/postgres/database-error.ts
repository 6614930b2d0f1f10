import { errorCode } from "./error-code.ts";

/**
 * The database cannot be reached, was lost in the middle of a statement, or cannot work (its disk is
 * full, it accepts no changes): the statement itself is not at fault.
 *
 * Contract: the message is one sentence that says what to do and holds no password; a transaction
 * that was running is rolled back by the server, unless it was already committed. The original
 * error is the `cause`.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = "DatabaseUnavailableError";
  readonly code = "database_unavailable";
}

/** SQLSTATE of a change in a read-only server or transaction. */
export const READ_ONLY_CODE = "25006";

/**
 * Turns an error of the database driver into a `DatabaseUnavailableError` where it means that the
 * connection failed or that the server cannot work; every other value comes back as it is.
 *
 * Contract: causes are not examined, so a wrapped network error of another component is left alone.
 */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailableError) return error;
  const problem = findProblem(error);
  if (problem === null) return error;
  return new DatabaseUnavailableError(`Cannot ${problem}`, { cause: error });
}

const NOT_THERE =
  "reach the database: the server does not answer; try again, or start the program again if it brings its own server; otherwise check the server in DATABASE_URL";
const LOST = "reach the database: the connection was lost; check that the server runs";
const STOPPING = "reach the database: the server is stopping or starting; try again in a moment";
const DISK = "use the database: the server cannot read or write its disk; check that disk";
const EXHAUSTED =
  "use the database: the server has run out of a resource; check its log and give it more";

/** By the driver's and the system's `code`, or by SQLSTATE. */
const PROBLEMS_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: NOT_THERE,
  ENOTFOUND: "reach the database: its host name is not known; check DATABASE_URL",
  EAI_AGAIN:
    "reach the database: its host name cannot be looked up right now; check the network and DATABASE_URL",
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
  "53100": "write to the database: the server's disk is full; free some space on it",
  "53200":
    "use the database: the server is out of memory; end other programs on it or give it more",
  "53300":
    "reach the database: the server accepts no more connections; close others or raise its max_connections",
  [READ_ONLY_CODE]:
    "write to the database: the server accepts no changes right now; check whether it is a standby or was made read-only",
  "57P04": "reach the database: it was dropped; create it or check DATABASE_URL",
  "3D000": "reach the database: that database does not exist; create it or check DATABASE_URL",
  "28000": "reach the database: the server refuses this user; check DATABASE_URL",
  "28P01": "reach the database: the server refuses this user or password; check DATABASE_URL",
};

/** By the class of an SQLSTATE, where the code itself is not known above. */
const PROBLEMS_BY_CLASS: Readonly<Record<string, string>> = {
  "08": LOST,
  "53": EXHAUSTED,
  "58": DISK,
};

/** Errors of the driver without a code. */
const PROBLEMS_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/^Connection terminated due to connection timeout/, NOT_THERE],
  [
    /^timeout exceeded when trying to connect/,
    "reach the database: no connection became free in time; try again",
  ],
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
    (SQLSTATE.test(code) ? PROBLEMS_BY_CLASS[code.slice(0, 2)] : undefined) ??
    (isMissingSocket(error) ? NOT_THERE : undefined) ??
    PROBLEMS_BY_MESSAGE.find(([sign]) => sign.test(error.message))?.[1] ??
    null
  );
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Tests for a missing socket, as opposed to any other missing file. */
function isMissingSocket(error: Error): boolean {
  return errorCode(error) === "ENOENT" && "syscall" in error && error.syscall === "connect";
}
