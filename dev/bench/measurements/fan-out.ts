import { openBenchAssistant, type BenchAssistant, type TimedEvent } from "../bench-assistant.ts";
import type { TurnEvent } from "../../../driver/events.ts";
import { createCheckpointer } from "../../../storage/checkpoints/checkpointer.ts";
import { median } from "../figures.ts";
import type { BenchDatabase, Measurement, Row } from "../measurement.ts";
import { ROOM_FOR_ALL, steadyExperts } from "../steady-experts.ts";

/**
 * What it costs to ask many experts at once, against the slowest of them, and how soon after the
 * plan's last word the experts are asked about its first step.
 *
 * Experts answer a fixed text after a fixed time and compute nothing, so that what is above the
 * slowest is the graph's: sending the tasks, their checkpoint, the barrier. The first batch of a
 * journey counts from its opening to the mapper's start; a journey to a plan is five messages, the
 * last of which is answered with the plan and then has its step looked at.
 */
export const fanOut: Measurement = {
  name: "fan-out",
  about: "What 1, 8 and 32 experts take against the slowest, and how soon after a plan they start",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    try {
      const batches: Row[] = [];
      for (const count of [1, 8, 32]) {
        progress(`${count} experts`);
        batches.push(await measureBatches(database, { count, times: quick ? 3 : 15 }));
      }
      const plans: Row[] = [];
      for (const count of [4, 32]) {
        progress(`a plan, ${count} experts`);
        plans.push(await measurePlans(database, { count, times: quick ? 2 : 9 }));
      }
      return [
        {
          title: `Experts who each answer after ${LATENCY_MS} ms`,
          columns: ["experts", "batch, ms", "slowest, ms", "above it, ms", "per expert, ms"],
          rows: batches,
          notes: ["medians; from the batch's opening to the start of the mapper"],
        },
        {
          title: "From the plan's last word to the experts who are asked about its first step",
          columns: ["experts", "last word, ms", "end of reply, ms", "last expert started, ms"],
          rows: plans,
          notes: [
            "medians; to the first expert's start, and from the last word to the last one's",
            "between them the reply is checked, stored and announced, and the batch is opened",
          ],
        },
      ];
    } finally {
      await database.close();
    }
  },
};

const LATENCY_MS = 200;

const JOURNEY = [
  "we keep ordering takeout on weeknights and it is costing us a fortune, what should we do?",
  "we both get home after seven and nobody wants to cook. budget is $1,500 a month and it has to work by the end of january",
  "I think sunday prep could work, but my partner hates leftovers",
  "hm, maybe. what would that look like?",
  "ok let's do it. give me a plan, I want to start this sunday",
] as const;

async function openJourney(
  database: BenchDatabase,
  { count, latencyMs }: { readonly count: number; readonly latencyMs: number },
): Promise<{ readonly assistant: BenchAssistant; readonly slowest: () => number }> {
  const { experts, slowest } = steadyExperts(count, latencyMs);
  const checkpointer = createCheckpointer(database.pool);
  const limits = ROOM_FOR_ALL;
  return {
    assistant: await openBenchAssistant({ database, checkpointer, experts, limits }),
    slowest,
  };
}

async function measureBatches(
  database: BenchDatabase,
  { count, times }: { readonly count: number; readonly times: number },
): Promise<Row> {
  const batches: number[] = [];
  const slowests: number[] = [];
  // One more before is not counted.
  for (let time = -1; time < times; time += 1) {
    const { assistant, slowest } = await openJourney(database, { count, latencyMs: LATENCY_MS });
    const events = await assistant.send(JOURNEY[0]);
    const longest = slowest();
    if (time < 0) continue;
    const opened = firstOf(
      events,
      (event) => event.type === "node-end" && event.node === "convene",
    );
    const over = firstOf(events, (event) => event.type === "node-start" && event.node === "mapper");
    batches.push(over - opened);
    slowests.push(longest);
  }
  const above = median(batches.map((ms, time) => ms - (slowests[time] ?? 0)));
  return [count, median(batches), median(slowests), above, above / count];
}

async function measurePlans(
  database: BenchDatabase,
  { count, times }: { readonly count: number; readonly times: number },
): Promise<Row> {
  const fromWord: number[] = [];
  const fromReply: number[] = [];
  const toLast: number[] = [];
  for (let time = -1; time < times; time += 1) {
    const { assistant } = await openJourney(database, { count, latencyMs: 20 });
    let events: readonly TimedEvent[] = [];
    for (const text of JOURNEY) events = await assistant.send(text);
    if (time < 0) continue;
    const first = firstOf(events, isStepHelp);
    const before = events.filter(({ at }) => at <= first);
    const word = lastOf(before, ({ type }) => type === "text-delta");
    fromWord.push(first - word);
    fromReply.push(first - lastOf(before, ({ type }) => type === "reply"));
    toLast.push(lastOf(events, isStepHelp) - word);
  }
  return [count, median(fromWord), median(fromReply), median(toLast)];
}

function isStepHelp(event: TurnEvent): boolean {
  return event.type === "expert-start" && event.purpose === "step-help";
}

function firstOf(events: readonly TimedEvent[], matches: (event: TurnEvent) => boolean): number {
  return timeOf(events.find(({ event }) => matches(event)));
}

function lastOf(events: readonly TimedEvent[], matches: (event: TurnEvent) => boolean): number {
  return timeOf(events.findLast(({ event }) => matches(event)));
}

function timeOf(found: TimedEvent | undefined): number {
  if (found === undefined)
    throw new Error("Cannot time a turn: it lacks an event that is expected");
  return found.at;
}
