import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { eraseUserData } from "../../storage/users/erase-user.ts";
import { exportUserData } from "../../storage/users/export-user.ts";
import { withStorage } from "../../app/open-stored.ts";
import type { Storage } from "../../app/open-storage.ts";
import type { UserDataRequest } from "./arguments.ts";

/**
 * Prints or erases a user's data and returns the exit code.
 *
 * @throws UsageError for bad settings; Error in a sentence when the database or standard output
 * cannot be used.
 */
export async function runUserData({ action, values }: UserDataRequest): Promise<number> {
  return withStorage("user-data", (storage) =>
    action === "export" ? print(storage, values.userId) : erase(storage, values.userId),
  );
}

async function print({ database, checkpointer }: Storage, userId: string): Promise<number> {
  const lines = exportUserData({ pool: database.pool, checkpointer }, userId);
  try {
    await pipeline(Readable.from(withLineEnds(lines)), process.stdout, { end: false });
    return 0;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
    // The reader has gone, as `head` does; its copy has no end line.
    return 0;
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function erase(storage: Storage, userId: string): Promise<number> {
  const wasKnown = await isKnown(storage, userId);
  const erasure = await eraseUserData(storage.database.admin, userId);
  switch (erasure) {
    case "erased":
      process.stderr.write(
        wasKnown
          ? `Erased everything that was stored about user "${userId}"\n`
          : `Nothing was stored about user "${userId}": check the id, unless it was erased before\n`,
      );
      return 0;
    case "busy":
      process.stderr.write(
        `Cannot erase the data of user "${userId}": one of their runs is active, and nothing was erased; cancel the run or wait for its end\n`,
      );
      return 1;
    default:
      return erasure satisfies never;
  }
}

const LineSchema = z.object({ kind: z.string() });

/** Returns true if anything is stored about a user: a mistyped id must not look like an erased user. */
async function isKnown({ database, checkpointer }: Storage, userId: string): Promise<boolean> {
  for await (const line of exportUserData({ pool: database.pool, checkpointer }, userId)) {
    const { kind } = LineSchema.parse(JSON.parse(line));
    if (kind !== "user" && kind !== "end") return true;
  }
  return false;
}
