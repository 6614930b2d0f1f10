import { beforeAll, expect, test } from "vitest";
import { playTurns, type PlayedTurn } from "../../../cli/scenarios/play.ts";
import { mealsDomain } from "../../../meals/index.ts";
import { testDatabase } from "../../support/database.ts";
import { idsShown } from "../../support/ids-shown.ts";
import { narrowingModels, NARROWING_WORDS } from "../../support/narrowing-script.ts";

const database = await testDatabase();
let turns: readonly PlayedTurn[] = [];

beforeAll(async () => {
  const stage = { database, domain: mealsDomain, models: narrowingModels() };
  turns = await playTurns(stage, { words: NARROWING_WORDS });
});

test("no event of a turn holds a database id", () => {
  expect(turns.map(({ failure }) => failure)).toEqual(turns.map(() => null));
  expect(idsShown(turns)).toEqual([]);
});

test("idsShown() finds an id that got into a prompt", () => {
  const [turn] = turns;
  const prompt = turn?.events.find((event) => event.type === "prompt");
  const id = turn?.before["recipes"]?.[0]?.id ?? "";
  if (turn === undefined || prompt === undefined) throw new Error("Cannot leak: nothing was shown");

  const leak = { ...prompt, messages: [{ role: "user", text: `recipe_1 (${id})` }] };

  expect(idsShown([{ ...turn, events: [leak] }])).toEqual([`turn 1, prompt: ${id}`]);
});
