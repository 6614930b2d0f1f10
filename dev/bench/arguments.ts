import {
  defineCommand,
  InvalidValue,
  readWholeNumber,
  type Values,
} from "../../cli/command-line.ts";
import { didYouMean } from "../../text/nearest.ts";
import type { Measurement } from "./measurement.ts";

/** The arguments of `bench`; `json` null writes the results to a new file in `dev/bench/results/`. */
export type BenchArguments = Values<ReturnType<typeof benchCommand>["arguments"]>;

/** Makes the table of `npm run bench` over the known measurements. */
export function benchCommand(known: readonly Measurement[]) {
  const names = known.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length));
  const readMeasurement = (text: string): Measurement => {
    const found = known.find(({ name }) => name === text);
    if (found !== undefined) return found;
    const hint = didYouMean(text, names) || `; write one of ${names.join(", ")}`;
    throw new InvalidValue(`there is no such measurement${hint}`);
  };
  return defineCommand({
    start: "npm run bench --",
    settings: "bench",
    about: `
Measures what the program promises, beside what would be used instead:

${known.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join("\n")}

It works on an embedded PostgreSQL of its own, durable as in production, or on databases of its own
on the server in DATABASE_URL (as a user who may create databases and roles). Exits with 1 when a
measurement fails or a promise about a figure is not kept, with 2 for a wrong argument.`,
    arguments: {
      measurements: ["NAME…", "a measurement (default: all of them)", readMeasurement],
      quick: [
        "--quick",
        "fewer turns, runs and sizes: shows that everything works, not how fast it is",
      ],
      seed: ["--seed NUMBER", "draws other conversations", readWholeNumber(0, 999_999_999), 7],
      json: [
        "--json FILE",
        "writes the results there instead of into dev/bench/results",
        String,
        null,
      ],
    },
  });
}
