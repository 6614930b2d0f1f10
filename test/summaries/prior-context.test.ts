import { describe, expect, test } from "vitest";
import { renderPriorContext } from "../../summaries/prior-context.ts";
import { testTypes } from "../support/entity-types.ts";
import { readGolden } from "../support/read-golden.ts";
import { codTurn, openingTurn, toastTurn } from "../support/seed-turns.ts";
import { createEffect } from "../support/turn-state.ts";

const types = testTypes;
const nothing = {
  ...toastTurn,
  curated: { demoted: [], restored: [], retained: [] },
  remaining: null,
};

describe("renderPriorContext()", () => {
  test("is the seed's example, byte for byte, from the seed's data", async () => {
    const text = renderPriorContext({ records: [codTurn], current: toastTurn, types });
    expect(text).toBe(await readGolden("seed-prior-context"));
  });

  test("carries over what only an older turn read, names the turn, and quotes the newest analysis", () => {
    const exclusion = {
      ...codTurn,
      steps: codTurn.steps.slice(2),
      effects: [createEffect({ type: "slot", label: "Tuesday", facts: "Soup" })],
    };
    const generate = {
      ...codTurn.steps[2],
      stepType: "generate" as const,
      entitiesAffected: ["gen_recipe_1"],
    };
    const records = [
      { ...openingTurn, analysisConclusions: "9 recipes fit inventory" },
      { ...exclusion, steps: [...exclusion.steps, { ...codTurn.steps[0]!, ...generate }] },
    ];
    expect(renderPriorContext({ records, current: nothing, types })).toBe(
      [
        "## Prior Context",
        "",
        "**Last turn results:**",
        "- Recipes read: recipe_1 through recipe_9 (9 total, turn 1)",
        "- Analysis: 6 recipes fit inventory",
        "- Drafts: gen_recipe_1",
        "- Stored: created meal_1 (Tuesday: Soup)",
        "",
        "**Use these IDs directly** — don't re-query.",
      ].join("\n"),
    );
  });

  test("names tables in words, and what came back", () => {
    const read = { ...codTurn.steps[0]!, entitiesAffected: ["meal_1", "meal_3", "meal_1"] };
    const current = {
      ...nothing,
      curated: { ...nothing.curated, restored: [{ ref: "recipe_6", label: "Wings" }] },
    };
    const records = [{ ...codTurn, steps: [read], analysisConclusions: null }];
    expect(renderPriorContext({ records, current, types })).toBe(
      [
        "## Prior Context",
        "",
        "**Last turn results:**",
        "- Meal plans read: meal_1, meal_3 (2 total)",
        "",
        "**Current turn context:**",
        "- User brought back: recipe_6 (Wings)",
        "",
        "**Use these IDs directly** — don't re-query.",
      ].join("\n"),
    );
  });

  test("is empty where nothing is known", () => {
    expect(renderPriorContext({ records: [], current: nothing, types })).toBe("");
  });
});
