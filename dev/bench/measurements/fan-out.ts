import type { TurnEvent } from "../../../state/event.ts";
import { JOURNEY, openBenchConversation } from "../conversation.ts";
import { median } from "../figures.ts";
import type { BenchDatabase, Measurement, Row } from "../measurement.ts";
import { steadyExperts } from "../steady-experts.ts";

/**
 * Time of a batch of experts against the slowest of them, and from the plan's last word to the
 * experts who are asked about its first step. Experts answer a fixed text after a fixed time and
 * compute nothing: what is above the slowest is the graph's.
 */
export const fanOut: Measurement = {
  name: "fan-out",
  about: "Time of 1, 8 and 32 experts above the slowest, and how soon after a plan they start",
  async run({ quick, openDatabase, progress }) {
    const database = await openDatabase();
    try {
      const batches: Row[] = [];
      for (const count of [1, 8, 32]) {
        progress(`${count} experts`);
        batches.push(await measureBatches(database, count, quick ? 3 : 15));
      }
      const plans: Row[] = [];
      for (const count of [4, 32]) {
        progress(`a plan, ${count} experts`);
        plans.push(await measurePlans(database, count, quick ? 2 : 9));
      }
      return [
        {
          title: `Experts who each answer after ${LATENCY_MS} ms`,
          columns: ["experts", "batch, ms", "slowest, ms", "above it, ms"],
          rows: batches,
          notes: ["medians; from the batch's opening to the start of the mapper"],
        },
        {
          title: "From the plan's last word to the experts who are asked about its first step",
          columns: ["experts", "first expert, ms", "last expert, ms"],
          rows: plans,
          notes: [
            "medians; between them the reply is checked, stored and announced, and the batch is opened",
          ],
        },
      ];
    } finally {
      await database.close();
    }
  },
};

const LATENCY_MS = 200;
/** Room for 32 experts: the program's own limit asks fewer. */
const ROOM_FOR_ALL = { batchTokens: 400_000 } as const;

async function measureBatches(database: BenchDatabase, count: number, times: number): Promise<Row> {
  const batches: number[] = [];
  const slowests: number[] = [];
  // The first is not counted.
  for (let time = -1; time < times; time += 1) {
    const { experts, slowestMs } = steadyExperts(count, LATENCY_MS);
    const conversation = await openBenchConversation(database, { experts, limits: ROOM_FOR_ALL });
    const events = await conversation.send(JOURNEY[0]);
    const slowest = slowestMs();
    if (time < 0) continue;
    const opened = findTime(
      events.find((event) => event.type === "node-end" && event.node === "convene"),
    );
    const over = findTime(
      events.find((event) => event.type === "node-start" && event.node === "mapper"),
    );
    batches.push(over - opened);
    slowests.push(slowest);
  }
  const above = median(batches.map((ms, time) => ms - (slowests[time] ?? 0)));
  return [count, median(batches), median(slowests), above];
}

async function measurePlans(database: BenchDatabase, count: number, times: number): Promise<Row> {
  const toFirst: number[] = [];
  const toLast: number[] = [];
  for (let time = -1; time < times; time += 1) {
    const { experts } = steadyExperts(count, 20);
    const conversation = await openBenchConversation(database, { experts, limits: ROOM_FOR_ALL });
    let events: readonly TurnEvent[] = [];
    for (const message of JOURNEY) events = await conversation.send(message);
    if (time < 0) continue;
    const first = findTime(events.find(startsStepHelp));
    const word = findTime(
      events.findLast((event) => event.type === "text-delta" && Date.parse(event.time) <= first),
    );
    toFirst.push(first - word);
    toLast.push(findTime(events.findLast(startsStepHelp)) - word);
  }
  return [count, median(toFirst), median(toLast)];
}

function startsStepHelp(event: TurnEvent): boolean {
  return event.type === "expert-start" && event.purpose === "step-help";
}

function findTime(event: TurnEvent | undefined): number {
  if (event !== undefined) return Date.parse(event.time);
  throw new Error("Cannot time a turn: an expected event is missing");
}
