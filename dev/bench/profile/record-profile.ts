import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";

/** Fine enough for functions that take a few hundred microseconds of a run. */
const SAMPLING_MICROSECONDS = 500;

/** Records where this process's main thread is while some work runs, as V8's sampling profiler sees it. */
export async function recordProfile(work: () => Promise<unknown>): Promise<Profiler.Profile> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: SAMPLING_MICROSECONDS });
    await session.post("Profiler.start");
    await work();
    const { profile } = await session.post("Profiler.stop");
    return profile;
  } finally {
    session.disconnect();
  }
}
