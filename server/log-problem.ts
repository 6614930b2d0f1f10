import type { ServerLog } from "./parts.ts";
import type { Problem } from "./problems.ts";

/** Notes what an operator has to know of a request that was answered with a problem. */
export type LogProblem = (problem: Problem, requestId: string) => void;

/** Interval between two log lines about a trouble that affects all requests, in milliseconds. */
const SAME_TROUBLE_MS = 5_000;

/**
 * Makes the note: an unexpected error with its stack, and what the database or the issuer of tokens
 * lacks, in a sentence and not for every request. What clients do wrong is theirs to know.
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
