import { mealsDomain } from "../../meals/index.ts";
import { loadEnvironment, readConfig } from "../../app/config.ts";
import { createLog } from "../../app/log.ts";
import { didYouMean } from "../../text/nearest.ts";
import { chooseModel, describeModels, openModels } from "../../app/open-models.ts";
import { UsageError } from "../../app/usage-error.ts";
import type { ScenarioArguments } from "./arguments.ts";
import type { Stage } from "./conversation.ts";
import { playScenario, type PlayReport } from "./judge.ts";
import { countWordings, loadScenarios, wordsOf, type ScenarioBook } from "./load.ts";
import { isWhole, paintFor, renderPlay, renderSummary, type Paint } from "./print.ts";
import type { Scenario } from "./schema.ts";
import { openTemporaryDatabase } from "./temporary-database.ts";

/**
 * Plays scenarios and prints which expectations hold; returns the exit code. A signal ends it
 * between two statements, and its database is removed.
 *
 * @throws UsageError for a scenario that does not exist, or a model that is not configured.
 */
export async function runScenarios(wanted: ScenarioArguments): Promise<number> {
  const config = readConfig(loadEnvironment());
  const book = await loadScenarios();
  const scenarios = chosenFrom(book, wanted.only);
  const model = chooseModel(config.model, wanted.model);
  const opened = await openModels(model);
  const paint = paintFor(process.stdout.isTTY && process.stdout.hasColors());
  process.stdout.write(`${paint("dim", `Model: ${describeModels(model)}`)}\n\n`);

  const database = await openTemporaryDatabase(mealsDomain, createLog(config));
  const stage: Stage = { database, domain: mealsDomain, ...opened, limits: config.limits };
  const playing = playAll(stage, { scenarios, book, all: wanted.wordings, paint });
  const interrupted = new Promise<number>((resolve) => {
    process.once("SIGINT", () => resolve(130)).once("SIGTERM", () => resolve(143));
  });
  try {
    const plays = await Promise.race([playing, interrupted]);
    if (typeof plays === "number") return plays;
    process.stdout.write(`\n${renderSummary(plays, paint)}\n`);
    return plays.every(isWhole) ? 0 : 1;
  } finally {
    await database.close();
  }
}

async function playAll(
  stage: Stage,
  {
    scenarios,
    book,
    all,
    paint,
  }: {
    readonly scenarios: readonly Scenario[];
    readonly book: ScenarioBook;
    /** The other wordings too. */
    readonly all: boolean;
    readonly paint: Paint;
  },
): Promise<readonly PlayReport[]> {
  const plays: PlayReport[] = [];
  for (const scenario of scenarios) {
    const count = all ? countWordings(scenario, book.wordings) : 0;
    for (let number = 0; number <= count; number += 1) {
      const wording = number === 0 ? null : number;
      const words = wordsOf(scenario, { wordings: book.wordings, wording });
      const report = await playScenario(stage, { scenario, words });
      plays.push(report);
      process.stdout.write(`${renderPlay(report, { wording, paint })}\n`);
    }
  }
  return plays;
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
