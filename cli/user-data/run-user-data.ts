import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { eraseUserData } from "../../storage/erase-user.ts";
import { exportUserData } from "../../storage/export-user.ts";
import { withStorage } from "../open-stored.ts";
import type { Storage } from "../open-storage.ts";
import type { UserDataWish } from "./arguments.ts";

/**
 * Prints or erases a user's data and returns the exit code.
 *
 * @throws UsageError for bad settings; Error in a sentence when the database or standard output
 * cannot be used.
 */
export async function runUserData(wish: UserDataWish): Promise<number> {
  return withStorage((storage) =>
    wish.kind === "export" ? print(storage, wish.userId) : erase(storage, wish.userId),
  );
}

async function print({ database, checkpointer }: Storage, userId: string): Promise<number> {
  const lines = exportUserData({ pool: database.pool, checkpointer }, userId);
  try {
    await pipeline(Readable.from(withLineEnds(lines)), process.stdout, { end: false });
    return 0;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
    // Whoever reads has gone, as `head` does; what they have has no end line.
    return 0;
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

async function erase({ database }: Storage, userId: string): Promise<number> {
  const erasure = await eraseUserData(database.pool, userId);
  switch (erasure) {
    case "erased":
      process.stderr.write(`Nothing is kept of user "${userId}" any more\n`);
      return 0;
    case "busy":
      process.stderr.write(
        `Cannot erase the data of user "${userId}": a run of theirs is under way, and nothing was erased; cancel it or wait for its end\n`,
      );
      return 1;
    default:
      return erasure satisfies never;
  }
}
