import { expect, test } from "vitest";
import { collectOutputNames } from "../../nodes/reply/output-names.ts";
import { cleanText } from "../../output-filter/output-gate.ts";
import type { Choice } from "../../state/registry.ts";

test("collectOutputNames() lets no thought of a choice's title into a text", () => {
  const choice: Choice = {
    id: "choice_1",
    type: "recipe",
    refs: [],
    of: 0,
    title: "dinners<think>recipe_1 is the best",
    basis: "analysis",
    conclusion: "",
    openedTurn: 1,
    touchedTurn: 1,
  };
  const names = collectOutputNames({
    registry: { entries: [], choices: [choice] },
    domain: { entityTypes: [] },
  });

  expect(cleanText("Here are the choice_1.", names)).toBe("Here are the dinners.");
});
