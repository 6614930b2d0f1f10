import { longConversation } from "../../../test/support/long-conversation.ts";
import { openBenchConversation } from "../conversation.ts";
import { mean, ratio } from "../figures.ts";
import { BLOCK_TURNS } from "../long-recording.ts";
import type { Measurement, Row } from "../measurement.ts";
import { countWrittenBytes } from "../written-bytes.ts";

/**
 * Bytes that a turn writes into the checkpoint tables, early and late in a long conversation.
 *
 * Its blocks of twenty turns hold the same messages, each time in another order, and take away what
 * they stored, so that what grows, grows with time alone. Counted by triggers on the tables, before
 * compression and with the keys, pruned or not; nothing of the program's other tables.
 */
export const checkpointBytes: Measurement = {
  name: "checkpoint-bytes",
  about: "Bytes a turn writes into the checkpoint tables, and what a thread takes there",
  async run({ quick, seed, openDatabase, progress }) {
    const blocks = quick ? [1, 3] : [1, 3, 10, 25];
    const messages = longConversation(BLOCK_TURNS * Math.max(...blocks), seed);
    const database = await openDatabase();
    const written = await countWrittenBytes(database.url);
    try {
      const conversation = await openBenchConversation(database);
      const rows: Row[] = [];
      let bytes: number[] = [];
      let early: number | null = null;
      for (const [index, message] of messages.entries()) {
        await written.take();
        await conversation.send(message);
        bytes.push(await written.take());
        const block = (index + 1) / BLOCK_TURNS;
        if (!Number.isInteger(block)) continue;
        if (blocks.includes(block)) {
          const turns = `${index + 2 - BLOCK_TURNS}–${index + 1}`;
          progress(`turns ${turns}`);
          if (block === 3) early = mean(bytes);
          const stored = await written.readStored(conversation.threadId);
          rows.push([
            turns,
            mean(bytes) / 1_000,
            Math.max(...bytes) / 1_000,
            ratio(mean(bytes), early),
            stored / 1_000,
          ]);
        }
        bytes = [];
      }
      return [
        {
          title: "Bytes written into the checkpoint tables by a turn",
          columns: ["turns", "mean, kB", "largest, kB", "of turns 41–60", "thread stored, kB"],
          rows,
          notes: [
            "to hold: under 150 kB a turn, and at most 1.2 × turns 41–60",
            "1 kB is 1,000 bytes; written: before compression; stored: compressed, without indexes",
          ],
        },
      ];
    } finally {
      await written.close();
      await database.close();
    }
  },
};
