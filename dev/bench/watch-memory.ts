import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The most memory that this process had while some work ran, in bytes. */
export interface PeakMemory {
  readonly resident: number;
  /** Of the heap, with what could be collected. */
  readonly heap: number;
}

const EVERY_MS = 20;

/** Looks at the process's memory until the returned function is called. */
export function watchMemory(): () => PeakMemory {
  let peak: PeakMemory = { resident: 0, heap: 0 };
  const look = (): void => {
    const { rss, heapUsed } = process.memoryUsage();
    peak = { resident: Math.max(peak.resident, rss), heap: Math.max(peak.heap, heapUsed) };
  };
  look();
  const watching = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(watching);
    look();
    return peak;
  };
}

/** Lets go of what earlier work has left. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);
}
