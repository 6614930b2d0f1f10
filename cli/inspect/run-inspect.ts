import { tryClaim } from "../../storage/conversations/threads.ts";
import { asUser } from "../../storage/users/user-data.ts";
import { countTokens } from "../../models/tokens.ts";
import { withStorage } from "../../app/open-stored.ts";
import type { Storage } from "../../app/open-storage.ts";
import { readThread } from "../thread-state.ts";
import { UsageError } from "../../app/usage-error.ts";
import type { InspectOptions } from "./arguments.ts";
import { isThreadId } from "../thread-id.ts";
import { describeThread } from "./describe-thread.ts";

/**
 * Prints the stored state of a thread as one JSON document and returns the exit code. Changes nothing.
 *
 * @throws UsageError for bad settings and for a thread that the user does not have.
 */
export async function runInspect(options: InspectOptions): Promise<number> {
  return withStorage("inspect", async (storage) => {
    const report = await readThread(storage, options);
    if (report === null) {
      await refuseEmpty(storage, options);
      throw new UsageError(
        `Cannot inspect thread "${options.threadId}": user "${options.userId}" has no such thread; /threads in the chat lists them`,
      );
    }
    const described = describeThread(report, countTokens);
    process.stdout.write(`${JSON.stringify(described, null, 2)}\n`);
    return 0;
  });
}

/** Rejects the id of a conversation without messages. @throws UsageError for one of those. */
async function refuseEmpty(
  { database }: Storage,
  { threadId, userId }: InspectOptions,
): Promise<void> {
  if (!isThreadId(threadId)) return;
  const claim = await asUser(database.pool, { userId }, (tx) => tryClaim(tx, threadId));
  if (claim !== "created") return;
  throw new UsageError(
    `Cannot inspect thread "${threadId}": it has no messages yet; npm run chat -- --thread ${threadId} starts it`,
  );
}
