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
  newest: 9,
  budget: 999,
  countTokens: countRoughly,
};
const TURNS = { history: { lines: [TOLD], messages: [] }, ledger: [SAVED, CLAIMED, EMPTY] };

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
  expect(renderEarlierTurns({ history: { lines: [], messages: [] }, ledger: [] }, OPTIONS)).toBe(
    "",
  );
});

test("renderEarlierTurns() keeps those that touch the message, then the newest that stored something, and counts the rest", () => {
  const tight = { ...OPTIONS, budget: 26 };
  expect(renderEarlierTurns(TURNS, { ...tight, message: "when does Greta come?" })).toBe(
    "- Turn 2: the person said “Greta comes on Saturday; she is deaf”\n- and 2 more turns",
  );
  expect(renderEarlierTurns(TURNS, { ...OPTIONS, newest: 1 })).toBe(
    "- Turn 3: Save Soup for Monday; created Stew and 1 more\n- and 2 more turns",
  );
  expect(renderEarlierTurns({ ...TURNS, ledger: [CLAIMED] }, { ...OPTIONS, newest: 2 })).toBe(
    "- Turn 2: the person said “Greta comes on Saturday; she is deaf”\n- Turn 4: Saved the dinners of the whole week; nothing was stored",
  );
});

test("renderEarlierTurns() shows what a message touches most, however long ago it was stated", () => {
  const stated = Array.from({ length: 150 }, (_, index) => ({
    turn: index + 1,
    words: index === 3 ? "the key of the shed hangs behind the clock" : `the key ${index} is mine`,
  }));
  const turns = { history: { lines: [], messages: stated }, ledger: [] };
  const options = { ...OPTIONS, statedOnly: true, newest: 1, budget: 60 };
  expect(
    renderEarlierTurns(turns, { ...options, message: "where is the key of the shed?" }),
  ).toMatch(/^- Turn 4: the person said “the key of the shed hangs behind the clock”/u);
  expect(renderEarlierTurns(turns, { ...options, message: "hello" })).toBe("");
});

test("renderEarlierTurns() quotes a message that asked for work where a later one touches it", () => {
  const asked = "add rice; my sister Greta comes on Saturday and must not eat nuts";
  const turns = { history: { lines: [], messages: [] }, ledger: [{ ...SAVED, asked }] };
  expect(renderEarlierTurns(turns, { ...OPTIONS, message: "and what about Greta?" })).toBe(
    `- Turn 3: Save Soup for Monday; created Stew and 1 more; the person said “${asked}”`,
  );
  expect(
    renderEarlierTurns(turns, { ...OPTIONS, statedOnly: true, message: "is Greta coming?" }),
  ).toBe(`- Turn 3: the person said “${asked}”`);
  expect(renderEarlierTurns(turns, { ...OPTIONS, statedOnly: true })).toBe("");
});

test("renderEarlierTurns() says the same words once, for the newest turn, and a deed as often as it was done", () => {
  const again = { history: { lines: [TOLD, SAVED], messages: [] }, ledger: [] };
  const later = [TOLD, SAVED].map((line) => Object.assign({}, line, { turn: line.turn + 5 }));
  const turns = { ...again, ledger: later };
  expect(renderEarlierTurns(turns, { ...OPTIONS, statedOnly: true })).toBe(
    "- Turn 7: the person said “Greta comes on Saturday; she is deaf”",
  );
  expect(renderEarlierTurns(turns, OPTIONS)).toBe(
    [
      "- Turn 2: the person said “Greta comes on Saturday; she is deaf”",
      "- Turn 3: Save Soup for Monday; created Stew and 1 more",
      "- Turn 7: the person said “Greta comes on Saturday; she is deaf”",
      "- Turn 8: Save Soup for Monday; created Stew and 1 more",
    ].join("\n"),
  );
});
