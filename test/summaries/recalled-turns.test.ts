import { describe, expect, test } from "vitest";
import { renderRecalledTurns } from "../../summaries/recalled-turns.ts";
import { countRoughly } from "../support/arbitraries.ts";
import { codTurn, openingTurn } from "../support/seed-turns.ts";
import { storedReply } from "../support/replies.ts";

const options = {
  total: 2,
  limits: { recallTurns: 5, recentMessageTokens: 40 },
  budget: 1_000,
  countTokens: countRoughly,
};

const opening = {
  turn: 1,
  userMessage: openingTurn.userMessage,
  replies: [storedReply("Here are nine dishes.")],
  summary: null,
};
const cod = {
  turn: 2,
  userMessage: codTurn.userMessage,
  replies: [storedReply("Sure thing!"), storedReply("Six are left.", 2)],
  summary: codTurn,
};

describe("renderRecalledTurns()", () => {
  test("says what was asked, done, decided and why, with all refs", () => {
    expect(renderRecalledTurns([cod, opening], options)).toBe(
      [
        'Turn 2: User said "lets not do cod this week?"',
        "  Goal: Show recipe options for the week (excluding cod)",
        "  Why: Cod is out, so the options have to be judged again",
        "  - Read the recipes: Found 9 recipes → recipe_1 through recipe_9",
        "  - Read the inventory: Found 59 inventory items → inv_1 through inv_59",
        "  - See which recipes can be cooked: Analysis complete → recipe_3, recipe_4, recipe_5, recipe_6, recipe_8, recipe_9",
        "  Decided: Demoted recipe_1, recipe_2, recipe_7 (contain cod)",
        "  Concluded: 6 recipes fit inventory",
        "  Answer: Sure thing!",
        "  Answer: Six are left.",
        'Turn 1: User said "can you help me plan some meals?"',
        "  Answer: Here are nine dishes.",
      ].join("\n"),
    );
  });

  test("counts what the limit or the budget leaves out", () => {
    const limits = { ...options.limits, recallTurns: 1 };
    expect(renderRecalledTurns([opening, cod], { ...options, limits, total: 7 })).toBe(
      'Turn 1: User said "can you help me plan some meals?"\n  Answer: Here are nine dishes.\n1 shown, 6 more',
    );
    expect(renderRecalledTurns([opening, cod], { ...options, budget: 30 })).toBe(
      'Turn 1: User said "can you help me plan some meals?"\n  Answer: Here are nine dishes.\n1 shown, 1 more',
    );
    const tight = renderRecalledTurns([cod], { ...options, total: 1, budget: 30 });
    expect(tight).toMatch(/^Turn 2: User said [^]* \[… \d+ tokens left out …\] [^]*left\.$/);
    expect(countRoughly(tight)).toBeLessThanOrEqual(30);
  });

  test("says that nothing matches", () => {
    expect(renderRecalledTurns([], { ...options, total: 0 })).toBe("No earlier turn matches.");
  });
});
