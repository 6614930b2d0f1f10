import { setTimeout as delay } from "node:timers/promises";
import { largest, median, quantile, tally } from "../figures.ts";
import type { Asker } from "../load/ask.ts";
import type { ServiceTask } from "../load/service-task.ts";
import type { Layout } from "../load/start-services.ts";
import { withServices } from "../load/with-services.ts";
import { timeRun, type TimedRun } from "../load/time-run.ts";
import { machinePace } from "../machine-pace.ts";
import { processorTime, stolenShare } from "../stolen-time.ts";
import type { BenchContext, Measurement, Row } from "../measurement.ts";

/**
 * Runs over HTTP, each in a thread of its own: so many started every second, whatever becomes of
 * those before, and many at once. The load comes from this process; server, workers and PostgreSQL
 * are others, on the same machine.
 */
export const runsOverHttp: Measurement = {
  name: "runs-over-http",
  about: "Runs over HTTP: 20 started a second, and bursts of 200; one process and two",
  async run(context) {
    const { quick } = context;
    const size = quick ? QUICK : FULL;
    const steady: Row[] = [];
    const bursts: Row[] = [];
    for (const models of ["instant", "simulated"] as const) {
      for (const layout of ["one process", "server and worker"] as const) {
        context.progress(`${layout}, ${models} models`);
        const load = await measure(context, { layout, models, ...size });
        steady.push([layout, models, ...load.steady]);
        bursts.push([layout, models, ...load.burst]);
      }
    }
    return [
      {
        title: `${PER_SECOND} runs started a second, for ${size.seconds} s`,
        columns: ["processes", "models", "runs", "errors", ...WAITS, "CPU each, ms", "stolen, %"],
        rows: steady,
        notes: [
          "first event: from the request to the first event of a node; to hold with instant models: 150 ms at p95, no error",
          "instant: models that answer at once, in a turn of four nodes; simulated: the program's own, which computes its answers in the workers",
          `measured after ${FULL.warmUpSeconds} s of the same load (${QUICK.warmUpSeconds} with --quick): code is compiled and connections are made in them`,
          "stolen: processor time that other machines on the same host had meanwhile; above a few percent the waits are theirs",
          "the meals domain; 16 threads at once in a worker; CPU of server and workers, without PostgreSQL's",
        ],
      },
      {
        title: `${size.burst} runs at once, ${size.bursts} times`,
        columns: [
          "processes",
          "models",
          "errors",
          "drained: median, s",
          "shortest",
          "longest",
          "to hold, s",
          "within it",
          "machine, ms",
          "stolen, %",
        ],
        rows: bursts,
        notes: [
          "drained: from the first request to the end of the last stream",
          "machine: what a fixed piece of work took before each, the median; less is a faster hour of the same machine",
        ],
      },
    ];
  },
};

const PER_SECOND = 20;
const FULL = { seconds: 60, burst: 200, bursts: 5, warmUpSeconds: 15 } as const;
const QUICK = { seconds: 3, burst: 20, bursts: 2, warmUpSeconds: 2 } as const;
const DRAINED_WITHIN_S = 5;
const WAITS = [
  "first event p50, ms",
  "first event p95, ms",
  "worst, ms",
  "end p50, ms",
  "end p95, ms",
] as const;
const MESSAGES = { instant: "is there enough?", simulated: "what's in my fridge?" } as const;

interface Load {
  readonly layout: Layout;
  readonly models: ServiceTask["models"];
  readonly seconds: number;
  readonly burst: number;
  readonly bursts: number;
  readonly warmUpSeconds: number;
}

async function measure(
  { openDatabase, progress }: Pick<BenchContext, "openDatabase" | "progress">,
  { layout, models, seconds, burst, bursts, warmUpSeconds }: Load,
): Promise<{ readonly steady: Row; readonly burst: Row }> {
  const message = MESSAGES[models];
  return withServices({ openDatabase, layout, models }, async (services, asker) => {
    await startEvery(asker, { message, count: PER_SECOND * warmUpSeconds });
    const atFirst = processorTime();
    const before = await services.cpuMs();
    const runs = await startEvery(asker, { message, count: PER_SECOND * seconds });
    const cpuMs = ((await services.cpuMs()) - before) / runs.length;
    const afterRuns = processorTime();
    const crowds: Crowd[] = [];
    while (crowds.length < bursts) crowds.push(await startAtOnce(asker, { message, burst }));
    const atOnce = crowds.flatMap(({ runs }) => runs);
    for (const [error, count] of tally([...runs, ...atOnce].flatMap(({ error }) => error ?? []))) {
      progress(`${count} runs failed: ${error}`);
    }
    const toHold = models === "instant" ? DRAINED_WITHIN_S : null;
    return {
      steady: [
        runs.length,
        errorsIn(runs),
        ...waitsIn(runs),
        cpuMs,
        stolenShare(atFirst, afterRuns),
      ],
      burst: [
        errorsIn(atOnce),
        ...drainsOf(crowds, toHold),
        median(crowds.map(({ machineMs }) => machineMs)),
        stolenShare(afterRuns, processorTime()),
      ],
    };
  });
}

/** Runs that were started at once. */
interface Crowd {
  readonly runs: readonly TimedRun[];
  readonly drainedS: number;
  readonly machineMs: number;
}

async function startAtOnce(
  asker: Asker,
  { message, burst }: { readonly message: string; readonly burst: number },
): Promise<Crowd> {
  const machineMs = machinePace();
  const began = performance.now();
  const runs = await Promise.all(Array.from({ length: burst }, () => timeRun(asker, message)));
  return { runs, drainedS: (performance.now() - began) / 1_000, machineMs };
}

function drainsOf(crowds: readonly Crowd[], toHold: number | null): Row {
  const drains = crowds.map(({ drainedS }) => drainedS).toSorted((a, b) => a - b);
  const within = toHold === null ? null : drains.filter((drained) => drained <= toHold).length;
  return [median(drains), drains[0] ?? null, drains.at(-1) ?? null, toHold, within];
}

/** Starts runs at an even pace and waits for all of them. */
async function startEvery(
  asker: Asker,
  { message, count }: { readonly message: string; readonly count: number },
): Promise<readonly TimedRun[]> {
  const began = performance.now();
  const runs: Promise<TimedRun>[] = [];
  for (let number = 0; number < count; number += 1) {
    // By the clock, not by the last one: a start that came late makes no other late.
    await delay(Math.max(0, began + (number * 1_000) / PER_SECOND - performance.now()));
    runs.push(timeRun(asker, message));
  }
  return Promise.all(runs);
}

function errorsIn(runs: readonly TimedRun[]): number {
  return runs.filter(({ error }) => error !== null).length;
}

function waitsIn(runs: readonly TimedRun[]): Row {
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
