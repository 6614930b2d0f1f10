import { openBenchAssistant } from "./bench-assistant.ts";
import { kB } from "./figures.ts";
import type { BenchDatabase, ResultTable, Row } from "./measurement.ts";
import type { Savers } from "./savers.ts";
import { ROOM_FOR_ALL, steadyExperts } from "./steady-experts.ts";
import { sumBytes, type WrittenBytes } from "./written-bytes.ts";

/** A database, the checkpointers on it, and what counts their bytes. */
export interface CheckpointBench {
  readonly database: BenchDatabase;
  readonly savers: Savers;
  readonly written: WrittenBytes;
}

const OPENING =
  "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?";

/** What a batch's tasks cost: each carries its text, and is stored as a write and as a value. */
export async function batchTable({
  database,
  savers,
  written,
}: CheckpointBench): Promise<ResultTable> {
  const rows: Row[] = [];
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
