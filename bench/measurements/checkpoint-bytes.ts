import { longConversation } from "../../test/support/long-conversation.ts";
import { openBenchAssistant } from "../bench-assistant.ts";
import { largest } from "../figures.ts";
import type { BenchDatabase, Measurement, ResultTable } from "../measurement.ts";
import { createMessagesAgent, type SpokenTurn } from "../messages-agent.ts";
import { replyOf } from "../reply-of.ts";
import { openSavers, type Savers } from "../savers.ts";
import { ROOM_FOR_ALL, steadyExperts } from "../steady-experts.ts";
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
        { blocks, messages: longConversation(20 * Math.max(...blocks), seed), progress },
      );
      progress("plain agent");
      const plain = await playPlainAgent(savers, { written, blocks, turns: played.spoken });
      progress("batches");
      return [
        turnsTable(played.blocks, plain),
        channelsTable(played.blocks),
        await batchTable({ database, savers, written }),
      ];
    } finally {
      await written.close();
      await savers.close();
      await database.close();
    }
  },
};

const BLOCK = 20;
/** What is to be held of a turn's bytes: how many, and how much more than in turns 41 to 60. */
const MOST_BYTES = 150_000;
const MOST_GROWTH = 1.2;

interface Bench {
  readonly database: BenchDatabase;
  readonly savers: Savers;
  readonly written: WrittenBytes;
}

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
  { database, savers, written }: Bench,
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
    if (turns.length < BLOCK) continue;
    const block = (index + 1) / BLOCK;
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
    const from = (block - 1) * BLOCK;
    const agent = createMessagesAgent(savers.stock);
    await agent.fill(turns.slice(0, from));
    await written.take();
    for (const turn of turns.slice(from, from + BLOCK)) await agent.play(turn);
    means.set(block, sumBytes(await written.take()) / BLOCK);
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
    mean(turns.filter(({ message }) => said.test(message)));
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
      kB(mean(played.turns)),
      ...KINDS.map(({ said }) => kB(meanOf(played, said))),
      kB(largest(played.turns.map(({ parts }) => sumBytes(parts))) ?? 0),
      early === undefined ? null : mean(played.turns) / mean(early.turns),
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

function mean(turns: readonly PlayedTurn[]): number {
  return turns.reduce((sum, { parts }) => sum + sumBytes(parts), 0) / turns.length;
}

function rangeOf({ block }: PlayedBlock): string {
  return `${(block - 1) * BLOCK + 1}–${block * BLOCK}`;
}

function kB(bytes: number): number {
  return bytes / 1_000;
}

const MOST_CHANNELS = 12;

/** Where the bytes of the last block are. */
function channelsTable(blocks: readonly PlayedBlock[]): ResultTable {
  const last = blocks.at(-1);
  const parts = last?.turns.flatMap((turn) => turn.parts) ?? [];
  const all = sumBytes(parts);
  const sums = new Map<string, number>();
  for (const { table, channel, bytes } of parts) {
    const name = channel === null ? table : `${table}: ${channel}`;
    sums.set(name, (sums.get(name) ?? 0) + bytes);
  }
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, MOST_CHANNELS);
  return {
    title: `Where the bytes of turns ${last === undefined ? "" : rangeOf(last)} go`,
    columns: ["table: channel", "kB a turn", "share, %"],
    rows: sorted.map(([name, bytes]) => [name, kB(bytes) / BLOCK, (100 * bytes) / all]),
    notes: [],
  };
}

const OPENING =
  "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?";

/** What a batch's tasks cost: each carries its text, and is stored as a write and as a value. */
async function batchTable({ database, savers, written }: Bench): Promise<ResultTable> {
  const rows: ResultTable["rows"][number][] = [];
  for (const count of [1, 4, 8, 32]) {
    const { experts } = steadyExperts(count, 0);
    const checkpointer = savers.ours;
    const limits = ROOM_FOR_ALL;
    const assistant = await openBenchAssistant({ database, checkpointer, experts, limits });
    await written.take();
    await assistant.send(OPENING);
    const parts = await written.take();
    const tasks = parts.filter(({ channel }) => channel === "__pregel_tasks");
    const asWrites = sumBytes(tasks.filter(({ table }) => table === "checkpoint_writes"));
    const asValues = sumBytes(tasks.filter(({ table }) => table === "checkpoint_blobs"));
    const each = (asWrites + asValues) / count;
    rows.push([count, kB(sumBytes(parts)), kB(asWrites), kB(asValues), kB(each)]);
  }
  return {
    title: "Bytes written by the first turn of a journey, with its batch",
    columns: ["experts", "turn, kB", "tasks as writes, kB", "tasks as values, kB", "a task, kB"],
    rows,
    notes: [
      "an expert's task carries the batch's prompt and the expert's own thread (decision 0017)",
    ],
  };
}
