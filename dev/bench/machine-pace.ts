const WORK = JSON.stringify(
  Array.from({ length: 2_000 }, (_, number) => ({ number, text: "x".repeat(number % 100) })),
);
const TIMES = 150;

/**
 * How long a fixed piece of work takes just now, in milliseconds. A virtual machine is not always
 * as fast: by this, results of two hours can be held against each other.
 */
export function machinePace(): number {
  const began = performance.now();
  for (let time = 0; time < TIMES; time += 1) JSON.stringify(JSON.parse(WORK));
  return performance.now() - began;
}
