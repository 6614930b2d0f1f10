import { MODEL_CHOICES, type ModelChoice } from "../../app/open-models.ts";
import { readArguments } from "../read-arguments.ts";
import { UsageError } from "../../app/usage-error.ts";

/** What `npm run scenarios -- --help` prints. */
export const SCENARIOS_HELP = `Plays the scenarios in test/scenarios and prints which expectations hold.

  npm run scenarios -- [options]

  --only ID        one scenario
  --wordings       also the other wordings of each turn
  --model MODEL    simulated (default), or openai as it is configured
  --help           this text

A line for each play, with how many of each turn's expectations hold, and what does not hold below.
It works on a temporary database of its own: nobody's data is touched. Exits with 1 when an
expectation does not hold, with 2 when it was called wrongly.
`;

/** What is to be played, and with what. */
export interface ScenarioArguments {
  /** Null for every scenario. */
  readonly only: string | null;
  readonly wordings: boolean;
  readonly model: ModelChoice;
}

/** Reads the command line. @throws UsageError in one sentence. */
export function readScenarioArguments(argv: readonly string[]): ScenarioArguments | "help" {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["only", "model"],
    flags: ["wordings"],
  });
  if (flags.has("help")) return "help";
  const [stray] = positionals;
  if (stray !== undefined) {
    throw new UsageError(
      `Cannot use "${stray}": no such argument; write --only ${stray} for one scenario`,
    );
  }
  const typed = values.get("model") ?? "simulated";
  const model = MODEL_CHOICES.find((choice) => choice === typed);
  if (model === undefined) {
    throw new UsageError(`Cannot use --model "${typed}": write ${MODEL_CHOICES.join(" or ")}`);
  }
  return { only: values.get("only") ?? null, wordings: flags.has("wordings"), model };
}
