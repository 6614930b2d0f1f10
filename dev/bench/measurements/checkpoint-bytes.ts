import { longConversation } from "../../../test/support/long-conversation.ts";
import { batchTable, type CheckpointBench } from "../batch-bytes.ts";
import { openBenchAssistant } from "../bench-assistant.ts";
import { channelsTable } from "../channels-table.ts";
import { BLOCK_TURNS } from "../conversation/block.ts";
import { kB, largest, sum } from "../figures.ts";
import type { Measurement, ResultTable } from "../measurement.ts";
import { createMessagesAgent, type SpokenTurn } from "../messages-agent.ts";
import { replyOf } from "../reply-of.ts";
import { openSavers, type Savers } from "../savers.ts";
import {
  countWrittenBytes,
  sumBytes,
  type WrittenBytes,
  type WrittenPart,
} from "../written-bytes.ts";

/**
 * Bytes that a turn writes into the checkpoint tables, early and late in a long conversation.
 *
 * The conversation says the same twenty messages again and again, each time in another order and
 * taking away what it stored: its blocks of twenty turns hold turns of the same kinds, so what
 * grows, grows with time alone. Counted by triggers on the tables (every row inserted or replaced,
 * before compression, keys included), which sees what any checkpointer writes, pruned or not, and
 * nothing of the program's other tables, as the write-ahead log would.
 *
 * Beside it the same conversation in a plain agent that keeps all messages in its state, on the
 * stock saver.
 */
export const checkpointBytes: Measurement = {
  name: "checkpoint-bytes",
  about: "Bytes a turn writes into the checkpoint tables, and what a thread takes there",
  async run({ quick, seed, openDatabase, progress }) {
    const database = await openDatabase();
    const savers = await openSavers(database.url);
    const written = await countWrittenBytes(database.url);
    try {
      const blocks = quick ? [1, 3] : [1, 3, 5, 25];
      const played = await playBlocks(
        { database, savers, written },
        { blocks, messages: longConversation(BLOCK_TURNS * Math.max(...blocks), seed), progress },
      );
      progress("plain agent");
      const plain = await playPlainAgent(savers, { written, blocks, turns: played.spoken });
      progress("batches");
      const last = played.blocks.at(-1);
      return [
        turnsTable(played.blocks, plain),
        ...(last === undefined ? [] : [channelsTable(rangeOf(last), last.turns)]),
        await batchTable({ database, savers, written }),
      ];
    } finally {
      await written.close();
      await savers.close();
      await database.close();
    }
  },
};

/** What is to be held of a turn's bytes: how many, and how much more than in turns 41 to 60. */
const MOST_BYTES = 150_000;
const MOST_GROWTH = 1.2;

interface PlayedTurn {
  readonly message: string;
  readonly parts: readonly WrittenPart[];
}

/** Twenty turns, and what the thread takes after them. */
interface PlayedBlock {
  readonly block: number;
  readonly turns: readonly PlayedTurn[];
  readonly stored: number;
  readonly storedUnpruned: number;
}

/** Holds the conversation in two threads, one of which is never pruned. */
async function playBlocks(
  { database, savers, written }: CheckpointBench,
  {
    blocks,
    messages,
    progress,
  }: {
    readonly blocks: readonly number[];
    readonly messages: readonly string[];
    readonly progress: (text: string) => void;
  },
): Promise<{ readonly blocks: readonly PlayedBlock[]; readonly spoken: readonly SpokenTurn[] }> {
  const checkpointer = savers.ours;
  const pruned = await openBenchAssistant({ database, checkpointer });
  const unpruned = await openBenchAssistant({ database, checkpointer, prunes: false });
  const spoken: SpokenTurn[] = [];
  const played: PlayedBlock[] = [];
  let turns: PlayedTurn[] = [];
  for (const [index, message] of messages.entries()) {
    await unpruned.send(message);
    await written.take();
    const reply = replyOf((await pruned.send(message)).map(({ event }) => event));
    spoken.push({ message, reply });
    turns.push({ message, parts: await written.take() });
    if (turns.length < BLOCK_TURNS) continue;
    const block = (index + 1) / BLOCK_TURNS;
    if (blocks.includes(block)) {
      progress(`turn ${index + 1}`);
      played.push({
        block,
        turns,
        stored: await written.storedBytes("concierge", pruned.threadId),
        storedUnpruned: await written.storedBytes("concierge", unpruned.threadId),
      });
    }
    turns = [];
  }
  return { blocks: played, spoken };
}

/** Bytes a turn of the plain agent writes on average, by block. */
async function playPlainAgent(
  savers: Savers,
  {
    written,
    blocks,
    turns,
  }: {
    readonly written: WrittenBytes;
    readonly blocks: readonly number[];
    readonly turns: readonly SpokenTurn[];
  },
): Promise<ReadonlyMap<number, number>> {
  const means = new Map<number, number>();
  for (const block of blocks) {
    const from = (block - 1) * BLOCK_TURNS;
    const agent = createMessagesAgent(savers.stock);
    await agent.fill(turns.slice(0, from));
    await written.take();
    for (const turn of turns.slice(from, from + BLOCK_TURNS)) await agent.play(turn);
    means.set(block, sumBytes(await written.take()) / BLOCK_TURNS);
  }
  return means;
}

/** The kinds of turns that every block has, by what is said. */
const KINDS: readonly { readonly name: string; readonly said: RegExp }[] = [
  { name: "a read", said: /^what's in my/ },
  { name: "a write", said: /^add \d/ },
  { name: "a draft", said: /^draft/ },
];

function turnsTable(
  blocks: readonly PlayedBlock[],
  plain: ReadonlyMap<number, number>,
): ResultTable {
  const early = blocks.find(({ block }) => block === 3);
  const meanOf = ({ turns }: PlayedBlock, said: RegExp): number =>
    meanBytes(turns.filter(({ message }) => said.test(message)));
  return {
    title: "Bytes written into the checkpoint tables by a turn",
    columns: [
      "turns",
      "mean, kB",
      ...KINDS.map(({ name }) => `${name}, kB`),
      "largest, kB",
      "of turns 41–60",
      "plain agent, kB",
      "thread stored, kB",
      "unpruned, kB",
    ],
    rows: blocks.map((played) => [
      rangeOf(played),
      kB(meanBytes(played.turns)),
      ...KINDS.map(({ said }) => kB(meanOf(played, said))),
      kB(largest(played.turns.map(({ parts }) => sumBytes(parts))) ?? 0),
      early === undefined ? null : meanBytes(played.turns) / meanBytes(early.turns),
      kB(plain.get(played.block) ?? 0),
      kB(played.stored),
      kB(played.storedUnpruned),
    ]),
    notes: [
      `to hold: under ${MOST_BYTES / 1_000} kB a turn, and at most ${MOST_GROWTH} × turns 41–60; of the stored size too`,
      "1 kB is 1,000 bytes; written: before compression; stored: compressed, as it lies in the tables, without indexes",
      "the plain agent's tool results are taken to be as long as its replies; its thread is never pruned",
    ],
  };
}

function meanBytes(turns: readonly PlayedTurn[]): number {
  return sum(turns.map(({ parts }) => sumBytes(parts))) / turns.length;
}

function rangeOf({ block }: PlayedBlock): string {
  return `${(block - 1) * BLOCK_TURNS + 1}–${block * BLOCK_TURNS}`;
}
