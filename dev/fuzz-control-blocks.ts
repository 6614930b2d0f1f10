import { parseBatchSignal } from "../control-blocks/batch-signal.ts";
import { parseIntentHandover } from "../control-blocks/intent-handover.ts";
import { findSignalFault, streamed } from "../test/support/check-signals.ts";
import { chunked, seededRandom, signalText } from "../test/support/signal-texts.ts";

/** `npm run fuzz [-- COUNT [SEED]]`: reads that many random and mutated answers; 1 on the first fault. */
function fuzz(count: number, seed: number): boolean {
  const random = seededRandom(seed);
  const started = performance.now();
  for (let done = 0; done < count; done += 1) {
    const text = signalText(random);
    const fault = findFault(text, random);
    if (fault !== null) {
      process.stderr.write(`Fault at ${done} of seed ${seed}: ${fault}\n${JSON.stringify(text)}\n`);
      return false;
    }
    if ((done + 1) % 50_000 === 0) report(done + 1, started);
  }
  process.stdout.write(`${count} inputs of seed ${seed} read without a throw or a fault\n`);
  return true;
}

function findFault(text: string, random: () => number): string | null {
  try {
    return findSignalFault(text, chunked(text, random));
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function report(done: number, started: number): void {
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`${done} inputs, ${seconds.toFixed(1)} s\n`);
}

/** Texts that a careless scanner reads more than once, by the repeated part. */
const REPEATED: Readonly<Record<string, (times: number) => string>> = {
  openers: (times) => "<<<HANDOVER>>>\n".repeat(times),
  "inline ends": (times) => "<<<BATCH>>> a <<<END>>> b ".repeat(times),
  "angle brackets": (times) => "<".repeat(times * 16),
  "fence lines": (times) => "```\n".repeat(times * 4),
  quotes: (times) => `<<<HANDOVER>>>\ngoal: g\ngaps: ${'"a, '.repeat(times)}\n<<<END>>>`,
  brackets: (times) => `<<<HANDOVER>>>\ngoal: g\ngaps: ${"(a, [".repeat(times)}\n<<<END>>>`,
  "blank space": (times) => `a${" \n".repeat(times * 8)}b`,
  bullets: (times) => `<<<HANDOVER>>>\ngoal: g\ngaps:\n${"- a, b\n".repeat(times)}<<<END>>>`,
};

function showGrowth(): void {
  process.stdout.write("\nmilliseconds for a text, and for twice and four times it\n");
  for (const [name, repeat] of Object.entries(REPEATED)) {
    const times = [40_000, 80_000, 160_000].map((size) => timed(repeat(size)));
    process.stdout.write(`${name.padEnd(16)}${times.map((time) => time.padStart(8)).join("")}\n`);
  }
}

function timed(text: string): string {
  const started = performance.now();
  parseIntentHandover(text);
  parseBatchSignal(text);
  streamed(text.match(/[^]{1,7}/g) ?? [], {});
  return (performance.now() - started).toFixed(0);
}

const [count = "1000000", seed = "20260112"] = process.argv.slice(2);
if (fuzz(Number(count), Number(seed))) showGrowth();
else process.exitCode = 1;
