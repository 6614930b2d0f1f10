import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseScenarios, parseWordings, type Scenario, type Wordings } from "./schema.ts";

/** Where the project keeps its scenarios. */
export const SCENARIO_FOLDER = join(import.meta.dirname, "../../test/scenarios");

/** Scenarios with the other ways to say each turn. */
export interface ScenarioBook {
  readonly scenarios: readonly Scenario[];
  readonly wordings: Wordings;
}

const FILES = ["meals.yaml", "concierge.yaml", "extra.yaml"];

/**
 * Reads the scenarios of a folder and their wordings.
 *
 * @throws Error for files that do not fit, ids that occur twice, wordings of turns that do not exist.
 */
export async function loadScenarios(folder: string = SCENARIO_FOLDER): Promise<ScenarioBook> {
  const files = FILES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const scenarios = (
    await Promise.all(files.map(async (path) => parseScenarios(await readFile(path, "utf8"), path)))
  ).flat();
  const path = join(folder, "wordings.yaml");
  const wordings = parseWordings(await readFile(path, "utf8"), path);
  const problems = [...repeatedIds(scenarios), ...strayWordings(scenarios, wordings)];
  if (problems.length === 0) return { scenarios, wordings };
  throw new Error(`Cannot use the scenarios in "${folder}": ${problems.join("; ")}`);
}

/** What is said in each turn: the scenario's own words, or its wording of that number (from 1). */
export function wordsOf(
  scenario: Scenario,
  { wordings, wording }: { readonly wordings: Wordings; readonly wording: number | null },
): readonly string[] {
  const own = scenario.turns.map(({ say }) => say);
  if (wording === null) return own;
  const turns = wordings[scenario.id] ?? [];
  return own.map((say, turn) => {
    const others = turns[turn] ?? [];
    return others[wording - 1] ?? others.at(-1) ?? say;
  });
}

/** How many plays it takes until every wording of a scenario was said. */
export function countWordings(scenario: Scenario, wordings: Wordings): number {
  return Math.max(0, ...(wordings[scenario.id] ?? []).map((turn) => turn.length));
}

function repeatedIds(scenarios: readonly Scenario[]): string[] {
  const ids = scenarios.map(({ id }) => id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(
    (id) => `"${id}" occurs twice`,
  );
}

function strayWordings(scenarios: readonly Scenario[], wordings: Wordings): string[] {
  return Object.entries(wordings).flatMap(([id, turns]) => {
    const scenario = scenarios.find((candidate) => candidate.id === id);
    if (scenario === undefined) return [`the wordings name "${id}", which is no scenario`];
    const { length } = scenario.turns;
    return turns.length === length
      ? []
      : [`"${id}" has ${length} turns and wordings for ${turns.length}`];
  });
}
