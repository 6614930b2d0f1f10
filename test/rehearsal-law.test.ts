import { expect, test } from "vitest";
import { openModels } from "../app/open-models.ts";
import type { Stage } from "../cli/scenarios/conversation.ts";
import { eventsOf } from "../cli/scenarios/facts.ts";
import { failuresOf, playScenario, type PlayReport } from "../cli/scenarios/judge.ts";
import { loadScenarios } from "../cli/scenarios/load.ts";
import { isWhole } from "../cli/scenarios/print.ts";
import type { Scenario } from "../cli/scenarios/schema.ts";
import { mealsDomain } from "../meals/index.ts";
import { checkPlay } from "./support/check-play.ts";
import { testDatabase } from "./support/database.ts";
import { SECTION_HINTS } from "./support/section-hints.ts";

/** A section of a node's prompt, and the scenarios in which it stands. */
interface Section {
  readonly name: string;
  readonly node: string;
  readonly kind: string;
  readonly scenarios: readonly Scenario[];
}

const { scenarios } = await loadScenarios();
const stage: Stage = {
  database: await testDatabase(),
  domain: mealsDomain,
  ...(await openModels({ kind: "simulated" })),
};
const unaltered = await playAll(scenarios);

test.each(unaltered)("scenario $scenario holds as written", (report) => {
  expect(checkPlay(report)).toEqual([]);
});

test.each(sectionsOf(unaltered))(
  "without $name a scenario fails",
  { timeout: 120_000 },
  async (section) => {
    expect(await failsWithout(section)).not.toBeNull();
  },
);

test("every hint names a section and a scenario that there are", () => {
  const known = new Map(sectionsOf(unaltered).map((section) => [section.name, section]));
  const wrong = Object.entries(SECTION_HINTS).filter(
    ([name, id]) => known.get(name)?.scenarios.some((scenario) => scenario.id === id) !== true,
  );
  expect(wrong).toEqual([]);
});

async function playAll(all: readonly Scenario[]): Promise<readonly PlayReport[]> {
  const reports: PlayReport[] = [];
  for (const scenario of all) reports.push(await play(scenario));
  return reports;
}

function play(scenario: Scenario, without: Section | null = null): Promise<PlayReport> {
  const words = scenario.turns.map(({ say }) => say);
  if (without === null) return playScenario(stage, { scenario, words });
  const { node, kind } = without;
  const omitSection: Stage["omitSection"] = (ofNode, ofKind) => ofNode === node && ofKind === kind;
  return playScenario({ ...stage, omitSection }, { scenario, words });
}

/** The first scenario that fails when the section is left out, the hint's before the others and short ones before long ones; null where all of them hold. */
async function failsWithout(section: Section): Promise<string | null> {
  const hint = SECTION_HINTS[section.name];
  const inOrder = section.scenarios.toSorted(
    (a, b) => Number(b.id === hint) - Number(a.id === hint) || a.turns.length - b.turns.length,
  );
  for (const scenario of inOrder) {
    if (failuresOf(await play(scenario, section)).length > 0) return scenario.id;
  }
  return null;
}

/** Every section of every prompt that was shown; a scenario that fails anyhow says nothing about any. */
function sectionsOf(reports: readonly PlayReport[]): readonly Section[] {
  const holding = new Set(reports.filter(isWhole).map(({ scenario }) => scenario));
  const found = new Map<string, { node: string; kind: string; ids: Set<string> }>();
  for (const { scenario, turns } of reports) {
    for (const { node, sections } of turns.flatMap((turn) => eventsOf(turn, "prompt"))) {
      for (const { kind } of sections) {
        const name = `${node}/${kind}`;
        const entry = found.get(name) ?? { node, kind, ids: new Set() };
        found.set(name, { ...entry, ids: entry.ids.add(scenario) });
      }
    }
  }
  return [...found].map(([name, { node, kind, ids }]) => ({
    name,
    node,
    kind,
    scenarios: scenarios.filter(({ id }) => ids.has(id) && holding.has(id)),
  }));
}
