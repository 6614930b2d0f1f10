import { readArguments, readId } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** What the command line of `inspect` asks for. */
export interface InspectOptions {
  readonly threadId: string;
  readonly userId: string;
  /** How many of the last turns are shown. */
  readonly turns: number;
}

/** What `inspect --help` prints. */
export const INSPECT_HELP = `Usage: npm run --silent inspect -- THREAD [options]

Prints what is stored of a conversation, as JSON: what it carries from turn to turn (registry,
candidates, turn summaries, ledger, history, constraints, the question that waits; where the
concierge stands with its handovers and plan, and how large its thread and the experts' are),
messages that wait, tokens used, the last turns with the manifest of the last prompt of each node,
and the last batch: what the experts were asked, how each ended, and what they claim.

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
