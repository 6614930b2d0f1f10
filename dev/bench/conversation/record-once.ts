import { longConversation } from "../../../test/support/long-conversation.ts";
import type { BenchContext } from "../measurement.ts";
import { recordConversation, type RecordedTurn } from "./record-conversation.ts";

/**
 * Makes the long conversation of a run: held and recorded when it is first asked for, in a database
 * of its own, and kept in memory for whoever asks next. Where it failed, all that ask fail.
 */
export function recordOnce({
  quick,
  seed,
  openDatabase,
}: Pick<BenchContext, "quick" | "seed" | "openDatabase">): BenchContext["longConversation"] {
  let recorded: Promise<readonly RecordedTurn[]> | null = null;
  const record = async (progress: BenchContext["progress"]): Promise<readonly RecordedTurn[]> => {
    const database = await openDatabase();
    try {
      const messages = longConversation(quick ? 40 : 200, seed);
      return (await recordConversation(database, { messages, progress })).turns;
    } finally {
      await database.close();
    }
  };
  return (progress) => (recorded ??= record(progress));
}
