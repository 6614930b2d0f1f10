import { didYouMean } from "../../text/nearest.ts";
import { readArguments } from "../../cli/read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";
import type { Measurement } from "./measurement.ts";

/** What is to be measured, and how. */
export interface BenchArguments {
  /** In the order of the registry; all of them where none was named. */
  readonly measurements: readonly Measurement[];
  readonly quick: boolean;
  readonly seed: number;
  /** Where the results go; null for a new file in `dev/bench/results/`. */
  readonly json: string | null;
}

const SEED = 7;

/** What `npm run bench -- --help` prints. */
export function benchHelp(known: readonly Measurement[]): string {
  const width = Math.max(...known.map(({ name }) => name.length));
  return `Measures what the program promises, beside what would be used instead.

  npm run bench -- [options] [name …]

  --quick          fewer turns, runs and sizes: shows that everything works, not how fast it is
  --profile        tells whose functions the processor time goes to, and measures nothing: ${profiledNames(known)}
  --seed NUMBER    draws other conversations; default ${SEED}
  --json FILE      writes the results there instead of into dev/bench/results
  --help           this text

${known.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join("\n")}

Without a name everything is measured. It works on an embedded PostgreSQL of its own, durable as in
production, or on databases of its own on the server in DATABASE_URL (as a user who may create
databases and roles). Exits with 1 when a measurement fails, with 2 when it was called wrongly.
`;
}

/** Reads the command line. @throws UsageError in one sentence. */
export function readBenchArguments(
  argv: readonly string[],
  known: readonly Measurement[],
): BenchArguments | "help" {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["seed", "json"],
    flags: ["quick", "profile"],
  });
  if (flags.has("help")) return "help";
  assertKnown(positionals, known);
  const wanted =
    positionals.length === 0 ? known : known.filter(({ name }) => positionals.includes(name));
  return {
    measurements: flags.has("profile") ? profilesOf(wanted, known) : wanted,
    quick: flags.has("quick"),
    seed: readSeed(values.get("seed") ?? String(SEED)),
    json: values.get("json") ?? null,
  };
}

/** Their profiles in place of what they measure; of all of them, of those that have one. */
function profilesOf(
  wanted: readonly Measurement[],
  known: readonly Measurement[],
): readonly Measurement[] {
  const stray = wanted.find(({ profile }) => profile === undefined);
  if (stray !== undefined && wanted !== known) {
    throw new UsageError(
      `Cannot profile "${stray.name}": it has no profile; there is one of ${profiledNames(known)}`,
    );
  }
  const about = "Whose functions its processor time goes to";
  return wanted.flatMap(({ name, profile }) =>
    profile === undefined ? [] : [{ name, about, run: profile }],
  );
}

function profiledNames(known: readonly Measurement[]): string {
  return known.flatMap(({ name, profile }) => (profile === undefined ? [] : [name])).join(", ");
}

function assertKnown(names: readonly string[], known: readonly Measurement[]): void {
  const all = known.map(({ name }) => name);
  const stray = names.find((name) => !all.includes(name));
  if (stray === undefined) return;
  throw new UsageError(
    `Cannot measure "${stray}": there is no such measurement${didYouMean(stray, all) || `; there are ${all.join(", ")}`}`,
  );
}

function readSeed(typed: string): number {
  if (/^\d{1,9}$/.test(typed)) return Number(typed);
  throw new UsageError(`Cannot use --seed "${typed}": write a whole number from 0 to 999999999`);
}
