import { expect, test } from "vitest";
import { renderEarlierTurns } from "../../summaries/earlier-turns.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { fold, readRecipes } from "../support/registry-events.ts";
import { makeLedgerLine } from "../support/turn-state.ts";

const TOLD = makeLedgerLine(2, {
  goal: "Wants to tell",
  stated: "Greta comes on Saturday; she is deaf",
});
const SAVED = makeLedgerLine(3, {
  goal: "Save recipe_1 for Monday",
  stored: [{ action: "created", refs: "recipe_2, meal_7" }],
});
const CLAIMED = makeLedgerLine(4, { goal: "Saved the dinners of the whole week" });
const EMPTY = makeLedgerLine(5, { goal: "" });

const OPTIONS = {
  registry: fold([readRecipes(1, ["Soup", "Stew"])]),
  message: "who is coming?",
  statedOnly: false,
  budget: 999,
  countTokens: countRoughly,
};
const TURNS = { history: { lines: [TOLD] }, ledger: [SAVED, CLAIMED, EMPTY] };

test("renderEarlierTurns() gives the person's words, goals without refs, and what was stored", () => {
  expect(renderEarlierTurns(TURNS, OPTIONS)).toBe(
    [
      "- Turn 2: the person said “Greta comes on Saturday; she is deaf”",
      "- Turn 3: Save Soup for Monday; created Stew and 1 more",
      "- Turn 4: Saved the dinners of the whole week; nothing was stored",
    ].join("\n"),
  );
  expect(renderEarlierTurns(TURNS, { ...OPTIONS, statedOnly: true })).toBe(
    "- Turn 2: the person said “Greta comes on Saturday; she is deaf”",
  );
  expect(renderEarlierTurns({ history: { lines: [] }, ledger: [] }, OPTIONS)).toBe("");
});

test("renderEarlierTurns() keeps those that touch the message, then the newest, and counts the rest", () => {
  const tight = { ...OPTIONS, budget: 26 };
  expect(renderEarlierTurns(TURNS, { ...tight, message: "when does Greta come?" })).toBe(
    "- Turn 2: the person said “Greta comes on Saturday; she is deaf”\n- and 2 more turns",
  );
  expect(renderEarlierTurns(TURNS, tight)).toBe(
    "- Turn 4: Saved the dinners of the whole week; nothing was stored\n- and 2 more turns",
  );
});
