import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { openBenchAssistant } from "./bench-assistant.ts";
import type { BenchDatabase } from "./measurement.ts";
import { createSmallGraph, runSmallGraph } from "./small-graph.ts";

/** Runs the small graph `runs` times in all, as many at once as there are threads. */
export async function runInParallel(
  saver: BaseCheckpointSaver,
  { threads, runs }: { readonly threads: number; readonly runs: number },
): Promise<void> {
  const graph = createSmallGraph(saver);
  let left = runs;
  const runOn = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await runSmallGraph(graph);
    }
  };
  await Promise.all(Array.from({ length: threads }, runOn));
}

/** Turns that read, write and talk; what they store they take away again. */
const TURNS = [
  "what's in my fridge?",
  "add 3 lemons to my shopping list",
  "clear my shopping list",
  "thanks",
] as const;

/** People who talk at the same time, each in a thread and a kitchen of their own. */
export interface Crowd {
  readonly threads: number;
  /** Each sends so many messages, one after the other, and waits for each turn to end. */
  readonly talk: (messages: number) => Promise<void>;
}

/**
 * Opens the threads. They go round the same four messages, and no two neighbours are at the same
 * one: so every message of a crowd is the same mixture of turns.
 */
export async function openCrowd(
  threads: number,
  options: { readonly database: BenchDatabase; readonly checkpointer: BaseCheckpointSaver },
): Promise<Crowd> {
  const people = await Promise.all(
    Array.from({ length: threads }, () => openBenchAssistant(options)),
  );
  let sent = 0;
  return {
    threads,
    talk: async (messages) => {
      const from = sent;
      sent += messages;
      await Promise.all(
        people.map(async ({ send }, person) => {
          for (let message = from; message < from + messages; message += 1) {
            await send(TURNS[(person + message) % TURNS.length] ?? TURNS[0]);
          }
        }),
      );
    },
  };
}
