import { readArguments, readId } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** The options of `inspect`. */
export interface InspectOptions {
  readonly threadId: string;
  readonly userId: string;
  /** The number of last turns to show. */
  readonly turns: number;
}

/** The text of `inspect --help`. */
export const INSPECT_HELP = `Usage: npm run --silent inspect -- THREAD [options]

Prints what is stored of a conversation, as JSON: its state (registry, candidates, turn summaries,
ledger, history, constraints, the pending question, the concierge's phase, handovers and plan, and
the sizes of the concierge's and the experts' transcripts), waiting messages, tokens used, the last
turns with the manifest of each node's last prompt, and the last batch: what the experts were asked,
how each ended, and what they claim.

  --user ID   whose conversation it is (default: demo)
  --turns N   how many of the last turns to show (default: 5)
  --help      print this
`;

const MOST_TURNS = 1_000;

/**
 * Reads the command line of `inspect`; "help" when help is asked for.
 *
 * @throws UsageError, one sentence about the first thing that is wrong.
 */
export function readInspectArguments(argv: readonly string[]): InspectOptions | "help" {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["user", "turns"],
    flags: [],
  });
  if (flags.has("help")) return "help";
  const [thread, second] = positionals;
  if (thread === undefined) {
    throw new UsageError(
      "Cannot inspect without a thread: write npm run --silent inspect -- THREAD; /threads in the chat lists them",
    );
  }
  if (second !== undefined) {
    throw new UsageError(`Cannot inspect "${second}" as well: name one thread at a time`);
  }
  return {
    threadId: readId("thread", thread),
    userId: readId("--user", values.get("user") ?? "demo"),
    turns: readTurns(values.get("turns") ?? "5"),
  };
}

function readTurns(value: string): number {
  const turns = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (turns >= 1 && turns <= MOST_TURNS) return turns;
  throw new UsageError(
    `Cannot use --turns "${value}": write a whole number from 1 to ${MOST_TURNS}`,
  );
}
