import type { ServerLog } from "./parts.ts";
import type { Problem } from "./problems.ts";

/** Logs what an operator must know about a request that was answered with a problem. */
export type LogProblem = (problem: Problem, requestId: string) => void;

/** Interval between two log lines about a fault that affects all requests, in milliseconds. Not a setting: it only keeps the log readable. */
const SAME_TROUBLE_MS = 5_000;

/**
 * Creates the logger: an unexpected error with its stack; a fault of the database or the tokens'
 * issuer in one sentence, not for every request. Mistakes of clients are not logged.
 */
export function createProblemLog(
  log: Pick<ServerLog, "warn" | "error">,
  now: () => number = () => performance.now(),
): LogProblem {
  const loggedAt = new Map<string, number>();
  const warnOnce = (line: string): void => {
    const at = now();
    if (at - (loggedAt.get(line) ?? Number.NEGATIVE_INFINITY) < SAME_TROUBLE_MS) return;
    loggedAt.set(line, at);
    log.warn(line);
  };
  return ({ code, cause, message }, requestId) => {
    if (code === "internal") log.error(cause, `Request ${requestId} failed unexpectedly`);
    if (code === "keys_unavailable") {
      warnOnce(
        `Tokens cannot be checked: the keys of their issuer cannot be read${describeCause(cause)}`,
      );
    }
    if (code === "database_unavailable") {
      const reason = cause instanceof Error ? cause.message : message;
      warnOnce(`Requests are refused: ${reason}`);
    }
  };
}

/** Returns the reason of a failed attempt: `fetch` hides it in the error's cause. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const reason = error.cause instanceof Error ? error.cause.message : "";
  return ` (${reason === "" ? error.message : reason})`;
}
