import { findThread, type ThreadRecord } from "../../storage/conversations/thread-records.ts";
import { readingAs } from "../../storage/users/user-data.ts";
import type { Caller, ServerParts } from "../parts.ts";
import { Problem } from "../problems.ts";

/** Creates the problem for a thread that does not exist or belongs to another user: the two look the same. */
export function threadNotFound(threadId: string): Problem {
  return new Problem("thread_not_found", {
    detail: `Cannot find thread "${threadId.slice(0, 80)}": you have no thread with that id`,
  });
}

/** Creates the problem for a thread that is in use. */
export function threadBusy(threadId: string, action: string): Problem {
  return new Problem("thread_busy", {
    detail: `Cannot ${action} thread "${threadId.slice(0, 80)}": a run or a change is in progress; wait for it, or cancel it first`,
  });
}

/** Returns the entry of a transaction that may create a thread of the caller's. */
export function toUserEntry({ keyId }: Pick<Caller, "keyId">): { readonly keyId: string | null } {
  return { keyId: keyId ?? null };
}

/** Finds a thread of the caller's. @throws Problem `thread_not_found`, for another's as well; DatabaseUnavailableError. */
export async function getThread(
  parts: Pick<ServerParts, "pool">,
  caller: Pick<Caller, "userId">,
  threadId: string,
): Promise<ThreadRecord> {
  const thread = await findThread(readingAs(parts.pool, caller.userId), threadId);
  if (thread === null) throw threadNotFound(threadId);
  return thread;
}
