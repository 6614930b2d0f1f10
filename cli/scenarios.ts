import { mealsDomain } from "../domains/meals/index.ts";
import { loadEnvironment, readConfig } from "./config.ts";
import { createLog } from "./log.ts";
import { didYouMean } from "./nearest.ts";
import {
  chooseModel,
  describeModels,
  MODEL_CHOICES,
  openModels,
  type ModelChoice,
} from "./open-models.ts";
import { readArguments } from "./read-arguments.ts";
import type { Stage } from "./scenarios/conversation.ts";
import { playScenario, type PlayReport } from "./scenarios/judge.ts";
import { countWordings, loadScenarios, wordsOf, type ScenarioBook } from "./scenarios/load.ts";
import { isWhole, paintFor, renderPlay, renderSummary } from "./scenarios/print.ts";
import type { Scenario } from "./scenarios/schema.ts";
import { openTemporaryDatabase } from "./scenarios/temporary-database.ts";
import { UsageError } from "./usage-error.ts";

const HELP = `Plays the scenarios in test/scenarios and prints which expectations hold.

  npm run scenarios -- [options]

  --only ID         one scenario
  --wordings        also the other wordings of each turn
  --model MODEL     rehearsal (default) or openai, as it is configured
  --help            this text

It works on a temporary database of its own: nobody's data is touched.
Exits with 1 when an expectation does not hold, with 2 when it was called wrongly.
`;

interface Wanted {
  readonly help: boolean;
  readonly only: string | null;
  readonly wordings: boolean;
  readonly model: ModelChoice;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** Returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const wanted = readWanted(argv);
  if (wanted.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const config = readConfig(loadEnvironment());
  const book = await loadScenarios();
  const scenarios = chosenFrom(book, wanted.only);
  const model = chooseModel(config.model, wanted.model);
  const paint = paintFor(process.stdout.isTTY && process.stdout.hasColors());
  process.stdout.write(`${paint("dim", `Model: ${describeModels(model)}`)}\n\n`);
  const models = await openModels(model);
  const database = await openTemporaryDatabase(mealsDomain, createLog(config));
  // Its server would go on running.
  const leave = (): void => void database.close().finally(() => process.exit(130));
  process.once("SIGINT", leave).once("SIGTERM", leave);
  const plays: PlayReport[] = [];
  try {
    const stage: Stage = { database, domain: mealsDomain, models, limits: config.limits };
    for (const scenario of scenarios) {
      for (const wording of wordingsOf(scenario, { book, all: wanted.wordings })) {
        const words = wordsOf(scenario, { wordings: book.wordings, wording });
        const report = await playScenario(stage, { scenario, words });
        plays.push(report);
        process.stdout.write(`${renderPlay(report, { wording, paint })}\n`);
      }
    }
  } finally {
    await database.close();
  }
  process.stdout.write(`\n${renderSummary(plays, paint)}\n`);
  return plays.every(isWhole) ? 0 : 1;
}

function readWanted(argv: readonly string[]): Wanted {
  const { values, flags, positionals } = readArguments(argv, {
    values: ["only", "model"],
    flags: ["wordings"],
  });
  const [stray] = positionals;
  if (stray !== undefined) {
    throw new UsageError(
      `Cannot use "${stray}": it is no option; write --only ${stray} for one scenario`,
    );
  }
  const typed = values.get("model") ?? "rehearsal";
  const model = MODEL_CHOICES.find((choice) => choice === typed);
  if (model === undefined) {
    const choices = MODEL_CHOICES.join(" or ");
    throw new UsageError(`Cannot use --model "${typed}": write ${choices}`);
  }
  return {
    help: flags.has("help"),
    only: values.get("only") ?? null,
    wordings: flags.has("wordings"),
    model,
  };
}

function chosenFrom({ scenarios }: ScenarioBook, only: string | null): readonly Scenario[] {
  if (only === null) return scenarios;
  const chosen = scenarios.filter(({ id }) => id === only);
  if (chosen.length > 0) return chosen;
  const ids = scenarios.map(({ id }) => id);
  throw new UsageError(
    `Cannot play "${only}": there is no such scenario${didYouMean(only, ids) || `; there are ${ids.join(", ")}`}`,
  );
}

function wordingsOf(
  scenario: Scenario,
  { book, all }: { readonly book: ScenarioBook; readonly all: boolean },
): readonly (number | null)[] {
  const count = all ? countWordings(scenario, book.wordings) : 0;
  return [null, ...Array.from({ length: count }, (_, index) => index + 1)];
}
