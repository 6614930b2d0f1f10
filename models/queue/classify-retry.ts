import { ModelError } from "../../state/model.ts";
import {
  CUT,
  diagnose,
  findStatus,
  isCertificateFailure,
  isDiscarded,
  isUnreadable,
  readErrorFacts,
  type ErrorFacts,
} from "../failures/diagnose.ts";
import type { Retry } from "./endpoint-queue.ts";

/** No answer came for minutes: the next call would take as long. */
const SILENCE = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/**
 * Judges by its error whether a call may be made again (models.md §1, `retriesPerCall`).
 *
 * 429 is a rate limit, and so is a 503 that names a time; 408, 409, the other 5xx, what the
 * model wrote and the endpoint discarded, connections that fail or break, and answers that cannot be read are tried again. Nothing else is: no credit (402,
 * `insufficient_quota`), a prompt that is too long, a stopped call, one that took too long, a
 * certificate. A `ModelError` is judged by its cause.
 */
export function classifyRetry(error: unknown): Retry {
  if (error instanceof ModelError) return classifyRetry(error.cause);
  const facts = readErrorFacts(error);
  const { code } = diagnose(facts);
  if (code === "model_aborted" || code === "model_no_credit" || code === "model_context_too_long") {
    return { kind: "no" };
  }
  const { retryAfter } = facts;
  const status = findStatus(facts);
  if (status === 429 || (status === 503 && retryAfter !== null)) {
    return { kind: "rate-limit", seconds: retryAfter };
  }
  const passes =
    status === null
      ? isUnreadable(facts) || isConnectionFailure(facts)
      : status === 408 || status === 409 || status >= 500 || isDiscarded(facts);
  return { kind: passes ? "retry" : "no" };
}

function isConnectionFailure(facts: ErrorFacts): boolean {
  if (isCertificateFailure(facts) || SILENCE.has(facts.connection ?? "")) return false;
  const diagnosis = diagnose(facts);
  return diagnosis === CUT || diagnosis.code === "model_unreachable";
}
