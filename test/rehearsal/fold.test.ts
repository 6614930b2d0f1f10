import { fc, test as lawTest } from "@fast-check/vitest";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { createRehearsalModel } from "../../models/rehearsal/index.ts";
import { countTokens } from "../../models/tokens.ts";
import { buildFoldPrompt } from "../../prompts/summarize.ts";
import { renderParts } from "../../prompts/part.ts";

test("the fold keeps what was done and decided, and how the conversation began", async () => {
  const history = "Turn 1: Look at inventory\nTurn 2: Save Soup; created gen_recipe_1";
  const lines = ["Turn 3: Look at tasks", "Turn 4: Demoted recipe_5 (not wanted)"];

  expect(await fold({ history, lines, budget: 600 })).toBe(
    [
      "Turn 1: Look at inventory",
      "Turn 2: Save Soup; created gen_recipe_1",
      "Turn 4: Demoted recipe_5 (not wanted)",
    ].join("\n"),
  );
});

lawTest.prop([
  fc.array(fc.string({ maxLength: 60 }), { maxLength: 20 }),
  fc.integer({ min: 60, max: 400 }),
])("the fold stays within its budget", async (goals, budget) => {
  const lines = goals.map(
    (goal, index) => `Turn ${index + 1}: ${goal.replace(/\s+/g, " ")}; created gen_recipe_${index}`,
  );
  const text = await fold({ history: "", lines, budget });

  expect(
    lines.length < 2 || countTokens(text) <= Math.max(budget, countTokens(lines[0] ?? "")),
  ).toBe(true);
});

async function fold(input: Parameters<typeof buildFoldPrompt>[0]): Promise<string> {
  const messages = renderParts(buildFoldPrompt(input)).map(({ role, ...message }) =>
    role === "system"
      ? new SystemMessage("text" in message ? message.text : "")
      : new HumanMessage("text" in message ? message.text : ""),
  );
  return (await createRehearsalModel().invoke(messages)).text;
}
