import { v5 } from "@langchain/core/utils/uuid";
import type { ServerParts } from "../parts.ts";

/** Chosen once: what is named in it is a user's key. */
const KEYED_THREADS = "52acac44-079a-4366-819d-cdebbdca1364";

/**
 * The id of a thread for a message that was sent into none: a new one, or with an idempotency key
 * always the same, so that the message is found there when it is sent again.
 */
export function ownThreadId(
  parts: Pick<ServerParts, "newId">,
  { userId, idempotencyKey }: { readonly userId: string; readonly idempotencyKey: string | null },
): string {
  if (idempotencyKey === null) return parts.newId();
  return v5(JSON.stringify([userId, idempotencyKey]), KEYED_THREADS);
}
