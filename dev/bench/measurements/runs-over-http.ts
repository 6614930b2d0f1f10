import { setTimeout as delay } from "node:timers/promises";
import { largest, median, quantile } from "../figures.ts";
import { timeRun, type LoadClient, type TimedRun } from "../load/client.ts";
import { withServices } from "../load/start-services.ts";
import { timed } from "../paired.ts";
import type { BenchContext, Measurement, Row } from "../measurement.ts";

/**
 * Runs over HTTP, each in a thread of its own, with models that answer at once: started at an even
 * pace, whatever becomes of those before, and many at once. The load comes from this process; server,
 * workers and PostgreSQL are others, on the same machine.
 */
export const runsOverHttp: Measurement = {
  name: "runs-over-http",
  about: "Runs over HTTP: 20 started a second, and bursts of 200; one process and two",
  async run(context) {
    const size = context.quick ? QUICK : FULL;
    const steady: Row[] = [];
    const bursts: Row[] = [];
    for (const [name, roles] of LAYOUTS) {
      context.progress(name);
      await withServices(roles, context, async ({ client, readCpuMs }) => {
        await startEvery(client, PER_SECOND * size.warmUpSeconds);
        const before = await readCpuMs();
        const runs = await startEvery(client, PER_SECOND * size.seconds);
        const cpuMs = ((await readCpuMs()) - before) / runs.length;
        steady.push([
          name,
          runs.length,
          countErrors(runs, context),
          ...summarizeWaits(runs),
          cpuMs,
        ]);
        bursts.push([name, ...(await measureBursts(client, size, context))]);
      });
    }
    return [
      {
        title: `${PER_SECOND} runs started a second, for ${size.seconds} s`,
        columns: ["processes", "runs", "errors", ...WAITS, "CPU each, ms"],
        rows: steady,
        notes: [
          "first event: from the request to the first event of a node; to hold: 150 ms at p95, no error",
          `measured after ${size.warmUpSeconds} s of the same load; 16 threads at once in a worker; CPU of server and workers, without PostgreSQL's`,
        ],
      },
      {
        title: `${size.burst} runs at once, ${size.bursts} times`,
        columns: ["processes", "errors", "drained: median, s", "shortest", "longest", "to hold, s"],
        rows: bursts,
        notes: ["drained: from the first request to the end of the last stream"],
      },
    ];
  },
};

const LAYOUTS = [
  ["one process", ["all"]],
  ["server and worker", ["server", "worker"]],
] as const;
const PER_SECOND = 20;
const FULL = { seconds: 60, burst: 200, bursts: 5, warmUpSeconds: 15 };
const QUICK: typeof FULL = { seconds: 3, burst: 20, bursts: 2, warmUpSeconds: 2 };
const DRAINED_WITHIN_S = 5;
const WAITS = [
  "first event p50, ms",
  "first event p95, ms",
  "worst, ms",
  "end p50, ms",
  "end p95, ms",
] as const;
const MESSAGE = "is there enough?";

/** Starts runs at an even pace and waits for all of them. */
async function startEvery(client: LoadClient, count: number): Promise<readonly TimedRun[]> {
  const began = performance.now();
  const runs: Promise<TimedRun>[] = [];
  for (let number = 0; number < count; number += 1) {
    // By the clock, not by the last one: a start that came late makes no other late.
    await delay(Math.max(0, began + (number * 1_000) / PER_SECOND - performance.now()));
    runs.push(timeRun(client, MESSAGE));
  }
  return Promise.all(runs);
}

async function measureBursts(
  client: LoadClient,
  { burst, bursts }: typeof FULL,
  context: BenchContext,
): Promise<Row> {
  const drained: number[] = [];
  const runs: TimedRun[] = [];
  while (drained.length < bursts) {
    const ms = await timed(async () => {
      const all = Array.from({ length: burst }, () => timeRun(client, MESSAGE));
      runs.push(...(await Promise.all(all)));
    });
    drained.push(ms / 1_000);
  }
  const [shortest, longest] = [Math.min(...drained), Math.max(...drained)];
  return [countErrors(runs, context), median(drained), shortest, longest, DRAINED_WITHIN_S];
}

function countErrors(
  runs: readonly TimedRun[],
  { progress }: Pick<BenchContext, "progress">,
): number {
  const errors = runs.flatMap(({ error }) => error ?? []);
  for (const error of new Set(errors)) progress(`a run failed: ${error}`);
  return errors.length;
}

function summarizeWaits(runs: readonly TimedRun[]): Row {
  const first = runs.flatMap(({ firstEventMs }) => firstEventMs ?? []);
  const ends = runs.map(({ endMs }) => endMs);
  return [
    quantile(first, 0.5),
    quantile(first, 0.95),
    largest(first),
    quantile(ends, 0.5),
    quantile(ends, 0.95),
  ];
}
