import { v5 } from "@langchain/core/utils/uuid";
import type { ServerParts } from "../parts.ts";

/** UUID namespace of the thread ids that are derived from a user and a key. */
const KEYED_THREADS = "52acac44-079a-4366-819d-cdebbdca1364";

/**
 * Returns the id of the thread for a message that names none: a new id or, with an idempotency key,
 * always the same one, so that a message that is sent again is found there.
 */
export function ownThreadId(
  parts: Pick<ServerParts, "newId">,
  userId: string,
  idempotencyKey: string | null,
): string {
  if (idempotencyKey === null) return parts.newId();
  return v5(JSON.stringify([userId, idempotencyKey]), KEYED_THREADS);
}
