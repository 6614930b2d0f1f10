import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  countWordings,
  loadScenarios,
  SCENARIO_FOLDER,
  wordsOf,
} from "../../../cli/scenarios/load.ts";
import { parseScenarios } from "../../../cli/scenarios/schema.ts";

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "concierge-scenarios-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const TWO_TURNS = `- { id: two, turns: [{ say: a }, { say: b }] }`;

test("wordsOf() says every turn in the wording of that number, and the last one where there are fewer", async () => {
  const folder = await folderWith({
    "meals.yaml": TWO_TURNS,
    "wordings.yaml": `two: [["a1", "a2"], ["b1"]]`,
  });

  const { scenarios, wordings } = await loadScenarios(folder);
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error("Cannot go on without a scenario");

  const said = [null, 1, 2].map((wording) => wordsOf(scenario, { wordings, wording }));
  expect(said).toEqual([
    ["a", "b"],
    ["a1", "b1"],
    ["a2", "b1"],
  ]);
  expect(countWordings(scenario, wordings)).toBe(2);
});

test.each([
  [
    "an id that occurs twice",
    { "extra.yaml": TWO_TURNS, "wordings.yaml": "{}" },
    '"two" occurs twice',
  ],
  [
    "wordings of no scenario",
    { "wordings.yaml": `three: [["c"]]` },
    '"three", which is no scenario',
  ],
  [
    "wordings of too few turns",
    { "wordings.yaml": `two: [["a1"]]` },
    '"two" has 2 turns and wordings for 1',
  ],
])("loadScenarios() refuses %s", async (_, files, problem) => {
  const folder = await folderWith({ "meals.yaml": TWO_TURNS, ...files });

  await expect(loadScenarios(folder)).rejects.toThrow(problem);
});

test("the scenarios that came with the project have at least three other wordings of every turn", async () => {
  const text = await readFile(join(SCENARIO_FOLDER, "meals.yaml"), "utf8");
  const { wordings } = await loadScenarios();

  const short = parseScenarios(text, "meals.yaml").flatMap(({ id, turns }) =>
    turns.flatMap(({ say }, turn) => {
      const others = new Set(wordings[id]?.[turn]);
      others.delete(say);
      return others.size >= 3 ? [] : [`${id}, turn ${turn + 1}`];
    }),
  );

  expect(short).toEqual([]);
});
